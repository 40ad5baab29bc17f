import type { Grounding } from './chat-model.js';
import type { EmbeddingModel } from './embedding-model.js';
import { questionsFor } from './offline-variants.js';
import { VectorCache } from './offline-vectors.js';
import { contentWords, likeness, WordOverlap } from './offline-words.js';
import { similarity } from './text-pieces.js';

// What begins as a question does; people leave its mark out, or say more behind it.
const VERB = '(?:is|are|was|were|am|do|does|did|can|could|will|would|should|has|have)';
const QUESTION = new RegExp(
  `\\?\\s*$|^\\W*(?:(?:what|which|whose|how)(?:'s|\\s+(?:(?!i\\b)\\w+\\s+)?${VERB})|(?:who|where|when|why)(?:'s|\\s+${VERB})` +
    `|${VERB}\\s+(?:i|you|he|she|it|we|they|my|your|his|her|our|their|the|there|this|that|an?))\\b`,
  'i',
);

/** What a fact gains when it has all content words of the question. */
const WORDS_WEIGHT = 0.2;
/** By how much two questions must be nearer to each other than a question and a fact that answers it. */
const QUESTION_MARGIN = 0.3;
/** What shared words alone can reach, where vectors reach 1. */
const WORDS_ONLY = 0.8;

export interface Candidate {
  /** What would be answered. */
  readonly text: string;
  readonly score: number;
}

/** Each list has the best first. */
export interface Found {
  readonly examples: readonly Candidate[];
  /** Facts and memories. */
  readonly known: readonly Candidate[];
}

/** How near a text is to what was asked: a fact that may answer it, or a question that may mean the same. */
interface Nearness {
  toFact(text: string): number;
  toQuestion(text: string): number;
}

/** Looks for what was asked in a character's text: by meaning, with a bonus for shared words, or by words alone. */
export class GroundingSearch {
  private readonly cache: VectorCache | undefined;

  constructor(embeddings: EmbeddingModel | undefined) {
    this.cache = embeddings && new VectorCache(embeddings);
  }

  async find(question: string, grounding: Grounding, signal: AbortSignal): Promise<Found> {
    const { facts, examples } = grounding;
    const memories = grounding.memories.filter((memory) => !QUESTION.test(memory));
    const variants = new Map(facts.map((fact) => [fact, questionsFor(fact)]));
    const words = contentWords(question);
    const texts = [...examples.map((example) => example.question), ...facts, ...memories, ...[...variants.values()].flat()];
    const near = await this.nearness(question, words, [...facts, ...memories], texts, signal);

    const known = (text: string): number => {
      const asked = (variants.get(text) ?? []).filter((variant) => covers(`${variant} ${text}`, words));
      return Math.max(near.toFact(text), ...asked.map((variant) => near.toQuestion(variant) - QUESTION_MARGIN));
    };
    return {
      examples: ranked(examples.map((example) => ({ text: example.answer, score: near.toQuestion(example.question) }))),
      known: ranked([
        ...facts.map((fact) => ({ text: fact, score: known(fact) })),
        ...memories.map((memory) => ({ text: `I remember: ${memory}`, score: known(memory) })),
      ]),
    };
  }

  private async nearness(
    question: string,
    words: ReadonlySet<string>,
    facts: readonly string[],
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Nearness> {
    const overlap = new WordOverlap(facts);
    if (this.cache === undefined) {
      return {
        toFact: (text) => WORDS_ONLY * overlap.share(words, text),
        toQuestion: (text) => WORDS_ONLY * likeness(words, contentWords(text)),
      };
    }
    const vectors = await this.cache.vectors(question, texts, signal);
    const toQuestion = (text: string): number => {
      const vector = vectors.texts.get(text);
      return vector === undefined ? 0 : similarity(vectors.question, vector);
    };
    return { toFact: (text) => toQuestion(text) + WORDS_WEIGHT * overlap.share(words, text), toQuestion };
  }
}

function covers(text: string, words: ReadonlySet<string>): boolean {
  const others = contentWords(text);
  return [...words].every((word) => others.has(word));
}

function ranked(candidates: Candidate[]): Candidate[] {
  return candidates.sort((a, b) => b.score - a.score);
}
