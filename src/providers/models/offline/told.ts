import { cutText } from '../../../core/text/index.js';
import type { GroundedMemory } from '../chat-model.js';
import { toldName } from './acknowledgements.js';
import { messageParts } from './message-parts.js';
import { asSentence, turnRound } from './persons.js';
import { NAMES, SINGULAR, TOPICS, type Topic } from './told-topics.js';
import { askedWords } from './told-words.js';
import { contentWords } from './words.js';

/** A statement of the user: a sentence of a message, or a clause of one. */
export interface Told {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

// A memory may have 100,000 characters.
const MAX_READ_LENGTH = 4000;
const MAX_STATEMENTS = 200;
const MAX_STATEMENTS_OF_ONE = 50;
const MAX_QUOTED_LENGTH = 400;
const MAX_LISTED = 12;

const CLAUSE = /(?:[,;]\s+|\s+)(?:and|but)\s+(?=(?:now )?(?:i|i'(?:m|ve|d|ll)|my|we|our)\b)|;\s+/i;
const OWN_SUBJECT =
  /^(?:(?:now|today|currently|then|yesterday|recently|soon|last \w+|in \w+|since \w+|on \w+),? )*(?:i|we|(?:i|we)'\w+|(?:my|our) (?:home|address|flat|house|job|work|age|birthday|profession|occupation|nationality|home ?town|hobby|hobbies|passion|interests?|allergy|allergies|favourite))\b/i;

const OWN_NAME =
  /\bmy (?:(?:first|last|full|own|real|actual) )?name\b(?! of)|\b(?:what|how) am i called\b|^who (?:am i|i am)\b|^how (?:should|do|will) you call me/i;
const EVERYTHING =
  /^(?:me|us|myself|about me|anything about me|who i am|what (?:do you|you|else do you|did you) (?:know|remember|learn(?:ed)?|recall)(?: about)? (?:me|us)|(?:what|everything|anything|something|that|all)(?: else)?(?: have| did| that)? (?:i|we) (?:just |already |ever )?(?:told?|tell|said|say|mention(?:ed)?)(?: to)? ?(?:you)?(?: about me| about myself| so far| before| earlier| today)?|(?:tell me |say )?(?:something |anything |what you know |everything )?about (?:me|myself))(?: (?:right now|now|so far|yet|already|at the moment|today|exactly|actually|anyway))*\s*[?.!]*$/i;
const EARLIER = /\b(?:before|previously|earlier|formerly|used to)\b/i;
const OWN = /\b(?:i|i'\w+|my|me|we|we'\w+|our)\b/i;
const LAST = /\bwhat (?:did|have) i (?:just|last) (?:say|said|tell|told)|\bmy last (?:message|sentence)\b/i;

// Words of a question that name its topic, and not what it is about.
const TOPIC_WORDS = contentWords(
  'birthday date birth born old age allergic allergy allergies intolerant from country city town nationality home hometown address place village street part live based ' +
    'moved staying food thing reside job profession occupation living employed employer career work called named name names hate dislike hobby hobbies interests free spare fun enjoy love grow grew raised',
);

/** The user's statements in messages, oldest first, at most 200; questions and requests state nothing. */
export function toldStatements(memories: readonly GroundedMemory[], agentName: string): Told[] {
  const found: Told[] = [];
  for (const { text } of memories.toReversed()) {
    if (found.length >= MAX_STATEMENTS) break;
    found.push(...statementsOf(text, agentName).toReversed());
  }
  return found.slice(0, MAX_STATEMENTS).toReversed();
}

/** The statements of one message, in order. */
export function statementsOf(message: string, agentName: string): Told[] {
  return messageParts(cutText(message, MAX_READ_LENGTH), agentName)
    .filter(({ kind, text }) => kind === 'statement' || (kind === 'wish' && text.length > 0))
    .flatMap(({ text }) => text.split(CLAUSE))
    .filter((text) => text.trim() !== '')
    .slice(0, MAX_STATEMENTS_OF_ONE)
    .map((text) => ({ text, words: contentWords(text) }));
}

/** Answers a question about the user from statements, of which the newest wins; undefined when none answers it. */
export function answerFromTold(question: string, told: readonly Told[]): string | undefined {
  if (OWN_NAME.test(question)) {
    const name = told.map(({ text }) => toldName(text)).findLast((found) => found !== undefined);
    if (name !== undefined) return `Your name is ${name}.`;
    return /^who\b/i.test(question) ? everything(told) : undefined;
  }
  if (LAST.test(question)) return told.length === 0 ? undefined : recalled(told.at(-1)!.text);
  if (EVERYTHING.test(question)) return everything(told);
  const found = findTold(question, told);
  const before = found !== undefined && EARLIER.test(question) ? findTold(question, told.slice(0, told.indexOf(found))) : undefined;
  return found === undefined ? undefined : recalled((before ?? found).text);
}

/** The statement that answers a question by its words. */
export function findTold(question: string, told: readonly Told[]): Told | undefined {
  const topic = TOPICS.find(({ asked }) => asked.test(question));
  const { key, light } = askedWords(question, topic === undefined ? undefined : TOPIC_WORDS);
  // "What do I study?" has nothing but its verb.
  const verbal = key.length === 0 && topic === undefined;
  const keys = verbal ? [...light].map((word) => new Set([word])) : key;
  if (keys.length === 0 && topic === undefined) return undefined;
  const needed = keys.length > 2 ? keys.length - 1 : keys.length;
  let best: { told: Told; score: number } | undefined;
  for (const each of told) {
    const matched = keys.filter((words) => [...words].some((word) => each.words.has(word))).length;
    if (matched < needed || !answersTopic(topic, each.text, keys.length > 0) || (verbal && !OWN_SUBJECT.test(each.text))) continue;
    const lesser = topic?.lesser?.test(each.text) === true;
    const score = 10 * matched + [...light].filter((word) => each.words.has(word)).length - (lesser ? 5 : 0);
    // At the same score the newer statement wins.
    if (best === undefined || score >= best.score) best = { told: each, score };
  }
  return best?.told;
}

function answersTopic(topic: Topic | undefined, text: string, aboutOthers: boolean): boolean {
  return topic === undefined || (topic.told.test(text) && (aboutOthers || (topic !== NAMES && OWN_SUBJECT.test(text))));
}

/** The statement in the second person; a quotation where that is not safe. */
export function recalled(statement: string): string {
  return turnRound(statement) ?? `You told me: "${excerpt(statement)}"`;
}

/** What the user has told of themselves: the name first, then the newest statements, without those that a newer one replaces. */
function everything(told: readonly Told[]): string | undefined {
  const name = told.map(({ text }) => toldName(text)).findLast((found) => found !== undefined);
  const own = told.filter(({ text }) => OWN.test(text) && toldName(text) === undefined);
  const current = own.filter(({ text }, index) => {
    const topic = SINGULAR.find(({ told: tells }) => tells.test(text) && OWN_SUBJECT.test(text));
    return topic === undefined || !own.slice(index + 1).some((later) => topic.told.test(later.text) && OWN_SUBJECT.test(later.text));
  });
  const listed = current.slice(-MAX_LISTED).map(({ text }) => recalled(text));
  const all = name === undefined ? listed : [`Your name is ${name}.`, ...listed];
  return all.length === 0 ? undefined : all.join(' ');
}

function excerpt(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_QUOTED_LENGTH) return asSentence(trimmed);
  return `${cutText(trimmed, MAX_QUOTED_LENGTH).replace(/\s+\S*$/, '')} …`;
}
