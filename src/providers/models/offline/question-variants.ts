const WEEKTIME = String.raw`(?:\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|holidays?|daily|noon|midnight)\b)`;
const YEAR = String.raw`\b(?:1[5-9]|20)\d\d\b`;
const CLOSES = String.raw`\b(?:opens?|opening hours|closed?|closes)\b`;
const BEGAN = String.raw`\b(?:founded|started|established|opened|built|since)\b`;

// Short questions such as "when do you open?" have few content words, so their vectors differ from the fact that answers them (0.17, where
// 0.4 is a match). Such facts are matched through questions that they answer.
const KINDS: readonly { fact: RegExp; questions: readonly string[] }[] = [
  {
    fact: new RegExp(`${CLOSES}.*${WEEKTIME}|${WEEKTIME}.*${CLOSES}`, 'i'),
    questions: ['When do you open?', 'When do you close?', 'What are your opening hours?', 'Are you open today?'],
  },
  {
    fact: /\b(?:find us|find me|located|our address|my address|address is|street|avenue|road|square|opposite|next to)\b/i,
    questions: ['Where are you?', 'Where is it?', 'Where can I find you?', 'What is your address?', 'How do I get there?'],
  },
  {
    fact: /[$€£]\s?\d|\d\s?[$€£]|\d.*\b(?:euros?|dollars?|pounds|cents?|pence)\b|\b(?:free of charge|for free|costs? nothing)\b/i,
    questions: ['How much does it cost?', 'What is the price?', 'What are your prices?'],
  },
  {
    fact: new RegExp(`${BEGAN}.*${YEAR}|${YEAR}.*${BEGAN}`, 'i'),
    questions: ['When was it founded?', 'How old is the company?', 'How long have you existed?'],
  },
  {
    fact: /\b(?:founded|established|started|opened|built|owned|run)\b(?: in \d{4})? by (?!hand\b)|\b(?:founders?|owners?)\b/i,
    questions: ['Who founded it?', 'Who founded the company?', 'Who is the owner?'],
  },
  {
    fact: /\S@\S+\.\S|\b(?:phone number|call us|telephone)\b|\+\d[\d ]{6,}/i,
    questions: ['How can I contact you?', 'What is your email address?', 'What is your phone number?'],
  },
  {
    fact: /\b(?:I|[Ww]e|[Hh]e|[Ss]he|[A-Z]\w+) lives?\b|\b(?:I|[Ww]e|[Hh]e|[Ss]he) (?:comes?|am|is|are) from\b|\b(?:born|grew up|living|based|native|settled) (?:in|near|at|from|of)\b/,
    questions: ['Where do you live?', 'Where are you from?'],
  },
];

// "Nimbus is a backup service": the words before "is a" are the subject.
const DEFINITION = /^(?!it\b|he\b|she\b|they\b|this\b|there\b)(\S+(?: \S+){0,3}?) (?:is|are|was) (?:an?|the|one of)\b/i;

/** Typical questions that a fact answers; none for most facts. */
export function questionsAnsweredBy(fact: string): string[] {
  const subject = DEFINITION.exec(fact)?.[1];
  const questions = KINDS.filter((kind) => kind.fact.test(fact)).flatMap((kind) => kind.questions);
  return subject === undefined ? questions : [...questions, `What is ${subject}?`, `Who is ${subject}?`];
}
