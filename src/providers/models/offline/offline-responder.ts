import { cutText } from '../../../core/text/index.js';
import { ChatModel, type ChatEvent, type ChatRequest, type Grounding } from '../chat-model.js';
import type { EmbeddingModel } from '../embedding-model.js';
import type { LanguageDetector } from '../language-detector.js';
import { truncateQuestion } from '../text-chunks.js';
import { acknowledge, toldName } from './acknowledgements.js';
import { answerInForeignLanguage, foreignLanguage } from './languages.js';
import { Sameness } from './guides.js';
import { messageParts, type MessagePart } from './message-parts.js';
import { isAboutParley, isGuide, isProblem } from './parley-questions.js';
import { QuestionAnswers, type Known } from './question-answers.js';
import { nothingFound, normalizeText, type SmallTalk } from './small-talk.js';
import { statementsOf, toldStatements } from './told.js';
import { contentWords } from './words.js';

const WORDS_PER_DELTA = 3;
const MAX_QUESTION_LENGTH = 600;
/** Facts that show the language of a character. */
const FACTS_READ = 5;
/** A statement about the user more than about the server. */
const OF_ONESELF = /^(?:i|i'\w+|my|we|we'\w+|our)\b/i;
/** Questions of one message that are answered. */
const MAX_QUESTIONS = 3;

/**
 * Answers without a language model: recognizes what kind of sentence each part of the last message is, acknowledges statements, and answers
 * questions (`QuestionAnswers`). Deterministic.
 */
export class OfflineResponder extends ChatModel {
  override readonly provider = 'offline';
  override readonly modelId = 'offline';
  override readonly supportsFormats = false;
  private readonly questions: QuestionAnswers;

  /**
   * @param embeddings compares texts by meaning; without it, by shared words
   * @param languages tells the languages of messages; without it, greetings and common words do
   */
  constructor(
    embeddings: EmbeddingModel | undefined,
    private readonly languages?: LanguageDetector,
  ) {
    super();
    this.questions = new QuestionAnswers(embeddings);
  }

  protected override async *respond(request: ChatRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ChatEvent, void, undefined> {
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
    const message = truncateQuestion(messages.findLast(({ role }) => role === 'user')?.content ?? '', MAX_QUESTION_LENGTH);
    const asked = normalizeText(message);
    if (asked === '') return nothingFound(grounding);
    const shown = grounding.examples.find((example) => normalizeText(example.question) === asked);
    if (shown !== undefined) return shown.answer;
    const known: Known = { grounding, told: [], before: questionBefore(messages), options: { signal, caller } };
    const sameWords = await this.questions.askedBefore(message, known, Sameness.InTheseWords);
    if (sameWords !== undefined) return sameWords;
    const { languages } = this;
    const detect = languages && ((text: string, among: readonly string[]) => languages.detect(text, among, signal));
    const foreign = await answerInForeignLanguage(message, detect);
    const own = foreign && (await foreignLanguage(cutText(grounding.facts.slice(0, FACTS_READ).join(' '), MAX_QUESTION_LENGTH), detect));
    // A character whose texts are in this language can be asked in it.
    if (foreign !== undefined && own !== foreign.language) return foreign.answer;

    const parts = partsToAnswer(message, grounding);
    if (parts.length === 0) return nothingFound(grounding);
    if (asksAfterTelling(parts)) {
      const whole = await this.questions.askedAsWhole(message, parts, known);
      if (whole !== undefined) return whole;
    }
    const { agentName } = grounding;
    const told = [...toldStatements(grounding.memories, agentName), ...(parts.length > 1 ? statementsOf(message, agentName) : [])];
    return this.answerParts(parts, { ...known, told });
  }

  private async answerParts(parts: readonly MessagePart[], known: Known): Promise<string> {
    const answers = new Set<string>();
    const statements: string[] = [];
    let questions = 0;
    const asking = isGuide(known.grounding) && asksAfterTelling(parts);
    for (const [index, part] of parts.entries()) {
      const asked =
        part.kind === 'statement'
          ? await this.questions.askedBefore(part.text, known, asking || OF_ONESELF.test(part.text) ? Sameness.InTheseWords : Sameness.Sure)
          : undefined;
      if (asked !== undefined) {
        answers.add(asked);
      } else if (part.kind === 'statement') {
        // A statement before a question is its reason, and needs no answer of its own.
        if (asking && toldName(part.text) === undefined) continue;
        statements.push(part.text);
        // Statements that follow each other have one answer.
        if (parts[index + 1]?.kind !== 'statement') answers.add(acknowledge(statements.splice(0)));
      } else if (part.talk !== undefined) {
        answers.add(await this.smallTalk(part.text, part.talk, known, parts.length === 1));
      } else if ((questions += 1) <= MAX_QUESTIONS) {
        answers.add(await this.questions.answer(part, known));
      }
    }
    if (questions > MAX_QUESTIONS) answers.add('Please ask the rest one by one.');
    // One part without an answer is enough to say so, at the end.
    const none = nothingFound(known.grounding);
    if (answers.delete(none)) answers.add(none);
    return [...answers].join(' ');
  }

  /** @param alone whether nothing else of the message is answered */
  private async smallTalk(text: string, talk: SmallTalk, known: Known, alone: boolean): Promise<string> {
    const { grounding } = known;
    if (!alone && talk.brief !== undefined) return talk.brief;
    const same = grounding.examples.find(({ question }) => talkOf(question, grounding) === talk);
    if (same !== undefined) return same.answer;
    const example = talk.kind === 'self' && grounding.examples.length > 0 ? await this.questions.certainExample(text, known) : undefined;
    return example ?? talk.answer(grounding);
  }
}

/** The user's message before the last one. */
function questionBefore(messages: ChatRequest['messages']): string | undefined {
  const asked = messages.filter(({ role }) => role === 'user');
  const question = asked.at(-2)?.content;
  return question === undefined ? undefined : cutText(question, MAX_QUESTION_LENGTH);
}

/** The parts of a message without those that need no answer beside the others, such as "ok". */
function partsToAnswer(message: string, grounding: Grounding): MessagePart[] {
  const read = messageParts(message, grounding.agentName);
  const parts = isGuide(grounding) ? withReports(withReferents(read)) : read;
  const told = parts.some(({ kind }) => kind === 'statement');
  const needed = parts.filter(({ talk }) => talk?.kind !== 'filler' && (talk?.kind !== 'greeting' || told));
  return needed.length === 0 ? parts.slice(0, 1) : needed;
}

/** Reports are asked about: those of faults always, others when nothing else is asked: "It is running. Where is the console?". */
function withReports(parts: readonly MessagePart[]): MessagePart[] {
  const asks = parts.some(({ kind }) => kind === 'question');
  const isAsked = (part: MessagePart): boolean => isReport(part) && (!asks || isProblem(part.text));
  return parts.map((part) => (isAsked(part) ? { ...part, kind: 'wish' } : part));
}

/** Whether a message tells what its question is about: "I have Ollama running. How do I use it?". */
function asksAfterTelling(parts: readonly MessagePart[]): boolean {
  return (
    parts.length > 1 && parts.some(({ kind }) => kind === 'question') && parts.some(({ kind }) => kind !== 'question' && kind !== 'talk')
  );
}

/** Questions about what was said before them. */
const REFERS = new RegExp(
  `^(?:so |and |but |ok |please )*(?:${[
    String.raw`what(?:'s| is| could be| might be| went)? wrong(?: (?:with|about) (?:it|that|this))?`,
    String.raw`what (?:do|can|should|must) (?:i|we) do(?: now| about (?:it|that|this))?`,
    String.raw`what now|how come|any (?:ideas?|help|advice)|why(?: is (?:it|that|this))?`,
    String.raw`how (?:do|can|should|would) (?:i|we) (?:fix|solve|change|stop|prevent|avoid|repair) (?:it|that|this)`,
    String.raw`what does (?:it|that|this) mean|is (?:it|that|this) (?:normal|ok|okay|a bug)`,
  ].join('|')})[\\s?.!]*$`,
  'i',
);

/** A question without words of its own goes with what was said before it: "The upload failed. Why?". */
function withReferents(parts: readonly MessagePart[]): MessagePart[] {
  const joined: MessagePart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const refers =
      part.kind === 'question' &&
      (contentWords(part.text).size === 0 || REFERS.test(part.text)) &&
      before !== undefined &&
      before.kind !== 'talk';
    if (refers) joined.splice(-1, 1, { kind: 'question', text: `${before.text} ${part.text}` });
    else joined.push(part);
  }
  return joined;
}

/** Whether a statement reports a fault, or says something about the server rather than about the user. */
function isReport({ kind, text }: MessagePart): boolean {
  return (
    kind === 'statement' &&
    (isProblem(text) || /^(?:it|there)\b/i.test(text) || (/^(?:this|that|the)\b/i.test(text) && isAboutParley(text)))
  );
}

function talkOf(question: string, { agentName }: Grounding): SmallTalk | undefined {
  const parts = messageParts(question, agentName);
  return parts.length === 1 ? parts[0]!.talk : undefined;
}
