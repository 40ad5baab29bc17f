import { ChatModel, type ChatEvent, type ChatRequest } from './chat-model.js';
import type { EmbeddingModel } from './embedding-model.js';
import { GroundingSearch, type Candidate, type Found } from './offline-search.js';
import { NOTHING_FOUND, plain, smallTalk, withoutGreeting } from './offline-small-talk.js';
import { questionOf } from './text-pieces.js';

// Measured with the embedded encoder: two ways to ask the same are at 0.5 to 0.9, other questions below 0.5; a fact
// that answers a question is mostly above 0.4, others below. With these lines 152 questions about five characters
// gave 135 right answers, 8 "I found nothing" and 9 wrong ones; of the 53 that had no answer, 2 got one.
const SURE_EXAMPLE = 0.62;
const LIKELY_EXAMPLE = 0.5;
const KNOWN = 0.4;
/** A second fact is told with the first when it fits almost as well. */
const NEARLY = 0.05;

const WORDS_PER_DELTA = 3;
const LONGEST_QUESTION = 600;
// A memory may be a message of 100,000 characters, and a fact a whole document.
const LONGEST_QUOTED = 2000;

/**
 * Answers without a language model, and says so when it cannot: looks for the last message among the character's
 * example questions, facts and memories and gives back what stands there. The same request gets the same answer.
 */
export class OfflineResponder extends ChatModel {
  override readonly provider = 'offline';
  override readonly modelId = 'offline';
  private readonly search: GroundingSearch;

  /** @param embeddings compares by meaning; without it only shared words count */
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
    const message = questionOf(messages.findLast(({ role }) => role === 'user')?.content ?? '', LONGEST_QUESTION);
    const asked = plain(message);
    if (asked === '') return NOTHING_FOUND;
    const shown = examples.find((example) => plain(example.question) === asked);
    if (shown !== undefined) return shown.answer;

    const question = withoutGreeting(message, agentName);
    const talk = smallTalk(question);
    if (talk !== undefined) {
      const same = examples.find((example) => smallTalk(withoutGreeting(example.question, agentName)) === talk);
      if (same !== undefined) return same.answer;
      if (talk.aboutSelf !== true || examples.length === 0) return talk.answer(grounding);
    }
    // A memory of this very message, or of an answer that found nothing, would match best and say least.
    const memories = grounding.memories.filter(
      (memory) => plain(questionOf(memory, LONGEST_QUESTION)) !== asked && !memory.includes(NOTHING_FOUND),
    );
    const found = await this.search.find(question, { ...grounding, memories }, { signal, caller });
    return choose(found, talk?.answer(grounding));
  }
}

/** The beginning of a long text, to its last whole word. */
function quoted({ text }: Candidate): string {
  if (text.length <= LONGEST_QUOTED) return text;
  return `${text.slice(0, LONGEST_QUOTED).replace(/\s+\S*$/, '')} …`;
}

/** @param otherwise what is said when no example is sure; facts are not asked then */
function choose({ examples: [example], known: [best, next] }: Found, otherwise: string | undefined): string {
  if (example !== undefined && example.score >= SURE_EXAMPLE) return example.text;
  if (otherwise !== undefined) return otherwise;
  if (best !== undefined && best.score >= KNOWN) {
    const both = next !== undefined && next.score >= Math.max(KNOWN, best.score - NEARLY);
    return both ? `${quoted(best)} ${quoted(next)}` : quoted(best);
  }
  return example !== undefined && example.score >= LIKELY_EXAMPLE ? example.text : NOTHING_FOUND;
}
