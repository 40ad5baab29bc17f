import type { State } from '../../../plugin-sdk/index.js';
import type { ChatMessage, ChatModel, Grounding } from '../../../providers/models/index.js';
import type { Config } from '../../../core/config/index.js';

import type { RecallAudience } from '../../memory/index.js';
import type { TurnRequest } from '../requests/turn-request.js';
import type { Turn } from '../turns.types.js';
import type { AttachedFiles, FileRecord } from './attached-files.js';
import type { PromptConversation } from './prompt-conversation.js';
import type { PartRecord } from './prompt-record.js';
import type { Recalled } from './recall.step.js';

/** A turn while its prompt is built, with what several parts need. Everything is read once. */
export interface PromptTurn {
  readonly turn: Turn;
  readonly model: ChatModel;
  /** What the caller of a protocol asks; undefined for other turns. */
  readonly request: TurnRequest | undefined;
  /** Of the budgets, 0 to 1. */
  readonly share: number;
  /** Whether the offline responder replies, which reads `PartContent.grounding`. */
  readonly isOffline: boolean;
  /** The knowledge of the agent's character. */
  readonly knowledge: readonly { readonly text: string }[];
  readonly conversation: Promise<PromptConversation>;
  /** The readers of the reply, and what they may hear. */
  readonly audience: Promise<RecallAudience>;
  readonly recalled: Promise<Recalled>;
  readonly attached: Promise<AttachedFiles>;
  /** What the context providers returned. */
  readonly state: Promise<State>;
  /** Tokens of a text, estimated (`TokenMeter`). */
  readonly count: (text: string) => number;
  /** The budget of a part, in estimated tokens. @throws Error when it has none */
  readonly tokensFor: (part: string) => number;
}

/** What a part adds to a prompt. */
export interface PartContent {
  /** A section of the system message; empty for none. */
  readonly section?: string;
  /** Messages behind the system message. */
  readonly messages?: readonly ChatMessage[];
  /** Of the text, estimated. */
  readonly tokens: number;
  /** Tokens that the part could use, estimated; absent when it could use its whole budget. */
  readonly budget?: number;
  /** What the part chose, for the run; absent when there is nothing to choose. */
  readonly record?: PartRecord;
  /** Files that the part chose from, for the run. */
  readonly files?: readonly FileRecord[];
  /** What the offline responder may say. */
  readonly grounding?: Partial<Pick<Grounding, 'facts' | 'examples' | 'memories'>>;
}

/**
 * A part of the prompt of a turn. A new one, such as a new kind of memory, is a class and a line in `PROMPT_PARTS`: runs, metrics and
 * the console show it by its name.
 */
export interface PromptPart {
  /** Unique, a word; none of the fields of `PromptRecord`. */
  readonly name: string;
  /** Whether stages of their own tell how long the part takes; else it belongs to the stage `context`. */
  readonly hasOwnStages?: boolean;
  /** Tokens of the model at most, before a share is taken; absent for a part without a limit. */
  budget?(config: Config, isOffline: boolean): number;
  prepare(turn: PromptTurn): Promise<PartContent>;
}
