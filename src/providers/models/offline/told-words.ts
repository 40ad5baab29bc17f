import { isStopWord, stem, wordsOf } from './words.js';

/** What a general word of a question may mean in a statement: the word "pet" is answered by "My cat is called Otto". */
const KINDS: readonly [asked: string, told: string][] = [
  [
    'pet pets animal animals',
    'pet cat kitten tomcat dog puppy hamster rabbit bunny horse pony parrot budgie bird canary fish goldfish turtle tortoise snake ferret mouse rat hen',
  ],
  ['child children kid kids', 'child children kid son daughter baby twins toddler boys girls'],
  ['partner spouse married', 'partner spouse wife husband married girlfriend boyfriend fiancé fiancée single divorced'],
  ['sibling siblings', 'sibling brother sister twin'],
  ['parent parents', 'parents mother father mum mom dad mommy daddy'],
  ['mother mum mom', 'mother mum mom'],
  ['father dad', 'father dad'],
  [
    'family relatives',
    'family mother father mum mom dad brother sister son daughter wife husband children kids grandmother grandfather uncle aunt cousin',
  ],
  ['vehicle', 'drive volvo car bike bicycle motorbike motorcycle van truck scooter'],
  ['car', 'car drive fiat volvo bmw audi tesla volkswagen toyota ford'],
  ['bike bicycle', 'bike bicycle'],
  [
    'instrument instruments',
    'instrument guitar piano violin cello flute drums saxophone trumpet clarinet bass harp organ ukulele accordion keyboard',
  ],
  [
    'sport sports',
    'sport football soccer tennis basketball volleyball hockey golf running swimming cycling climbing rugby cricket judo yoga sailing skiing rowing',
  ],
  ['meat', 'meat vegetarian vegan'],
  ['vegetarian vegan diet', 'vegetarian vegan meat diet'],
  ['food dish meal eat', 'food dish meal eat sushi pizza pasta'],
  ['drink beverage', 'drink coffee tea beer wine juice water milk'],
  [
    'language languages',
    'language speak english german french spanish italian portuguese dutch polish russian ukrainian turkish arabic hindi chinese japanese korean',
  ],
  ['holiday vacation trip travel', 'holiday vacation trip travel fly flying flight going journey'],
  ['flat apartment house', 'flat apartment house home'],
  ['book books', 'book novel comic read'],
  ['phone', 'phone iphone smartphone'],
  ['wedding', 'wedding marry married'],
];

const EXPANSIONS = new Map<string, ReadonlySet<string>>();
for (const [asked, told] of KINDS) for (const word of asked.split(' ')) EXPANSIONS.set(stem(word), new Set(told.split(' ').map(stem)));

/** Words of questions that say how they ask or which verb fits, not what they are about. */
const LIGHT = new Set(
  (
    'name called named call names have own like love enjoy remember recall remind best favourite kind kinds type sort go going goes went ever again still currently now ' +
    'today old live lives work job drive drives play plays eat drink do doing does make makes made say said tell told mention mentioned happen happened use used wear speak speaks read ' +
    'prefer study think plan planned leave leaves come comes start starts keep often long far big tall something anything everything thing things else exactly really actually born wrong model brand ' +
    'year years good bad already visit meet buy bought get take taken took see feel put look looks currently right before previously earlier formerly'
  )
    .split(' ')
    .map(stem),
);

/**
 * What a question is about: each word stands for the words of statements that may answer it.
 *
 * @param skipped stems of words that only name the topic
 */
export function askedWords(question: string, skipped: ReadonlySet<string> = new Set()): { key: ReadonlySet<string>[]; light: Set<string> } {
  const key: ReadonlySet<string>[] = [];
  const light = new Set<string>();
  for (const word of wordsOf(question)) {
    if (isStopWord(word)) continue;
    const stemmed = stem(word);
    if (skipped.has(stemmed)) continue;
    if (LIGHT.has(stemmed)) light.add(stemmed);
    else key.push(EXPANSIONS.get(stemmed) ?? new Set([stemmed]));
  }
  return { key, light };
}
