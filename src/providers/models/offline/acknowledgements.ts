import { turnRound } from './persons.js';

const REMEMBERED = 'I will remember that.';
const NAME = String.raw`\p{L}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,3}`;
const ANIMAL =
  'cat|kitten|tomcat|dog|puppy|hamster|rabbit|bunny|horse|pony|parrot|budgie|bird|canary|fish|goldfish|turtle|tortoise|snake|guinea pig|rat|mouse|ferret|hen|cow|goat|sheep|donkey|pet|lizard|gecko|boat|ship|sailboat|dinghy|yacht|house|farm|company|band|teddy bear';
const NOT_A_NAME =
  /^(?:\p{Lu}?\p{Ll}*(?:ish|ese|ian|ean)|Dutch|German|French|Greek|Swiss|Welsh|Czech|Thai|American|Mexican|African|European|Asian|Indian|Roman|Muslim|Catholic|Jewish|Hindu|Buddhist|Vegan|Ok|Okay|Fine|Good|Here|Back|Sorry|Sure|Sad|Happy|Tired|Hungry|New|Not|Just|In|At|From|A|An|The|Monday|Christmas)$/u;

/** "My name is Ana", "call me Ana", "I'm Ana": the group `name` holds the name. */
const NAMED: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:my (?:(?:first|full|real|actual) )?name(?: is|'s)(?: actually| now)?|(?:you can |please |just )?call me|i am called|i'm called|(?:people|they|friends|my friends|everyone) calls? me|i go by)\s+(?<name>${NAME})`,
    'iu',
  ),
  /^(?:[Ii](?: am|'m)|[Tt]his is|[Ii]t's|[Ii]t is) (?<name>\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]*){0,2})(?=\s*(?:[,.!;]|$)| and (?:i|my|we)\b| from\b)/u,
];

/** The user's name in a statement such as "my name is Ana"; undefined when it tells none. */
export function toldName(statement: string): string | undefined {
  for (const pattern of NAMED) {
    const name = pattern.exec(statement)?.groups?.['name'];
    // With the flag `i`, \p{Lu} also takes the words after a name: "ana and I".
    const words = name?.split(' ') ?? [];
    const end = words.findIndex((word, index) => index > 0 && !/^\p{Lu}/u.test(word));
    const own = words.slice(0, end === -1 ? undefined : end);
    if (own.length > 0 && !NOT_A_NAME.test(own[0]!)) return own.map(capitalized).join(' ');
  }
  return undefined;
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

interface Acknowledgement {
  readonly pattern: RegExp;
  readonly answer: (match: RegExpExecArray) => string;
}

const FAMILY =
  'mother|father|mum|mom|dad|sister|brother|son|daughter|wife|husband|partner|girlfriend|boyfriend|friend|grand\\w+|uncle|aunt|cousin|child|baby|boss|colleague|neighbou?r|family|we|i';

// The first that matches answers. `turned` repeats what was said, so nothing is lost.
const ACKNOWLEDGEMENTS: readonly Acknowledgement[] = [
  {
    pattern: new RegExp(
      String.raw`^(?:my|our) (?:\w+ )?(?<animal>${ANIMAL})(?:'s name is| is called| is named|, called|'s called| was called|, whose name is)\s+(?<name>\p{L}[\p{L}'’-]*)[.!]*$|^(?:i|we)(?: have|'ve got| have got| own| got|'ve)(?: a| an)(?: \w+)?? (?<second>${ANIMAL}) (?:called|named|whose name is)\s+(?<other>\p{L}[\p{L}'’-]*)[.!]*$`,
      'iu',
    ),
    answer: ({ groups = {} }) => {
      const animal = groups['animal'] ?? groups['second'] ?? '';
      const article = /^[aeiou]/i.test(animal) ? 'an' : 'a';
      return `${capitalized(groups['name'] ?? groups['other'] ?? '')}, a good name for ${article} ${animal.toLowerCase()}. ${REMEMBERED}`;
    },
  },
  { pattern: /^(?:today is|it is|it's|today's) my (?:\w+ )?birthday\b/i, answer: () => 'Happy birthday! I wish you a good day.' },
  {
    pattern: new RegExp(
      String.raw`\b(?:died|passed away|is dead|has cancer|is (?:very |quite |still )?(?:ill|sick|dying|in (?:the )?hospital)|broke (?:my|his|her) \w+|had an accident|lost (?:my|our) (?:job|house|home|wallet|keys?|phone|cat|dog)|was (?:fired|robbed|stolen)|got (?:fired|robbed|divorced)|broke up|failed (?:my|the|an) \w+|stole my|is broken|was (?:burnt|stale|cold|ruined)|no(?:body| one) (?:likes|loves|understands) me)\b`,
      'i',
    ),
    answer: () => `I am sorry to hear that. ${REMEMBERED}`,
  },
  {
    pattern:
      /^(?:i|we)(?: am|'m|'re| are| feel| was| were)(?: feeling)?(?: (?:so|very|really|quite|a bit|a little|pretty|just|still|not|all))* (?:sad|unhappy|depressed|lonely|ill|sick|stressed|anxious|worried|afraid|scared|angry|upset|exhausted|frustrated|disappointed|heartbroken|in pain|well today|feeling well|down|confused|lost|nervous|bad|miserable)\b|\b(?:i have a (?:headache|cold|fever|bad day|toothache)|my \w+ hurts|i had a (?:bad|terrible|hard|rough) \w+)/i,
    answer: () => 'I am sorry to hear that. If I can look something up for you, ask me.',
  },
  {
    pattern:
      /^(?:i|we)(?: am|'m|'re| are| feel)(?: feeling)?(?: (?:so|very|really|quite|pretty|just|doing|all))* (?:happy|glad|excited|great|well|good|fine|better|proud|thrilled|delighted|wonderful|fantastic|relaxed|in love|ok|okay)\b(?! at\b)|\bi had a (?:good|great|nice|wonderful|lovely) \w+/i,
    answer: () => 'I am glad to hear that.',
  },
  {
    pattern: new RegExp(
      String.raw`^(?:${FAMILY}|my (?:${FAMILY}))\b.*\b(?:passed (?:my|his|her|the|our|an?)|won\b|got (?:the job|a (?:new )?(?:job|promotion|raise)|promoted|married|engaged)|(?:gave|offered) (?:me|us) an? (?:raise|job|promotion)|graduated|(?:had|have|expecting) a baby|became an?|(?:is|am|'m) pregnant|was born (?:today|yesterday|this|last))`,
      'i',
    ),
    answer: ({ input }) => ['Congratulations!', turnRound(input), REMEMBERED].filter(Boolean).join(' '),
  },
  {
    pattern:
      /^(?:i|we)(?: am|'m|'re| are| feel)(?: feeling)?(?: (?:so|very|really|quite|a bit|a little|pretty|just))* (?:tired|hungry|thirsty|bored|sleepy|cold|hot|busy|back|here|ready|done|late|off|in a hurry|sorry|curious|at (?:work|home))[.!]*$/i,
    answer: ({ input }) =>
      `I see: ${lowered(turnRound(input) ?? 'thank you for telling me.')} Ask me when I can look something up for you.`,
  },
  {
    pattern: /^(?:i|we) (?:think|believe|guess|suppose|hope|doubt|wish|feel (?:that|like))\b/i,
    answer: ({ input }) => `I see: ${lowered(turnRound(input) ?? 'thank you for telling me.')}`,
  },
  { pattern: /^you\b/i, answer: () => 'Thank you for telling me. What would you like to know?' },
  { pattern: /^(?:it|that|this|there|they|these|those|he|she)\b(?!.*\b(?:my|our|me|i|us)\b)/i, answer: () => `I see. ${REMEMBERED}` },
];

/** The answer to statements that follow each other. */
export function acknowledge(statements: readonly string[]): string {
  const answers = statements.map(acknowledgeOne);
  const last = answers.findLastIndex((answer) => answer.endsWith(REMEMBERED));
  // Once is enough.
  return answers.map((answer, index) => (index < last ? answer.replace(REMEMBERED, '').trim() : answer)).join(' ');
}

function acknowledgeOne(statement: string): string {
  const name = toldName(statement);
  if (name !== undefined) {
    const rest = /^.*?\s+and\s+(?=(?:i|i'm|my|we)\b)/i.exec(statement);
    const more = rest === null ? undefined : turnRound(statement.slice(rest[0].length));
    const corrected = /\bnot \p{Lu}|^(?:no|actually)\b/u.test(statement);
    return [corrected ? `Thank you for the correction, ${name}.` : `Nice to meet you, ${name}.`, more, REMEMBERED]
      .filter(Boolean)
      .join(' ');
  }
  for (const { pattern, answer } of ACKNOWLEDGEMENTS) {
    const match = pattern.exec(statement);
    if (match !== null) return answer(match);
  }
  if (!/\b(?:i|i'\w+|my|me|mine|myself|we|our|us|we'\w+)\b/i.test(statement)) return `I see. ${REMEMBERED}`;
  return `${turnRound(statement) ?? 'Thank you for telling me.'} ${REMEMBERED}`;
}

function lowered(sentence: string): string {
  return /^I\b/.test(sentence) ? sentence : `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
