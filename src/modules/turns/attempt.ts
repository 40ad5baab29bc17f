import type { ChatReasoning } from '../../providers/models/index.js';
import type { Statement } from '../../core/database/index.js';
import type { RecallResult } from '../memory/index.js';
import type { Message } from '../messaging/index.js';
import type { ModelUsage } from '../usage/index.js';
import type { PromptPassage } from './document-passages.js';
import type { ActionsRecord, PromptRecord } from './prompt-record.js';
import type { RecordedPrompt } from './recorded-prompt.js';
import type { TurnTrace } from './turn-trace.js';

/** State of an attempt at a turn. */
export interface Attempt {
  /** The streamed text. */
  text: string;
  /** The statements that write the rest of the text of an attempt that failed. */
  lastChunk?: readonly Statement[];
  /** Messages that are not in the agent's memory yet. */
  unrecorded: readonly Message[];
  /** Absent when the attempt failed before recall. */
  recall?: RecallResult;
  /** The pieces of documents in the prompt. */
  passages?: readonly PromptPassage[];
  /** What the prompt was made of; absent when the attempt failed before it was made. */
  used?: PromptRecord;
  /** The actions and tools of the turn; absent without any. */
  actions?: ActionsRecord;
  /** Position in the channel up to which the conversation should be summarised. */
  summariseThrough?: number;
  /** See `TurnContext.onlyUser`. */
  onlyUser?: string;
  /** Usage of the turn so far, including earlier attempts. */
  usage: ModelUsage;
  /** What the model thought in the latest call. */
  reasoning?: ChatReasoning;
  /** The prompt of a model call that has not been answered, with RUN_PROMPTS. */
  prompt?: RecordedPrompt;
  /** The turn goes on: its time limit begins again. */
  readonly progress: () => void;
  /** The stages so far. */
  readonly trace: TurnTrace;
}
