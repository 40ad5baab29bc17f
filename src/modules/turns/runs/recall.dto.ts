import { IsString, MinLength } from 'class-validator';
import { IfPresent, IsUuidText, MaxCharacters } from '../../../core/http/index.js';
import type { RecalledMemory } from '../../memory/index.js';
import type { PromptPassage } from '../prompt/document-passages.js';
import type { Recalled } from '../prompt/recall.step.js';

const MAX_TEXT = 10_000;

/** Body of `POST /api/memory/{agentId}/recall`. */
export class RecallBody {
  /** The message for which memories are searched. */
  @IsString()
  @MinLength(1)
  @MaxCharacters(MAX_TEXT)
  text!: string;

  /**
   * The user who would send the message alone. The caller's credential has to vouch for the user. Without it, only the agent's own facts and
   * documents are searched.
   */
  @IfPresent()
  @IsUuidText()
  userId?: string;
}

/** A recalled memory. */
export class RecalledMemoryView {
  id!: string;
  roomId!: string;
  authorId!: string;
  authorName!: string | null;
  /** Type of the memory: `messages`, `facts`, … */
  type!: string;
  text!: string;
  /** Epoch ms. */
  createdAt!: number;
  /** How well the memory matches, 0 to 1. */
  score!: number;
  /** Cosine similarity of its best piece, -1 to 1; null when the semantic search did not find it. */
  similarity!: number | null;
  /** The searches that found it. */
  foundBy!: ('meaning' | 'related' | 'words' | 'recency' | 'unseen')[];
}

/** A recalled piece of a document. */
export class RecalledPassageView {
  /** Id of the piece, a memory. */
  id!: string;
  documentId!: string;
  /** Name of the document. */
  document!: string;
  /** Page and heading. */
  place!: string;
  text!: string;
  score!: number;
}

/** A memory that was found and is not in the prompt. */
export class LeftOutMemoryView {
  id!: string;
  score!: number;
  reason!: 'duplicate' | 'limit' | 'budget' | 'threshold';
}

/** Outcome of a search: what it found, or why it was skipped. */
export class SearchOutcomeView {
  /** Number of memories and pieces of documents. */
  found?: number;
  /** Reason; see the guide "Memory". */
  skipped?:
    'no_question' | 'off' | 'nothing_embedded' | 'nothing_allowed' | 'cold' | 'late' | 'failed' | 'resting' | 'cancelled' | 'language';
  /** Milliseconds since the start of the recall. */
  durationMs!: number;
}

/** What an agent would recall. */
export class RecallView {
  /** In the order of the prompt: oldest first. */
  memories!: RecalledMemoryView[];
  /** The lines of the prompt for these memories. */
  lines!: string[];
  documents!: RecalledPassageView[];
  leftOut!: LeftOutMemoryView[];
  /** The semantic search. */
  byMeaning!: SearchOutcomeView;
  /** The search by words. */
  byWords!: SearchOutcomeView;
  /** Milliseconds. */
  durationMs!: number;
}

export function presentRecall({ recall, lines, passages }: Recalled): RecallView {
  const { byMeaning, byWords, durationMs, leftOut } = recall;
  const scores = new Map(recall.documents.map(({ memoryId, score }) => [memoryId, score]));
  return {
    memories: recall.memories.map(presentMemory),
    lines: [...lines],
    documents: passages.map((passage) => presentPassage(passage, scores.get(passage.memoryId) ?? 0)),
    leftOut: leftOut.map(({ memoryId: id, score, reason }) => ({ id, score, reason })),
    ...{ byMeaning, byWords, durationMs },
  };
}

function presentMemory({ memoryId: id, at, ...memory }: RecalledMemory): RecalledMemoryView {
  const { roomId, authorId, authorName, type, text, score, similarity, foundBy } = memory;
  return { id, roomId, authorId, authorName, type, text, createdAt: at, score, similarity, foundBy: [...foundBy] };
}

function presentPassage({ memoryId: id, documentId, document, place, text }: PromptPassage, score: number): RecalledPassageView {
  return { id, documentId, document, place, text, score };
}
