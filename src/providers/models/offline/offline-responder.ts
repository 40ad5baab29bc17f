import { ChatModel, type ChatEvent, type ChatRequest, type Grounding } from '../chat-model.js';
import type { EmbeddingModel } from '../embedding-model.js';
import { truncateQuestion } from '../text-chunks.js';
import { acknowledge } from './acknowledgements.js';
import { answerInForeignLanguage, foreignLanguage } from './languages.js';
import { messageParts, type MessagePart } from './message-parts.js';
import { isProblem } from './parley-questions.js';
import { QuestionAnswers, type Known } from './question-answers.js';
import { NOTHING_FOUND, normalizeText, type SmallTalk } from './small-talk.js';
import { statementsOf, toldStatements } from './told.js';

const WORDS_PER_DELTA = 3;
const MAX_QUESTION_LENGTH = 600;
/** Questions of one message that are answered. */
const MAX_QUESTIONS = 3;

/**
 * Answers without a language model: recognizes what kind of sentence each part of the last message is, acknowledges statements, and answers
 * questions (`QuestionAnswers`). Deterministic.
 */
export class OfflineResponder extends ChatModel {
  override readonly provider = 'offline';
  override readonly modelId = 'offline';
  private readonly questions: QuestionAnswers;

  /** @param embeddings compares texts by meaning; without it, by shared words */
  constructor(embeddings: EmbeddingModel | undefined) {
    super();
    this.questions = new QuestionAnswers(embeddings);
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
    const message = truncateQuestion(messages.findLast(({ role }) => role === 'user')?.content ?? '', MAX_QUESTION_LENGTH);
    const asked = normalizeText(message);
    if (asked === '') return NOTHING_FOUND;
    const shown = grounding.examples.find((example) => normalizeText(example.question) === asked);
    if (shown !== undefined) return shown.answer;
    const foreign = await answerInForeignLanguage(message);
    if (foreign !== undefined && !(await speaks(grounding, foreign.language))) return foreign.answer;

    const parts = partsToAnswer(message, grounding);
    if (parts.length === 0) return NOTHING_FOUND;
    const { agentName } = grounding;
    const told = [...toldStatements(grounding.memories, agentName), ...(parts.length > 1 ? statementsOf(message, agentName) : [])];
    return this.answerParts(parts, { grounding, told, options: { signal, caller } });
  }

  private async answerParts(parts: readonly MessagePart[], known: Known): Promise<string> {
    const answers = new Set<string>();
    const statements: string[] = [];
    let questions = 0;
    for (const [index, part] of parts.entries()) {
      if (part.kind === 'statement') {
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
    if (answers.delete(NOTHING_FOUND)) answers.add(NOTHING_FOUND);
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

/** The parts of a message without those that need no answer beside the others, such as "ok". */
function partsToAnswer(message: string, { agentName, facts }: Grounding): MessagePart[] {
  const parts = messageParts(message, agentName).map((part) =>
    part.kind === 'statement' && isProblem(part.text, facts) ? { ...part, kind: 'wish' as const } : part,
  );
  const told = parts.some(({ kind }) => kind === 'statement');
  const needed = parts.filter(({ talk }) => talk?.kind !== 'filler' && (talk?.kind !== 'greeting' || told));
  return needed.length === 0 ? parts.slice(0, 1) : needed;
}

/** Whether the character's texts are in this language, so that it can be asked in it. */
async function speaks({ facts }: Grounding, language: string): Promise<boolean> {
  return (await foreignLanguage(facts.slice(0, 5).join(' '))) === language;
}

function talkOf(question: string, { agentName }: Grounding): SmallTalk | undefined {
  const parts = messageParts(question, agentName);
  return parts.length === 1 ? parts[0]!.talk : undefined;
}
