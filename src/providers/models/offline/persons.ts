const FIRST_PERSON: Readonly<Record<string, string>> = {
  i: 'you',
  "i'm": 'you are',
  "i've": 'you have',
  "i'll": 'you will',
  "i'd": "you'd",
  me: 'you',
  my: 'your',
  mine: 'yours',
  myself: 'yourself',
  am: 'are',
  we: 'you',
  "we're": 'you are',
  "we've": 'you have',
  "we'll": 'you will',
  "we'd": "you'd",
  us: 'you',
  our: 'your',
  ours: 'yours',
  ourselves: 'yourselves',
};

const SECOND_PERSON: Readonly<Record<string, string>> = {
  "you're": 'I am',
  "you've": 'I have',
  "you'll": 'I will',
  "you'd": "I'd",
  your: 'my',
  yours: 'mine',
  yourself: 'myself',
};

/** Verbs that change with the person, after `I` and after `you`. */
const VERB_AFTER: Readonly<Record<'i' | 'you', Readonly<Record<string, string>>>> = {
  i: { was: 'were', "wasn't": "weren't", am: 'are' },
  you: { are: 'am', were: 'was', "aren't": 'am not', "weren't": "wasn't" },
};

const ADVERB = /^(?:always|never|also|just|still|only|once|really|already|often|even|\w+ly)$/;
/** Words before a `you` that is a subject. */
const BEFORE_SUBJECT =
  /^(?:that|if|because|when|while|think|thought|hope|know|knew|believe|guess|say|says|said|and|but|so|since|wish|what|where|how|why)$/;
/** Verbs after a `you` that is a subject. */
const AFTER_SUBJECT = /^(?:are|were|have|had|can|could|will|would|do|did|should|must|might|may|aren't|weren't|don't|didn't|can't|won't)$/;
const QUOTED = /["“”„«»`{}<>]/;
const MAX_LENGTH = 240;

/**
 * A statement of the user as the agent says it: "I moved to your street" becomes "You moved to my street."
 *
 * @returns undefined when the change is not safe, for example for quotations and long texts
 */
export function turnRound(statement: string): string | undefined {
  const text = statement.replaceAll('’', "'").trim();
  if (text.length > MAX_LENGTH || QUOTED.test(text)) return undefined;
  const tokens = text.match(/[\p{L}\p{M}\p{N}']+|[^\p{L}\p{M}\p{N}']+/gu) ?? [];
  const words = tokens.flatMap((token, index) => (/[\p{L}\p{N}]/u.test(token) ? [index] : []));
  for (const [position, index] of words.entries()) {
    const word = tokens[index]!.toLowerCase();
    const near = (step: number): string => textOf(tokens, words[position + step]);
    const subject = ADVERB.test(near(-1)) ? near(-2) : near(-1);
    if (word === 'you') tokens[index] = isSubject(near(-1), near(1)) ? 'I' : 'me';
    else if (word === 'was' && /^(?:and|but|or|who)$/.test(near(-1))) return undefined;
    else tokens[index] = agreeing(word, subject) ?? FIRST_PERSON[word] ?? SECOND_PERSON[word] ?? tokens[index]!;
  }
  return asSentence(tokens.join(''));
}

/** The text with a capital at the beginning and a full stop at the end. */
export function asSentence(text: string): string {
  const trimmed = text.trim().replace(/[\s.!,;:…]+$/u, '');
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[?"”]$/.test(trimmed) ? '' : '.'}`;
}

// The words before have been turned round already, so the subject `I` is `you` here, and `you` is `I`.
function agreeing(verb: string, subject: string): string | undefined {
  if (subject === 'you') return VERB_AFTER.i[verb];
  return subject === 'i' ? VERB_AFTER.you[verb] : undefined;
}

function isSubject(before: string, after: string): boolean {
  return before === '' || BEFORE_SUBJECT.test(before) || AFTER_SUBJECT.test(after);
}

function textOf(tokens: readonly string[], index: number | undefined): string {
  return index === undefined ? '' : tokens[index]!.toLowerCase();
}
