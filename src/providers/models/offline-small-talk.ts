import type { Grounding } from './chat-model.js';

/** How the operator configures a language model. */
const SETUP_HINT = 'set OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY or OLLAMA_BASE_URL to use one';

/** The answer when nothing matches. */
export const NOTHING_FOUND = `I found nothing about that in what I know, and no language model is configured here that could say more (${SETUP_HINT}).`;

/** A kind of message that asks for no facts. */
export interface SmallTalk {
  readonly pattern: RegExp;
  /** Whether it is about the character, whose own examples may have a better answer than `answer`. */
  readonly aboutSelf?: boolean;
  readonly answer: (character: Grounding) => string;
}

const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|morning|evening)\b(?: (?:there|all|everyone|again))?/;

const KINDS: readonly SmallTalk[] = [
  { pattern: /^$/, answer: (character) => introduction(character, 1, 'Hello, ') },
  {
    pattern: /^(?:how are you|how do you do|how is it going|hows it going|how are things|whats up)(?: doing)?(?: today)?$/,
    answer: () => 'All is well here. What would you like to know?',
  },
  { pattern: /^(?:ok |okay |great |perfect )?(?:thanks|thank you|thx|cheers|many thanks)(?: \w+){0,4}$/, answer: () => 'You are welcome.' },
  { pattern: /^(?:bye|goodbye|good bye|bye bye|see you|good night|farewell|have a nice day)(?: \w+){0,2}$/, answer: () => 'Goodbye.' },
  {
    pattern:
      /^(?:ok|okay|k|all right|alright|fine|good|nice|great|cool|perfect|lol|haha|hm+|ah|oh|wow|i see|got it|that is (?:nice|good|great|cool))$/,
    answer: () => 'All right. What else would you like to know?',
  },
  {
    pattern:
      /^(?:who are you|what are you|who is this|what is your name|whats your name|your name|tell me (?:something )?about (?:you|yourself)|introduce yourself|who am i (?:talking|speaking) (?:to|with))$/,
    aboutSelf: true,
    answer: (character) => introduction(character, 2),
  },
  {
    pattern:
      /^(?:help|help me|what can you do(?: for me)?|what do you (?:do|know)|how can you help(?: me)?|can you help(?: me)?|what can i ask(?: you)?|what can you (?:tell me|help me with|help with))$/,
    aboutSelf: true,
    answer: (character) =>
      `${introduction(character, 2)} I answer from what I was told; no language model is configured here that could say more (${SETUP_HINT}).`,
  },
  {
    pattern:
      /^(?:are you (?:an? )?(?:ai|artificial intelligence|bot|chatbot|robot|machine|human|person|real|real person|chatgpt|gpt|llm|language model|computer)(?: or (?:an? )?\w+)?|(?:which|what) (?:language )?(?:model|llm|ai)(?: \w+){0,3})$/,
    aboutSelf: true,
    answer: ({ agentName }) =>
      `I am ${agentName}, a program that looks up its answers in what it was told; no language model is configured here (${SETUP_HINT}).`,
  },
];

/** The text in lower case, without punctuation and repeated spaces: "What's up?" becomes "whats up". */
export function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The message without its greeting: "Hi Marta, when do you open?" becomes "when do you open?". */
export function withoutGreeting(message: string, agentName: string): string {
  const greeting = GREETING.exec(normalizeText(message))?.[0];
  if (greeting === undefined) return message.trim();
  const rest = message.trim().split(/\s+/).slice(greeting.split(' ').length);
  const names = normalizeText(agentName).split(' ');
  while (rest[0] !== undefined && (names.includes(normalizeText(rest[0])) || normalizeText(rest[0]) === '')) rest.shift();
  return rest.join(' ');
}

/**
 * Classifies a message as small talk; undefined for other messages.
 *
 * @param message without its greeting; empty when it was only a greeting
 */
export function findSmallTalk(message: string): SmallTalk | undefined {
  const said = normalizeText(message);
  return KINDS.find((kind) => kind.pattern.test(said));
}

function introduction({ agentName, facts }: Grounding, sentences: number, opening = ''): string {
  const own = facts.slice(0, sentences).filter((fact) => fact.trim() !== '');
  const named = own[0] !== undefined && /^I(?: am|['’]m)\b/.test(own[0]);
  return [named ? opening.replace(', ', '.').trim() : `${opening}I am ${agentName}.`, ...own].filter((part) => part !== '').join(' ');
}
