import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as englishStemmer } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as indian } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import * as stopWords from 'stopword';
import { foldText } from './folded-text.js';

interface Language {
  readonly name: string;
  readonly script: RegExp;
  readonly stopWords: readonly string[];
  /** Further words, separated by spaces. */
  readonly chat?: string;
  readonly stem?: (word: string) => string;
}

const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;

// The lists of the library come from articles, which put no questions to a friend.
const OF_ENGLISH_CHATS =
  'also can could dear did does had has hers into just let like may might more most much must off once please really said same say shall should ' +
  'some such tell than them then there these those through too until were what when where which while whom whose why will with would your yours';

// The first of several that fit equally well counts.
const LANGUAGES: readonly Language[] = [
  { name: 'English', script: LATIN, stopWords: stopWords.eng, chat: OF_ENGLISH_CHATS, stem: englishStemmer },
  { name: 'German', script: LATIN, stopWords: stopWords.deu, stem: german },
  { name: 'French', script: LATIN, stopWords: stopWords.fra, stem: french },
  { name: 'Spanish', script: LATIN, stopWords: stopWords.spa, stem: spanish },
  { name: 'Italian', script: LATIN, stopWords: stopWords.ita, stem: italian },
  { name: 'Portuguese', script: LATIN, stopWords: stopWords.por, stem: portuguese },
  { name: 'Dutch', script: LATIN, stopWords: stopWords.nld, stem: dutch },
  { name: 'Polish', script: LATIN, stopWords: stopWords.pol },
  { name: 'Czech', script: LATIN, stopWords: stopWords.ces },
  { name: 'Swedish', script: LATIN, stopWords: stopWords.swe, stem: swedish },
  { name: 'Danish', script: LATIN, stopWords: stopWords.dan, stem: danish },
  { name: 'Norwegian', script: LATIN, stopWords: stopWords.nob, stem: norwegian },
  { name: 'Finnish', script: LATIN, stopWords: stopWords.fin, stem: finnish },
  { name: 'Hungarian', script: LATIN, stopWords: stopWords.hun, stem: hungarian },
  { name: 'Romanian', script: LATIN, stopWords: stopWords.ron, stem: romanian },
  { name: 'Turkish', script: LATIN, stopWords: stopWords.tur, stem: turkish },
  { name: 'Indonesian', script: LATIN, stopWords: stopWords.ind, stem: indonesian },
  { name: 'Lithuanian', script: LATIN, stopWords: stopWords.lit, stem: lithuanian },
  { name: 'Vietnamese', script: LATIN, stopWords: stopWords.vie },
  { name: 'Russian', script: CYRILLIC, stopWords: stopWords.rus, stem: russian },
  { name: 'Ukrainian', script: CYRILLIC, stopWords: stopWords.ukr, stem: ukrainian },
  { name: 'Greek', script: /\p{Script=Greek}/u, stopWords: stopWords.ell, stem: greek },
  { name: 'Arabic', script: /\p{Script=Arabic}/u, stopWords: stopWords.ara, stem: arabic },
  { name: 'Hebrew', script: /\p{Script=Hebrew}/u, stopWords: stopWords.heb },
  { name: 'Hindi', script: /\p{Script=Devanagari}/u, stopWords: stopWords.hin, stem: indian },
];

const OF_CHATS =
  '我的 你的 他的 她的 我们 你们 他们 她们 它 什么 怎么 怎样 为什么 哪里 哪儿 哪个 哪些 多少 告诉 可以 没有 这个 那个 知道 记得 去 要 想 叫 能 ' +
  '私 僕 俺 あなた 君 何 誰 どこ いつ どう どの どれ なぜ です でし ました ます まし て ね よ か の って 教え ください 知っ 覚え さん ' +
  'ฉัน ผม คุณ เธอ เรา มัน ใคร ไหน ที่ไหน เมื่อไหร่ เมื่อไร ยังไง อย่างไร ทำไม ไหม ครับ ค่ะ คะ นะ บอก จำ หน่อย แล้ว ทำ ' +
  '내 제 나 저 너 네 우리 뭐 뭐야 무엇 어디 언제 누구 누가 어떤 어떻게 왜 몇 알려줘 말해줘 기억 그리고 있어 있는 했어 하는 이야 인가요 뭔가요 무엇인가요';
const UNSPACED_STOP_WORDS = [stopWords.zho, stopWords.jpn, stopWords.tha, stopWords.kor.flatMap((each) => each.split(' '))];

/** Words that say little, and stems, of one language or of those that may be meant. */
export interface WordForms {
  isStopWord(word: string): boolean;
  /** The stems of a word, one for each language in question; most are beginnings of the word. */
  stemsOf(word: string): string[];
}

const folded = (words: readonly string[]): ReadonlySet<string> => new Set(words.map((word) => foldText(word)));
type KnownLanguage = Language & { readonly folded: ReadonlySet<string> };
let known: readonly KnownLanguage[] | undefined;
let unspaced: ReadonlySet<string> | undefined;

/** Whether a word of a script without spaces, or of Korean, says little. */
export function isUnspacedStopWord(word: string): boolean {
  unspaced ??= folded([...UNSPACED_STOP_WORDS.flat(), ...OF_CHATS.split(' ')]);
  return unspaced.has(word);
}

/**
 * The language of folded words by its frequent words, of which languages with Latin letters other than English need two: "dog" means "though" in
 * Danish. All languages of their scripts when that does not tell.
 */
export function formsOf(words: readonly string[]): WordForms {
  const { meant, isSure } = languagesOf(words);
  const stemsOf = (word: string): string[] =>
    meant.flatMap(({ script, stem }) => (stem && script.test(word) ? [foldText(stem(word))] : []));
  return {
    isStopWord: (word) => isSure && meant.some((language) => language.folded.has(word)),
    stemsOf: (word) => [...new Set(stemsOf(word))].filter((stem) => stem !== ''),
  };
}

/** Whether folded words may be English: they are not more likely words of one other language. */
export function mayBeEnglish(words: readonly string[]): boolean {
  return languagesOf(words).meant.some(({ name }) => name === 'English');
}

function languagesOf(words: readonly string[]): { readonly meant: readonly KnownLanguage[]; readonly isSure: boolean } {
  // On first use: folding the lists takes some milliseconds.
  known ??= LANGUAGES.map((language) => ({ ...language, folded: folded([...language.stopWords, ...(language.chat ?? '').split(' ')]) }));
  const [english] = known;
  const different = [...new Set(words)];
  const text = different.join(' ');
  const possible = known.filter(({ script }) => script.test(text));
  const scripts = new Set(possible.map(({ script }) => script));
  const meant = [...scripts].flatMap((script) => {
    const counted = possible
      .filter((each) => each.script === script)
      .map((language) => ({ language, count: different.filter((word) => language.folded.has(word)).length }));
    const [best] = counted.toSorted((a, b) => b.count - a.count);
    const isSure = best !== undefined && best.count >= (script === LATIN && best.language !== english ? 2 : 1);
    return isSure ? [best.language] : counted.map(({ language }) => language);
  });
  return { meant, isSure: meant.length <= scripts.size };
}
