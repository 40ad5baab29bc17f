import { ChatModel, type ChatEvent, type ChatRequest } from './chat-model.js';
import type { EmbeddingModel } from './embedding-model.js';
import { GroundingSearch, type Candidate, type SearchResult } from './offline-search.js';
import { NOTHING_FOUND, normalizeText, findSmallTalk, withoutGreeting } from './offline-small-talk.js';
import { truncateQuestion } from './text-chunks.js';

// Measured with the embedded encoder: paraphrases of a question score 0.5 to 0.9, other questions below 0.5; a fact that answers a question
// mostly scores above 0.4, others below. With these thresholds, 152 questions about five characters gave 135 right answers, 8 "I found
// nothing" and 9 wrong ones; of 53 unanswerable questions, 2 got an answer.
const CERTAIN_EXAMPLE_SCORE = 0.62;
const LIKELY_EXAMPLE_SCORE = 0.5;
const MIN_FACT_SCORE = 0.4;
/** A second fact is added when its score is within this margin of the first. */
const SECOND_FACT_MARGIN = 0.05;

const WORDS_PER_DELTA = 3;
const MAX_QUESTION_LENGTH = 600;
// A memory may have 100,000 characters, and a fact may be a whole document.
const MAX_EXCERPT_LENGTH = 2000;

/**
 * Answers without a language model: searches the character's example questions, facts and memories for the last message and returns the
 * best match, or says that it found nothing. Deterministic.
 */
export class OfflineResponder extends ChatModel {
  override readonly provider = 'offline';
  override readonly modelId = 'offline';
  private readonly search: GroundingSearch;

  /** @param embeddings compares texts by meaning; without it, by shared words */
  constructor(embeddings: EmbeddingModel | undefined) {
    super();
    this.search = new GroundingSearch(embeddings);
  }

  override async *stream(request: ChatRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ChatEvent, void, undefined> {
    signal.throwIfAborted();
    const words = (await this.answer(request, signal)).split(/(?<=\s)(?=\S)/);
    for (let next = 0; next < words.length; next += WORDS_PER_DELTA) {
      signal.throwIfAborted();
      const text = words.slice(next, next + WORDS_PER_DELTA).join('');
      if (text !== '') yield { type: 'delta', text };
    }
    signal.throwIfAborted();
    yield { type: 'finish', reason: 'stop', usage: {} };
  }

  private async answer({ messages, grounding, caller }: ChatRequest, signal: AbortSignal): Promise<string> {
    const { agentName, examples } = grounding;
    const message = truncateQuestion(messages.findLast(({ role }) => role === 'user')?.content ?? '', MAX_QUESTION_LENGTH);
    const asked = normalizeText(message);
    if (asked === '') return NOTHING_FOUND;
    const shown = examples.find((example) => normalizeText(example.question) === asked);
    if (shown !== undefined) return shown.answer;

    const question = withoutGreeting(message, agentName);
    const talk = findSmallTalk(question);
    if (talk !== undefined) {
      const same = examples.find((example) => findSmallTalk(withoutGreeting(example.question, agentName)) === talk);
      if (same !== undefined) return same.answer;
      if (talk.aboutSelf !== true || examples.length === 0) return talk.answer(grounding);
    }
    // A memory of this message, or of an answer that found nothing, would match best but is useless.
    const memories = grounding.memories.filter(
      (memory) => normalizeText(truncateQuestion(memory, MAX_QUESTION_LENGTH)) !== asked && !memory.includes(NOTHING_FOUND),
    );
    const found = await this.search.find(question, { ...grounding, memories }, { signal, caller });
    return choose(found, talk?.answer(grounding));
  }
}

/** The beginning of a long text, up to the last complete word. */
function excerpt({ text }: Candidate): string {
  if (text.length <= MAX_EXCERPT_LENGTH) return text;
  return `${text.slice(0, MAX_EXCERPT_LENGTH).replace(/\s+\S*$/, '')} …`;
}

/** @param otherwise the answer when no example is certain; facts are then ignored */
function choose({ examples: [example], facts: [best, next] }: SearchResult, otherwise: string | undefined): string {
  if (example !== undefined && example.score >= CERTAIN_EXAMPLE_SCORE) return example.text;
  if (otherwise !== undefined) return otherwise;
  if (best !== undefined && best.score >= MIN_FACT_SCORE) {
    const both = next !== undefined && next.score >= Math.max(MIN_FACT_SCORE, best.score - SECOND_FACT_MARGIN);
    return both ? `${excerpt(best)} ${excerpt(next)}` : excerpt(best);
  }
  return example !== undefined && example.score >= LIKELY_EXAMPLE_SCORE ? example.text : NOTHING_FOUND;
}
