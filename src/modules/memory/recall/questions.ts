import { cutText, KnownTexts } from '../../../core/text/index.js';
import { sentencesOf } from '../vectors/text-pieces.js';
import { does } from './speech-patterns.js';

// Statements are told from questions by their beginning too, because users omit the question mark.
const AUXILIARY = '(?:is|are|was|were|am|do|does|did|have|has|had|can|could|will|would|should|may|might)';
const OPENING = String.raw`^\W*(?:(?:and|but|so|or|well|ok|okay|hey|hi|hello|please|sorry|also)\b\W*)*`;
const ASKS = new RegExp(
  `${OPENING}(?:(?:what|which|whose|how|who|where|when|why)(?:'s|\\s+(?:(?!i\\b|my\\b|we\\b)\\w+\\s+){0,2}${AUXILIARY})\\b` +
    `|${AUXILIARY}\\s+(?:i|my|you|your|he|she|it|we|they|his|her|our|their|the|there|this|that|any|an?)\\b)`,
  'i',
);
const REQUESTS = new RegExp(`${OPENING}(?:can|could|will|would)\\s+(?:you|we)\\b`, 'i');
const STATES = /(?:^|[,;:.!]\s*)(?:i|i'm|i've|my|we|we're|our)\s+\w+/i;
const ORDERS = new RegExp(
  `${OPENING}(?:give|tell|explain|describe|write|draft|make|list|compare|find|suggest|translate|summari[sz]e|help|show|turn|define|name|` +
    `calculate|recommend|create|generate|imagine|think|rewrite|correct|check|convert|count|sort|compose|outline|invent|complete|continue|` +
    `repeat|spell|remind|let|propose|look|search|play|stop|start|forget|use|add|remove|change|put|try|choose|pick|solve|plan)\\s`,
  'i',
);
const PLEASE = new RegExp(String.raw`^\W*please\s|,\s*please[.!]*$`, 'i');
const FIRST_PERSON = /\b(?:i|i'm|i've|i'd|i'll|me|my|mine|we|we're|we've|us|our|ours)\b/i;
// See `informationOf`.
const PLEASANTRY = 0.1;
/** A sentence that tells something has more `informationOf`. */
export const TELLS_LEAST = 0.2;
/** The information of a sentence in the first person. */
export const OF_THE_AUTHOR = 1;
const QUESTION = TELLS_LEAST;
const STATEMENT = 0.7;
const PLEASANTRIES = new RegExp(
  `^(?:hi|hello|hey|good (?:morning|afternoon|evening|night|day)|thanks?|thank you|ok|okay|yes|no|sure|great|fine|cool|nice|bye|goodbye|` +
    `see you|welcome|sorry)(?:[,\\s]+[\\w']+){0,2}[.!…]*$`,
  'i',
);
const MARK = /[?？؟;]\s*["')\]]*\s*$/u;
/** Words that refer to what was said before. */
const REFERS = /\b(?:he|him|his|she|her|hers|it|its|they|them|their|there|that|this|those|these|one|ones|same|then)\b/i;
const CONTINUES = /^\W*(?:and|but|or|so|what about|how about|why|really|which one|who else|what else)\b/i;
const MAX_SCANNED = 4000;
const UNSPACED_LETTERS =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/gu;
/** Letters of a script whose words are not separated, and words, with which a sentence hardly tells anything. */
const MAX_SHORT = 3;
const MAX_SHORT_WORDS = 2;
/** A message that is no longer is hardly understood by itself: "And the dog?" */
const MAX_REFERRING = 5;
const MAX_REFERRING_WORDS = 3;
// A conversation finds the same memories again and again.
const known = new KnownTexts<number>(1_000_000);

/** Whether a sentence only asks: it states nothing, and asks for nothing to be done. */
export function isPlainQuestion(sentence: string): boolean {
  return ASKS.test(sentence) && !REQUESTS.test(sentence) && !STATES.test(sentence.replace(ASKS, ''));
}

/**
 * How much a message tells of its author, 0 to 1: statements in the first person most, questions, orders to the agent and greetings least.
 * Its best sentence counts.
 */
export function informationOf(text: string): number {
  return known.of(cutText(text, MAX_SCANNED), (scanned) => Math.max(PLEASANTRY, ...sentencesOf(scanned).map(informationOfSentence)));
}

/** As `informationOf`, for one sentence. */
export function informationOfSentence(sentence: string): number {
  if (PLEASANTRIES.test(sentence) || does('greets', sentence)) return PLEASANTRY;
  if (asks(sentence) || isShort(sentence)) return QUESTION;
  return FIRST_PERSON.test(sentence) || does('ofSelf', sentence) ? OF_THE_AUTHOR : STATEMENT;
}

/** Whether a message tells anything, rather than only asking. */
export function tells(text: string): boolean {
  return informationOf(text) > QUESTION;
}

function asks(sentence: string): boolean {
  return (
    MARK.test(sentence) ||
    isPlainQuestion(sentence) ||
    ORDERS.test(sentence) ||
    PLEASE.test(sentence) ||
    does('asks', sentence) ||
    does('orders', sentence)
  );
}

function isShort(sentence: string): boolean {
  const unspaced = sentence.match(UNSPACED_LETTERS)?.length ?? 0;
  return unspaced > 0 ? unspaced <= MAX_SHORT && !does('ofSelf', sentence) : sentence.split(/\s+/).length <= MAX_SHORT_WORDS;
}

/** Whether a message can be understood only with what was said before it: "And where does she live?" */
export function refersBack(text: string): boolean {
  if (CONTINUES.test(text) || REFERS.test(text) || does('refers', text)) return true;
  const unspaced = text.match(UNSPACED_LETTERS)?.length ?? 0;
  return unspaced > 0 ? unspaced <= MAX_REFERRING : text.trim().split(/\s+/).length <= MAX_REFERRING_WORDS;
}
