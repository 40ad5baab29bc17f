import { Log } from '../../core/logging/index.js';
import type { Grounding } from './chat-model.js';
import type { EmbeddingModel } from './embedding-model.js';
import { questionsAnsweredBy } from './offline-question-variants.js';
import { VectorCache } from './offline-vector-cache.js';
import { contentWords, jaccardSimilarity, WordOverlap } from './offline-words.js';
import { similarity } from './text-chunks.js';

// Detects questions by their beginning, because users omit the question mark or add text after it.
const VERB = '(?:is|are|was|were|am|do|does|did|can|could|will|would|should|has|have)';
const QUESTION = new RegExp(
  `\\?\\s*$|^\\W*(?:(?:what|which|whose|how)(?:'s|\\s+(?:(?!i\\b)\\w+\\s+)?${VERB})|(?:who|where|when|why)(?:'s|\\s+${VERB})` +
    `|${VERB}\\s+(?:i|you|he|she|it|we|they|my|your|his|her|our|their|the|there|this|that|an?))\\b`,
  'i',
);

/** Bonus for a fact that contains all content words of the question. */
const WORDS_WEIGHT = 0.2;
/** How much higher the score of two questions must be than that of a question and a fact. */
const QUESTION_MARGIN = 0.3;
/** Maximum score by shared words; vectors reach 1. */
const WORDS_ONLY_FACTOR = 0.8;

// Limits on compared characters, so that long messages do not delay other callers.
const MAX_EMBEDDED_LENGTH = 400;
const MAX_COMPARED_LENGTH = 4000;

export interface Candidate {
  /** The answer text. */
  readonly text: string;
  readonly score: number;
}

/** Each list is sorted by score, best first. */
export interface SearchResult {
  readonly examples: readonly Candidate[];
  /** Facts and memories. */
  readonly facts: readonly Candidate[];
}

/** Scores a text against the question: as a fact that may answer it, or as a question that may mean the same. */
interface Scorer {
  scoreFact(text: string): number;
  scoreQuestion(text: string): number;
}

/** Searches a character's text: by meaning, with a bonus for shared words, or by words alone. */
export class GroundingSearch {
  private readonly cache: VectorCache | undefined;
  private readonly log = new Log('models');
  private failing = false;

  constructor(embeddings: EmbeddingModel | undefined) {
    this.cache = embeddings && new VectorCache(embeddings);
  }

  /** @param options `caller` is the author of the question */
  async find(
    question: string,
    grounding: Grounding,
    options: { readonly signal: AbortSignal; readonly caller?: string },
  ): Promise<SearchResult> {
    const { facts, examples } = grounding;
    const memories = grounding.memories
      .map((text) => ({ text, compared: text.slice(0, MAX_COMPARED_LENGTH) }))
      .filter(({ compared }) => !QUESTION.test(compared));
    const variants = new Map(facts.map((fact) => [fact, questionsAnsweredBy(fact.slice(0, MAX_EMBEDDED_LENGTH))]));
    const words = contentWords(question);
    const shared = [...examples.map((example) => example.question), ...facts, ...[...variants.values()].flat()];
    const near = await this.scorer(question, words, { facts, memories: memories.map(({ compared }) => compared), shared }, options);

    const known = (text: string): number => {
      const asked = (variants.get(text) ?? []).filter((variant) => containsAll(`${variant} ${text}`, words));
      return Math.max(near.scoreFact(text), ...asked.map((variant) => near.scoreQuestion(variant) - QUESTION_MARGIN));
    };
    return {
      examples: byScore(examples.map((example) => ({ text: example.answer, score: near.scoreQuestion(example.question) }))),
      facts: byScore([
        ...facts.map((fact) => ({ text: fact, score: known(fact) })),
        ...memories.map(({ text, compared }) => ({ text: `I remember: ${text}`, score: known(compared) })),
      ]),
    };
  }

  private async scorer(
    question: string,
    words: ReadonlySet<string>,
    { facts, memories, shared }: { facts: readonly string[]; memories: readonly string[]; shared: readonly string[] },
    options: { readonly signal: AbortSignal; readonly caller?: string },
  ): Promise<Scorer> {
    const overlap = new WordOverlap([...facts, ...memories]);
    const beginnings = new Map(memories.map((memory) => [memory, memory.slice(0, MAX_EMBEDDED_LENGTH)]));
    const vectors = await this.vectors(question, { shared, own: [...beginnings.values()] }, options);
    if (vectors === undefined) {
      return {
        scoreFact: (text) => WORDS_ONLY_FACTOR * overlap.score(words, text),
        scoreQuestion: (text) => WORDS_ONLY_FACTOR * jaccardSimilarity(words, contentWords(text)),
      };
    }
    const scoreQuestion = (text: string): number => {
      const vector = vectors.texts.get(beginnings.get(text) ?? text);
      return vector === undefined ? 0 : similarity(vectors.question, vector);
    };
    return { scoreFact: (text) => scoreQuestion(text) + WORDS_WEIGHT * overlap.score(words, text), scoreQuestion };
  }

  /** Undefined without a model or when it fails; words are compared instead. */
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

function containsAll(text: string, words: ReadonlySet<string>): boolean {
  const others = contentWords(text);
  return [...words].every((word) => others.has(word));
}

function byScore(candidates: Candidate[]): Candidate[] {
  return candidates.sort((a, b) => b.score - a.score);
}
