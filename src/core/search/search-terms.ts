import { cutText, KnownTexts } from '../text/index.js';
import { foldKana } from './folded-text.js';
import { asToken, runsOf, tokensOf, withoutArticle, type Run } from './indexed-words.js';
import { formsOf, isUnspacedStopWord, mayBeEnglish as mayBeEnglishWords, type WordForms } from './languages.js';

/** Consecutive tokens of the index (see `indexedWords`): letters and digits of folded words. */
export interface Sequence {
  readonly tokens: readonly string[];
  /** Whether the last token is the beginning of a word. */
  readonly isPrefix: boolean;
}

/** A word that a search looks for: it matches any of the sequences. */
export interface SearchTerm {
  /** As in a folded text. */
  readonly text: string;
  /** Whether its script does not separate words, so that it may stand within a longer run of letters. */
  readonly isUnspaced: boolean;
  readonly sequences: readonly Sequence[];
}

/** What a search looks for in a text. */
export interface Wanted extends SearchTerm {
  readonly isStopWord: boolean;
  /** Letters; a Chinese character and its like count three, since it says as much. */
  readonly length: number;
}

// A shorter beginning has too many continuations; these endings make up for it.
const MIN_PREFIX = 4;
const MIN_PREFIX_OF_OTHERS = 3;
/** Of one letter of a script whose words are not separated, in letters of others. */
const UNSPACED_LENGTH = 3;
const ENDINGS = ['', 's', 'es', 'en'];
/** Of a word in a language without a stemmer, the share that its forms have in common. */
const COMMON_SHARE = 0.7;
// For those who write without them: "Muehle".
const UMLAUT = /([aou])e/;
const ALL_UMLAUTS = new RegExp(UMLAUT, 'g');
const LETTER = /\p{L}/u;
const LATIN = /\p{Script=Latin}/u;
const HAS_DIGIT = /\p{N}/u;
const SINGLE_KANA = /^\p{Script=Hiragana}ー?$/u;
const HANGUL = /^\p{Script=Hangul}+$/u;
// Particles and endings that Korean writes together with a word, longest first. Some of them often end a word of two syllables.
const PARTICLES =
  /(?:에서는|에게서|으로는|이라는|입니다|이에요|예요|에서|에게|한테|부터|까지|으로|이랑|하고|처럼|보다|은|는|을|를|에|의|로|와|과|도|(?<=..)(?:이나|라는|이|가|만|랑|야))$/u;
const VERB_ENDINGS =
  /(?<=..)(?:하|했|해|한|할|합|되|됐|돼)?(?:었|았|였|겠)?(?:습니다|습니까|니다|어요|아요|여요|세요|네요|나요|까요|지요|죠|는지|는데|은데|다고|다|요|고|서|며|면|니|지|는|은|던|어|아|기|게|자)?$/u;
// Endings that Japanese writes in hiragana after the stem of a verb or adjective.
const OKURIGANA = /^(\p{Script=Han}+)\p{Script=Hiragana}+$/u;
// A conversation finds the same texts again and again.
const indexed = new KnownTexts<string>(500_000);
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The words of a text in its order, each in the forms that a reader takes for the same word.
 *
 * @param maxPrefix letters of the beginning that must be equal, when the forms share more
 */
export function wordsWanted(text: string, maxPrefix = Number.POSITIVE_INFINITY): Wanted[] {
  const runs = runsOf(text);
  const forms = formsOf(runs.filter(({ isUnspaced }) => !isUnspaced).map((run) => run.text));
  const words = runs.flatMap((run) => (run.isUnspaced ? unspacedWords(run) : [spacedWord(run.text, forms, maxPrefix)]));
  // Scripts without spaces have no other sign of a language: a frequent word of Japanese is a word of Chinese.
  return words.every(({ isStopWord, isUnspaced }) => isStopWord && isUnspaced)
    ? words.map((word) => ({ ...word, isStopWord: false }))
    : words;
}

/** A phrase: its words in the same forms and the same order, without other words between them. */
export function phraseWanted(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let spaced: string[] = [];
  const end = (): void => {
    if (spaced.length > 0) {
      terms.push({
        text: spaced.join(' '),
        isUnspaced: false,
        sequences: [{ tokens: spaced.map((word) => asToken(withoutArticle(word))), isPrefix: false }],
      });
    }
    spaced = [];
  };
  for (const run of runsOf(text)) {
    if (!run.isUnspaced) {
      spaced.push(run.text);
      continue;
    }
    end();
    terms.push({ text: foldKana(run.text), isUnspaced: true, sequences: [within(run.text)] });
  }
  end();
  return terms;
}

/** The index stores the last letter of a run too, so letters within a run are found as pairs, and a single one as a beginning of pairs. */
function within(text: string): Sequence {
  const run: Run = { text, isUnspaced: true };
  const tokens = tokensOf(run);
  return tokens.length === 1 ? { tokens, isPrefix: true } : { tokens: tokens.slice(0, -1), isPrefix: false };
}

function unspacedWords(run: Run): Wanted[] {
  const words = [...segmenter.segment(run.text)].map(({ segment }) => segment);
  return words.map((word) => {
    const stem = HANGUL.test(word) ? koreanStem(word) : word.replace(OKURIGANA, '$1');
    const isStopWord = SINGLE_KANA.test(word) || [word, stem].some((each) => isUnspacedStopWord(foldKana(each)));
    return { text: foldKana(stem), isUnspaced: true, sequences: [within(stem)], isStopWord, length: stem.length * UNSPACED_LENGTH };
  });
}

function koreanStem(word: string): string {
  const noun = word.replace(PARTICLES, '');
  return noun === '' ? word : noun.replace(VERB_ENDINGS, '');
}

function spacedWord(written: string, forms: WordForms, maxPrefix: number): Wanted {
  const word = withoutArticle(written);
  const found = { text: word, isUnspaced: false, isStopWord: forms.isStopWord(written), length: word.length };
  const exact = (token: string): Sequence => ({ tokens: [asToken(token)], isPrefix: false });
  if (HAS_DIGIT.test(word)) return { ...found, sequences: [exact(word)] };
  const stems = forms.stemsOf(word);
  const shared = stems.filter((stem) => word.startsWith(stem));
  const stem = shared.reduce((least, each) => (each.length < least.length ? each : least), stems.length > 0 ? word : commonPart(word));
  const least = LATIN.test(word) ? MIN_PREFIX : MIN_PREFIX_OF_OTHERS;
  const beginning = (text: string): Sequence => ({ tokens: [asToken(cutText(text, maxPrefix))], isPrefix: true });
  if (word.length < least) return { ...found, sequences: ENDINGS.map((ending) => exact(word + ending)) };
  // The stemmer of English writes "city" and "cities" as "citi".
  const changed = stems.filter((each) => each.length >= least && !word.startsWith(each));
  const sequences = [
    beginning(cutText(word, Math.max(stem.length, least))),
    ...(stem.length < least ? [exact(stem)] : []),
    ...changed.map(beginning),
    ...(UMLAUT.test(word) ? [beginning(word.replace(ALL_UMLAUTS, '$1'))] : []),
    ...stems.filter((each) => each.endsWith('i')).map((each) => exact(`${each.substring(0, each.length - 1)}y`)),
  ];
  return { ...found, sequences };
}

function commonPart(word: string): string {
  return cutText(word, Math.ceil(word.length * COMMON_SHARE));
}

/** The terms that a text contains. */
export function termsIn(text: string, terms: readonly SearchTerm[]): SearchTerm[] {
  const tokens = indexed.of(text, (whole) => ` ${runsOf(whole).flatMap(tokensOf).join(' ')} `);
  return terms.filter(({ sequences }) =>
    sequences.some(({ tokens: wanted, isPrefix }) => tokens.includes(` ${wanted.join(' ')}${isPrefix ? '' : ' '}`)),
  );
}

/** Whether a text may be English: most of its letters are Latin, and its frequent words are not those of one other language. */
export function mayBeEnglish(text: string): boolean {
  const runs = runsOf(text).filter((run) => LETTER.test(run.text));
  const letters = (some: readonly Run[]): number => some.reduce((sum, run) => sum + run.text.length, 0);
  const latin = runs.filter((run) => LATIN.test(run.text));
  return runs.length === 0 || (2 * letters(latin) >= letters(runs) && mayBeEnglishWords(latin.map((run) => run.text)));
}

/** The Chinese characters of a text, each for itself: most are words, and dictionaries divide names and new words wrongly. */
export function charactersWanted(query: string): Wanted[] {
  const characters = new Set(query.match(/\p{Script=Han}/gu));
  return [...characters].map((text) => ({
    text,
    isUnspaced: true,
    sequences: [within(text)],
    isStopWord: isUnspacedStopWord(text),
    length: UNSPACED_LENGTH,
  }));
}

/** A term as a query of FTS5. */
export function toFts5({ sequences }: SearchTerm): string {
  return sequences.map(({ tokens, isPrefix }) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`).join(' OR ');
}

/** A term as a tsquery of PostgreSQL. */
export function toTsquery({ sequences }: SearchTerm): string {
  const all = sequences.map(({ tokens, isPrefix }) => tokens.map((token) => `'${token}'`).join(' <-> ') + (isPrefix ? ':*' : ''));
  return all.length === 1 ? (all[0] ?? '') : `(${all.join(' | ')})`;
}
