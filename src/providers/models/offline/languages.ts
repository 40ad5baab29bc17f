import { cutText } from '../../../core/text/index.js';
import type { DetectedLanguage } from '../language-detector.js';
import { LANGUAGES } from './language-table.js';

/** Words that only English has, as far as chats go. */
const ENGLISH = new Set(
  (
    'the and is are was were you your my what where when who why how do does did can could will would should have has had this that these those ' +
    'it its he she they them his her our their i im ive with from for to of in on at by not yes please thanks thank hello hi hey good bye morning ' +
    'about like love want need know tell say said make get got go going been live lives work works name called new old one two there here all any some ' +
    "i'm i've i'll i'd don't doesn't can't it's that's what's you're but or if than then very much many more also just now today which while because"
  ).split(' '),
);
/** English words that other languages have too. */
const SHARED = new Set(
  'no me so die a an i in do on of as he we to was am has had die the be is her his hat all one or but much an at by'.split(' '),
);

const COMMON_WORDS = Object.entries(LANGUAGES).map(
  ([code, { common }]) => [code, new Set(common.split(' ').filter((word) => !SHARED.has(word) && !ENGLISH.has(word)))] as const,
);

const CODE = /[{}<>=;\\|_]|\/\w+\/|https?:|\w\.\w+\(/;
/** How certain the detector is: 1 when only one language fits. */
const CERTAIN = 0.9;
/** From this share of English words on, a text is English. */
const MAX_ENGLISH = 0.33;
const MIN_LETTERS = 6;
const MAX_DETECTED_LENGTH = 300;

type Detect = (text: string, languages: readonly string[]) => Promise<DetectedLanguage | undefined>;

/**
 * Tells in the user's language that the responder speaks English only.
 *
 * @returns undefined for English, for what is not a sentence, and when the language is uncertain
 */
export async function answerInForeignLanguage(
  message: string,
  detect: Detect | undefined,
): Promise<{ language: string; answer: string } | undefined> {
  const language = await foreignLanguage(cutText(message, MAX_DETECTED_LENGTH), detect);
  const answer = language === undefined ? undefined : LANGUAGES[language]?.answer;
  return language === undefined || answer === undefined ? undefined : { language, answer };
}

/**
 * The ISO 639-1 code of a language other than English; undefined when it is English or uncertain.
 *
 * @param detect tells the language by letters; without it, greetings and common words do
 */
export async function foreignLanguage(message: string, detect: Detect | undefined): Promise<string | undefined> {
  const latin = /\p{Script=Latin}/u.test(message);
  const words = foreignWords(message);
  if (words.length === 0 || (latin && CODE.test(message))) return undefined;
  const greeting = words.length <= 3 ? byGreeting(words.join(' ')) : undefined;
  if (greeting !== undefined) return greeting;
  const english = englishPoints(words);
  if (latin && (english / words.length >= MAX_ENGLISH || isShort(words) || isName(message))) return undefined;

  const best = await detect?.(message, ['en', ...Object.keys(LANGUAGES)]);
  const known = byWords(words);
  // The detector is certain of many short texts of plain letters that are no language, such as "abc def" or "log as json to loki".
  const plain = known === undefined && words.length < (english > 0 ? 6 : 4) && /^[\x20-\x7e]*$/.test(message);
  if (best !== undefined && best.lang !== 'en' && (!latin || (best.accuracy >= CERTAIN && !plain))) return best.lang;
  return known !== undefined && known.count > english ? known.code : undefined;
}

/** Words in lower case; "j'habite" becomes "habite". */
function foreignWords(message: string): string[] {
  const words =
    message
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}']+/gu) ?? [];
  return words.map((word) => word.replace(/^(?:[cdjlmnst]|qu)'(?=\p{L}{4})/u, ''));
}

function isShort(words: readonly string[]): boolean {
  return words.length < 2 || words.join('').length < MIN_LETTERS;
}

/** "Ana Silva Costa" is no sentence of any language. */
function isName(message: string): boolean {
  return /^(?:\p{Lu}[\p{L}'’-]*[\s.!]*){1,3}$/u.test(message.trim());
}

function englishPoints(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (SHARED.has(word) ? 0.5 : ENGLISH.has(word) || /[a-z]{3}(?:ing|ed|ly)$/.test(word) ? 1 : 0), 0);
}

function byGreeting(text: string): string | undefined {
  return Object.entries(LANGUAGES).find(([, { greetings }]) => greetings.split(', ').includes(text))?.[0];
}

/** The language with the most of its common words in the text, when at least a third of the words are. */
function byWords(words: readonly string[]): { code: string; count: number } | undefined {
  const counts = COMMON_WORDS.map(([code, common]) => ({ code, count: words.filter((word) => common.has(word)).length }));
  const [best, next] = counts.sort((a, b) => b.count - a.count);
  if (best === undefined || best.count * 3 < words.length || best.count === 0 || best.count === next?.count) return undefined;
  return best;
}
