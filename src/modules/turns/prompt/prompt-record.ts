import { cutText } from '../../../core/text/index.js';
import type { LeaveOutReason, RecalledMemory, RecallResult } from '../../memory/index.js';
import type { AskedTool } from '../tools/offer.step.js';
import type { FileRecord } from './attached-files.js';
import type { PromptPassage } from './document-passages.js';

const MAX_ACTIONS = 200;
/** Characters. */
const MAX_DETAILS = 500;

/** What a part of a prompt chose: ids of memories, or counts by name. Null when there was nothing to choose from. */
export type PartRecord = readonly string[] | Readonly<Record<string, number>> | null;

/**
 * What the prompt of a turn was made of, without the texts: those belong to the memories, and are deleted with them. Under the names of
 * parts it has their `PartRecord`s.
 */
export interface PromptRecord {
  /** Of the budgets, 0 to 1: less than 1 for a prompt that was repeated because the model could not read a whole one. */
  readonly share: number;
  /** Tokens by part, estimated. */
  readonly tokens: Readonly<Record<string, number>>;
  /** Tokens at most, by part. */
  readonly budgets: Readonly<Record<string, number>>;
  /** Files of the conversation; absent without any. */
  readonly files?: readonly FileRecord[];
  /** Tokens of the prompt that the service read, when it left out a part without saying so. */
  readonly readTokens?: number;
}

/** The record of a part; undefined when it has none. */
function partRecord(prompt: PromptRecord, part: string): PartRecord | undefined {
  return (prompt as unknown as Readonly<Record<string, PartRecord | undefined>>)[part];
}

/** A count in the record of a part. */
export function countIn(prompt: PromptRecord, part: string, name: string): number | undefined {
  const record = partRecord(prompt, part);
  return record && !isIds(record) ? record[name] : undefined;
}

/** The memories that a part chose. */
export function memoriesIn(prompt: PromptRecord, part: string): readonly string[] {
  const record = partRecord(prompt, part);
  return record && isIds(record) ? record : [];
}

function isIds(record: NonNullable<PartRecord>): record is readonly string[] {
  return Array.isArray(record);
}

/** The actions and tools that the model could call, and those that it could not. Of each at most 200. */
export interface ActionsRecord {
  readonly offered: readonly string[];
  readonly refused: readonly (NonNullable<AskedTool['refusal']> & { readonly name: string; readonly plugin: string })[];
}

/** A recall as a step of the turn keeps it. */
export interface RecallRecord extends Pick<RecallResult, 'byMeaning' | 'byWords' | 'at' | 'durationMs'> {
  /** Best first. */
  readonly memories: readonly FoundRecord[];
  readonly documents: readonly FoundRecord[];
  readonly leftOut: readonly LeftOutRecord[];
}

export interface LeftOutRecord {
  readonly id: string;
  readonly score: number;
  readonly reason: LeaveOutReason;
}

export interface FoundRecord extends Pick<RecalledMemory, 'roomId' | 'score' | 'similarity' | 'foundBy'> {
  readonly id: string;
  /** That of a piece of a document in the prompt, as in `[1]`. */
  readonly number?: number;
}

/** A result of recall for the run: ids of memories without their texts. */
export function recordRecall(recall: RecallResult, passages: readonly PromptPassage[]): RecallRecord {
  const { memories, documents, leftOut, byMeaning, byWords, at, durationMs } = recall;
  const numbers = new Map(passages.map(({ memoryId, number }) => [memoryId, number]));
  const found = ({ memoryId, roomId, score, similarity, foundBy }: RecalledMemory): FoundRecord => {
    const number = numbers.get(memoryId);
    return {
      ...{ id: memoryId, roomId, score: rounded(score), similarity: similarity === null ? null : rounded(similarity), foundBy },
      ...(number === undefined ? {} : { number }),
    };
  };
  return {
    ...{ byMeaning, byWords, at, durationMs },
    memories: memories.toSorted((a, b) => b.score - a.score).map(found),
    documents: documents.map(found),
    leftOut: leftOut.map(({ memoryId, score, reason }) => ({ id: memoryId, score: rounded(score), reason })),
  };
}

export function recordActions(asked: readonly AskedTool[]): ActionsRecord {
  return {
    offered: asked.flatMap(({ definition, refusal }) => (refusal ? [] : [definition.name])).slice(0, MAX_ACTIONS),
    refused: asked
      .flatMap(({ definition: { name }, owner, refusal }) =>
        refusal ? [{ name, plugin: owner, reason: refusal.reason, details: refusal.details && cutText(refusal.details, MAX_DETAILS) }] : [],
      )
      .slice(0, MAX_ACTIONS),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
