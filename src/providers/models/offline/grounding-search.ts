import { Log } from '../../../core/logging/index.js';
import type { Grounding } from '../chat-model.js';
import type { EmbeddingModel, EmbedOptions } from '../embedding-model.js';
import { similarity } from '../text-chunks.js';
import { questionsAnsweredBy } from './question-variants.js';
import { VectorCache } from './vector-cache.js';
import { contentWords, jaccardSimilarity, WordOverlap } from './words.js';

/** Bonus for a fact that contains all content words of the question. */
const WORDS_WEIGHT = 0.2;
/** How much higher the score of two questions must be than that of a question and a fact. */
const QUESTION_MARGIN = 0.3;
/** Maximum score by shared words; vectors reach 1. */
const WORDS_ONLY_FACTOR = 0.8;
const MAX_VARIED_LENGTH = 400;

export interface Candidate {
  /** The answer text. */
  readonly text: string;
  readonly score: number;
}

/** An example question of the character; `text` is its answer. */
export interface ExampleCandidate extends Candidate {
  readonly question: string;
}

/** Each list is sorted by score, best first. */
export interface SearchResult {
  readonly examples: readonly ExampleCandidate[];
  readonly facts: readonly Candidate[];
}

/** Scores a text against the question: as a fact that may answer it, or as a question that may mean the same. */
interface Scorer {
  scoreFact(text: string): number;
  scoreQuestion(text: string): number;
}

type Vectors = Awaited<ReturnType<VectorCache['vectors']>>;

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
    { facts, examples }: Grounding,
    options: EmbedOptions & { readonly signal: AbortSignal },
  ): Promise<SearchResult> {
    const variants = new Map(facts.map((fact) => [fact, questionsAnsweredBy(fact.slice(0, MAX_VARIED_LENGTH))]));
    const words = contentWords(question);
    const texts = [...examples.map((example) => example.question), ...facts, ...[...variants.values()].flat()];
    const near = scorer(words, facts, await this.vectors(question, texts, options));
    const known = (fact: string): number => {
      const asked = (variants.get(fact) ?? []).filter((variant) => containsAll(`${variant} ${fact}`, words));
      return Math.max(near.scoreFact(fact), ...asked.map((variant) => near.scoreQuestion(variant) - QUESTION_MARGIN));
    };
    return {
      examples: byScore(
        examples.map(({ question: other, answer }) => ({ question: other, text: answer, score: near.scoreQuestion(other) })),
      ),
      facts: byScore(facts.map((fact) => ({ text: fact, score: known(fact) }))),
    };
  }

  /** Undefined without a model or when it fails; words are compared instead. */
  private async vectors(
    question: string,
    texts: readonly string[],
    options: EmbedOptions & { readonly signal: AbortSignal },
  ): Promise<Vectors | undefined> {
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

function scorer(words: ReadonlySet<string>, facts: readonly string[], vectors: Vectors | undefined): Scorer {
  const overlap = new WordOverlap(facts);
  if (vectors === undefined) {
    return {
      scoreFact: (text) => WORDS_ONLY_FACTOR * overlap.score(words, text),
      scoreQuestion: (text) => WORDS_ONLY_FACTOR * jaccardSimilarity(words, contentWords(text)),
    };
  }
  const scoreQuestion = (text: string): number => {
    const vector = vectors.texts.get(text);
    return vector === undefined ? 0 : similarity(vectors.question, vector);
  };
  return { scoreFact: (text) => scoreQuestion(text) + WORDS_WEIGHT * overlap.score(words, text), scoreQuestion };
}

function containsAll(text: string, words: ReadonlySet<string>): boolean {
  const others = contentWords(text);
  return [...words].every((word) => others.has(word));
}

function byScore<T extends Candidate>(candidates: T[]): T[] {
  return candidates.sort((a, b) => b.score - a.score);
}
