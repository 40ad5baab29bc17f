import type { ChatReasoning } from '../../../providers/models/index.js';
import type { Statement } from '../../../core/database/index.js';
import type { ModelUsage } from '../../usage/index.js';
import type { BuiltPrompt } from '../prompt/prompt-builder.js';
import { recordRecall, type ActionsRecord } from '../prompt/prompt-record.js';
import type { PromptPayload } from '../runs/run-steps.js';
import type { RecordedPrompt } from '../prompt/recorded-prompt.js';
import type { TurnTrace } from '../turn-trace.js';

/** State of an attempt at a turn. */
export interface Attempt {
  /** The streamed text. */
  text: string;
  /** The statements that write the rest of the text of an attempt that failed. */
  lastChunk?: readonly Statement[];
  /** Absent when the attempt failed before it was built. */
  built?: BuiltPrompt;
  /** Tokens of the prompt that the service read, when it left out a part without saying so. */
  readTokens?: number | undefined;
  /** The actions and tools of the turn; absent without any. */
  actions?: ActionsRecord;
  /** Whether nothing of the turn is remembered. */
  forgets?: boolean;
  /** Usage of the turn so far, including earlier attempts. */
  usage: ModelUsage;
  /** What the model thought in the latest call. */
  reasoning?: ChatReasoning;
  /** The prompt of a model call that has no response yet, with RUN_PROMPTS. */
  prompt?: RecordedPrompt;
  /** The turn goes on: its time limit begins again. */
  readonly progress: () => void;
  /** The stages so far. */
  readonly trace: TurnTrace;
}

/** What the step that ends an attempt records of its prompt. */
export function recordPromptOf({ built, readTokens }: Attempt): Pick<PromptPayload, 'recall' | 'used'> {
  if (!built) return {};
  const { recall, passages, record } = built;
  return { recall: recordRecall(recall, passages), used: readTokens === undefined ? record : { ...record, readTokens } };
}
