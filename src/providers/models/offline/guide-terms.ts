import { isStopWord, stem, wordsOf } from './words.js';

/** Words of one meaning in questions about Parley; the first stands for all. */
const SYNONYMS: readonly string[] = [
  'write add create make build develop new own program',
  'store save keep located location persist',
  'restore recover recovery',
  'backup backups snapshot copy',
  'upgrade update updating',
  'speech voice voices speak speaks speaking spoken audio tts',
  'transcription transcribe transcribes recogniser recognizer recognise recognize stt dictation',
  'setting settings set configure configuration config option options variable environment env change adjust setup',
  'better improve good best quality',
  'postgresql postgres',
  'database databases db sqlite sql',
  'test tests testing check',
  'client clients sdk library libraries',
  'key keys password credential credentials secret authenticate authentication login',
  'limit limits limited restrict throttle quota maximum',
  'start run launch boot running starts',
  'stop shutdown quit exit',
  'model models llm gpt',
  'disk disks drive',
  'failure failures fail fails full broken damaged error errors',
  'browser browsers cors page pages website',
  'install installation installing',
  'log logs logging',
  'encrypt encryption encrypted sealed',
  'remember recall memory memories',
  'security secure protect safe safety',
  'licence license free cost costs price mit',
  'load loads loaded loading',
];
const CANONICAL = new Map(SYNONYMS.flatMap((group) => group.split(' ').map((word) => [stem(word), stem(group.split(' ')[0]!)] as const)));

/** Words that say nothing in texts that are all about Parley. */
const IDLE = new Set(
  'parley server thing way work mean happen possible use something support exist find there reach own different kind here go look default help try need question explain'
    .split(' ')
    .map(stem),
);
/** Words that help to rank, but do not say what a question is about. */
export const GENERAL = new Set(['write', 'setting', 'better', 'start', 'test', 'version'].map(stem));

/** The share of a question's words that a text has, 0 to 1; words of one meaning are the same. */
export function coverage(question: string, text: string): number {
  const asked = askedTerms(question);
  const known = new Set(terms(text));
  return asked.length === 0 ? 0 : asked.filter((word) => known.has(word)).length / asked.length;
}

/** What a question is about; general words only when it has no others. */
export function askedTerms(question: string): string[] {
  const asked = [...new Set(terms(question))].filter((word) => !IDLE.has(word));
  const special = asked.filter((word) => !GENERAL.has(word));
  return special.length === 0 ? asked : special;
}

/** Stemmed words with one stem for words of one meaning. */
export function terms(text: string): string[] {
  return wordsOf(text)
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
    .filter((word) => !isStopWord(word) || word === 'own')
    .map(stem)
    .map((word) => CANONICAL.get(word) ?? word);
}
