import { shortened } from '../../../core/text/index.js';
import type { RecallRow } from '../../memory/index.js';
import { SearchOutcomeView } from './recall.dto.js';
import { refusalText } from '../tools/offer.step.js';
import { countIn } from '../prompt/prompt-record.js';
import type { RunContext, RunPart, UnusedMemory, UsedMemory } from './run-context.js';
import type { RunStage } from './run-stages.js';

const MAX_TEXT = 1000;

/** A stage of a run. */
export class RunStageView {
  /**
   * `waiting` is the time from the message to the first attempt. An `attempt` contains the stages that follow it. `context` collects
   * conversation, profile and memories, and contains `recall`. `offer` asks the conditions of actions and the tool sources. `storing` writes
   * the reply. Evaluators run after it.
   */
  kind!: 'waiting' | 'attempt' | 'context' | 'recall' | 'provider' | 'offer' | 'model' | 'action' | 'storing' | 'evaluator';
  /** Name of the context provider, the model, the action or the evaluator; else the kind. */
  name!: string;
  /** Epoch ms. */
  startedAt!: number;
  /** Milliseconds; null while the stage runs. That of `storing` is known for the newest runs of the process that is asked. */
  durationMs!: number | null;
  /** 1, 2, 3, …; 0 for `waiting`. */
  attempt!: number;
  /** Why the stage failed. */
  error?: string;
  /** Provider of the model. */
  provider?: string;
  /** Tokens of the prompt; null when the service did not report them. */
  inputTokens?: number | null;
  /** Tokens of the reply; null when the service did not report them. */
  outputTokens?: number | null;
  /** US dollars; null when MODEL_PRICES has no price for the model, or the tokens are not known. */
  costUsd?: number | null;
  /** Milliseconds until the first text or call of the model. */
  firstTokenMs?: number;
  /** Why the model stopped: `stop`, `length`, `tool-calls`, … */
  finishReason?: string;
  /** Arguments of the action: JSON, at most 2,000 characters. */
  arguments?: string;
  /** Result of the action: its text or JSON, at most 2,000 characters. */
  result?: string;
}

/** A memory of a run, as it is now. */
export class RunMemoryView {
  id!: string;
  /** The room that it belongs to. */
  roomId!: string;
  /** How well the memory matched, 0 to 1. */
  score!: number;
  /** Cosine similarity of its best piece, -1 to 1; null when the semantic search did not find it. */
  similarity!: number | null;
  /** The searches that found it. */
  foundBy!: ('meaning' | 'related' | 'words' | 'recency' | 'unseen')[];
  /** Type of the memory: `messages`, `facts`, …; null when it has been deleted. */
  type!: string | null;
  /** The first 1,000 characters; null when it has been deleted. */
  text!: string | null;
  authorName!: string | null;
  /** Epoch ms; null when it has been deleted. */
  createdAt!: number | null;
}

/** A piece of a document in the prompt. */
export class RunPassageView {
  /** Id of the piece, a memory. */
  id!: string;
  /** The number by which the reply refers to it, as in `[1]`. */
  number!: number | null;
  score!: number;
  similarity!: number | null;
  foundBy!: ('meaning' | 'related' | 'words' | 'recency' | 'unseen')[];
  /** Null when the document has been deleted. */
  documentId!: string | null;
  /** Name of the document; null when it has been deleted. */
  document!: string | null;
  /** Page and heading; empty when the document has none. */
  place!: string;
  /** Address of a document from the web. */
  url!: string | null;
  /** The first 1,000 characters; null when it has been deleted. */
  text!: string | null;
}

/** A memory that was found and is not in the prompt. */
export class RunLeftOutView {
  id!: string;
  score!: number;
  /**
   * `duplicate`: a newer memory says the same. `limit`: there were enough better ones. `budget`: it did not fit. `threshold`: it is not
   * similar enough.
   */
  reason!: 'duplicate' | 'limit' | 'budget' | 'threshold';
  /** Type of the memory; null when it has been deleted. */
  type!: string | null;
  /** The first 1,000 characters; null when it has been deleted. */
  text!: string | null;
  authorName!: string | null;
  /** Epoch ms; null when it has been deleted. */
  createdAt!: number | null;
  /** Name of the document, for a piece of one. */
  document!: string | null;
}

/** A memory that a part of the prompt chose, such as a fact about the user. */
export class RunFactView {
  /** Id of the memory. */
  id!: string;
  /** Null when it has been deleted. */
  text!: string | null;
  /** Epoch ms; null when it has been deleted. */
  createdAt!: number | null;
}

/** A file of the conversation. */
export class RunFileView {
  id!: string;
  /** Null when it has been deleted. */
  name!: string | null;
  /**
   * `file`: the model received it unchanged. `whole`: its text was in the prompt. `part`: pieces of its text were. `none`: nothing of it
   * fitted or matched, or it is no document. `unread`: it could not be read.
   */
  use!: 'file' | 'whole' | 'part' | 'none' | 'unread';
  /** Pieces of its text in the prompt. */
  shown!: number;
  /** Pieces of its text. */
  pieces!: number;
}

/** The summary in the prompt. */
export class RunSummaryTextView {
  /** Number of messages that it summarises. */
  messages!: number;
  /** Null when it has been extended or deleted since. */
  text!: string | null;
}

/** The part of the conversation in the prompt, without the message to reply to. */
export class RunConversationView {
  messages!: number;
  /** Messages that did not fit and that no summary has. */
  leftOut!: number;
}

/** Tokens of the parts of a prompt, estimated. */
export class RunTokensView {
  character!: number;
  /** Facts about the user. */
  profile!: number;
  /** Recalled memories. */
  recall!: number;
  /** Pieces of documents. */
  documents!: number;
  /** Text of the context providers. */
  providers!: number;
  summary!: number;
  conversation!: number;
  /** The message to reply to. */
  message!: number;
}

/** Budgets of the parts of a prompt, tokens. */
export class RunBudgetsView {
  recall!: number;
  documents!: number;
  conversation!: number;
}

/** A part of a prompt. */
export class RunPartView {
  /** `character`, `profile`, `documents`, `recall`, `summary`, `instruction`, `providers`, `conversation`, `message`, … */
  name!: string;
  /** Estimated. */
  tokens!: number;
  /** Tokens at most; null for a part without a limit. */
  budget!: number | null;
  /** The memories that the part chose. Those of `recall` and `documents` are in lists of their own. */
  memories!: RunFactView[];
}

/** An action that the model could not call. */
export class RunRefusedActionView {
  name!: string;
  plugin!: string;
  /** `condition`: its condition did not hold. `failed`: its condition failed. `name`: another action has its name. */
  reason!: 'plugin' | 'condition' | 'failed' | 'name';
  /** At most 500 characters. */
  details!: string;
}

/** The actions and tools of a run, at most 200 of each. */
export class RunActionsView {
  /** Names of those that the model could call. */
  offered!: string[];
  refused!: RunRefusedActionView[];
}

/** What the prompt of a run used, and what it left out. */
export class RunContextView {
  /** Best first. */
  memories!: RunMemoryView[];
  /** Best first. */
  documents!: RunPassageView[];
  leftOut!: RunLeftOutView[];
  /** Files of the conversation. */
  files!: RunFileView[];
  /** The parts of the prompt, in their order; empty when the run recorded none. */
  parts!: RunPartView[];
  profile!: RunFactView[];
  /** Null without a summary. */
  summary!: RunSummaryTextView | null;
  /** Null when the run did not record it. */
  conversation!: RunConversationView | null;
  /** Null when the run did not record it. */
  tokens!: RunTokensView | null;
  /** Null when the run did not record it. */
  budgets!: RunBudgetsView | null;
  /** Null without any. */
  actions!: RunActionsView | null;
  /** Share of the budgets, 0 to 1: less than 1 when the model could not read a whole prompt. */
  share!: number;
  /** Tokens of the prompt that the service read, when it left out a part without saying so; else null. */
  readTokens!: number | null;
  /** The semantic search. */
  byMeaning!: SearchOutcomeView;
  /** The search by words. */
  byWords!: SearchOutcomeView;
}

export function presentStage(stage: RunStage): RunStageView {
  return { ...stage };
}

export function presentContext({ recall, used, actions, summary, ...found }: RunContext): RunContextView {
  const { byMeaning, byWords } = recall;
  const parts = found.parts.map(presentPart);
  const count = (part: string, name: string): number | undefined => used && countIn(used, part, name);
  const summarised = count('summary', 'messages');
  return {
    memories: found.memories.map(presentMemory),
    documents: found.documents.map(presentPassage),
    leftOut: found.leftOut.map(presentLeftOut),
    files: found.files.map(({ name, ...file }) => ({ ...file, name: name ?? null })),
    parts,
    profile: parts.find(({ name }) => name === 'profile')?.memories ?? [],
    summary: summarised === undefined ? null : { messages: summarised, text: summary ?? null },
    conversation: used ? { messages: count('conversation', 'messages') ?? 0, leftOut: count('conversation', 'leftOut') ?? 0 } : null,
    tokens: used ? figuresOf(PARTS, used.tokens) : null,
    budgets: used ? figuresOf(LIMITED_PARTS, used.budgets) : null,
    actions: actions
      ? { offered: [...actions.offered], refused: actions.refused.map((one) => ({ ...one, details: refusalText(one) })) }
      : null,
    share: used?.share ?? 1,
    readTokens: used?.readTokens ?? null,
    byMeaning: { ...byMeaning },
    byWords: { ...byWords },
  };
}

// Later parts are in `parts` only.
const PARTS = ['character', 'profile', 'recall', 'documents', 'providers', 'summary', 'conversation', 'message'] as const;
const LIMITED_PARTS = ['recall', 'documents', 'conversation'] as const;

function figuresOf<Part extends string>(parts: readonly Part[], figures: Readonly<Record<string, number>>): Record<Part, number> {
  return Object.fromEntries(parts.map((part) => [part, figures[part] ?? 0])) as Record<Part, number>;
}

function presentPart({ name, tokens, budget, memories }: RunPart): RunPartView {
  const shown = memories.map(({ id, memory }) => ({ id, text: textOf(memory), createdAt: memory?.at ?? null }));
  return { name, tokens, budget: budget ?? null, memories: shown };
}

function presentMemory({ id, roomId, score, similarity, foundBy, memory }: UsedMemory): RunMemoryView {
  return { id, roomId, score, similarity, foundBy: [...foundBy], ...contentOf(memory) };
}

function presentPassage({ id, number, score, similarity, foundBy, memory, passage }: UsedMemory): RunPassageView {
  return {
    ...{ id, number: number ?? null, score, similarity, foundBy: [...foundBy], text: textOf(memory) },
    documentId: passage?.documentId ?? null,
    document: passage?.document ?? null,
    place: passage?.place ?? '',
    url: passage?.url ?? null,
  };
}

function presentLeftOut({ id, score, reason, memory, passage }: UnusedMemory): RunLeftOutView {
  return { id, score, reason, ...contentOf(memory), document: passage?.document ?? null };
}

function contentOf(memory: RecallRow | undefined): Pick<RunMemoryView, 'type' | 'text' | 'authorName' | 'createdAt'> {
  return { type: memory?.type ?? null, text: textOf(memory), authorName: memory?.authorName ?? null, createdAt: memory?.at ?? null };
}

function textOf(memory: RecallRow | undefined): string | null {
  if (!memory) return null;
  return shortened(memory.text, MAX_TEXT);
}
