import { Log } from '../../core/logging/index.js';
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

// So many characters of what people have said are compared: they may have said far more, and others wait for their answers meanwhile.
const COMPARED_BY_MEANING = 400;
const COMPARED_BY_WORDS = 4000;

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
  private readonly log = new Log('models');
  private failing = false;

  constructor(embeddings: EmbeddingModel | undefined) {
    this.cache = embeddings && new VectorCache(embeddings);
  }

  /** @param options `caller` is whose question it is */
  async find(question: string, grounding: Grounding, options: { readonly signal: AbortSignal; readonly caller?: string }): Promise<Found> {
    const { facts, examples } = grounding;
    const memories = grounding.memories
      .map((text) => ({ text, compared: text.slice(0, COMPARED_BY_WORDS) }))
      .filter(({ compared }) => !QUESTION.test(compared));
    const variants = new Map(facts.map((fact) => [fact, questionsFor(fact.slice(0, COMPARED_BY_MEANING))]));
    const words = contentWords(question);
    const shared = [...examples.map((example) => example.question), ...facts, ...[...variants.values()].flat()];
    const near = await this.nearness(question, words, { facts, memories: memories.map(({ compared }) => compared), shared }, options);

    const known = (text: string): number => {
      const asked = (variants.get(text) ?? []).filter((variant) => covers(`${variant} ${text}`, words));
      return Math.max(near.toFact(text), ...asked.map((variant) => near.toQuestion(variant) - QUESTION_MARGIN));
    };
    return {
      examples: ranked(examples.map((example) => ({ text: example.answer, score: near.toQuestion(example.question) }))),
      known: ranked([
        ...facts.map((fact) => ({ text: fact, score: known(fact) })),
        ...memories.map(({ text, compared }) => ({ text: `I remember: ${text}`, score: known(compared) })),
      ]),
    };
  }

  private async nearness(
    question: string,
    words: ReadonlySet<string>,
    { facts, memories, shared }: { facts: readonly string[]; memories: readonly string[]; shared: readonly string[] },
    options: { readonly signal: AbortSignal; readonly caller?: string },
  ): Promise<Nearness> {
    const overlap = new WordOverlap([...facts, ...memories]);
    const beginnings = new Map(memories.map((memory) => [memory, memory.slice(0, COMPARED_BY_MEANING)]));
    const vectors = await this.vectors(question, { shared, own: [...beginnings.values()] }, options);
    if (vectors === undefined) {
      return {
        toFact: (text) => WORDS_ONLY * overlap.share(words, text),
        toQuestion: (text) => WORDS_ONLY * likeness(words, contentWords(text)),
      };
    }
    const toQuestion = (text: string): number => {
      const vector = vectors.texts.get(beginnings.get(text) ?? text);
      return vector === undefined ? 0 : similarity(vectors.question, vector);
    };
    return { toFact: (text) => toQuestion(text) + WORDS_WEIGHT * overlap.share(words, text), toQuestion };
  }

  /** Undefined when there is no model, or it fails: words have to do then. */
  private async vectors(
    question: string,
    texts: { readonly shared: readonly string[]; readonly own: readonly string[] },
    options: { readonly signal: AbortSignal; readonly caller?: string },
  ): Promise<Awaited<ReturnType<VectorCache['vectors']>> | undefined> {
    try {
      const vectors = await this.cache?.vectors(question, texts, options);
      this.failing = false;
      return vectors;
    } catch (error) {
      if (options.signal.aborted) throw error;
      if (!this.failing) this.log.warn('texts could not be embedded; the offline responder compares words', { error: String(error) });
      this.failing = true;
      return undefined;
    }
  }
}

function covers(text: string, words: ReadonlySet<string>): boolean {
  const others = contentWords(text);
  return [...words].every((word) => others.has(word));
}

function ranked(candidates: Candidate[]): Candidate[] {
  return candidates.sort((a, b) => b.score - a.score);
}
