import type { Grounding } from './chat-model.js';

/** How whoever runs the server gets a language model. */
const WAY_OUT = 'set OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY or OLLAMA_BASE_URL to use one';

/** What is said when nothing matches. */
export const NOTHING_FOUND = `I found nothing about that in what I know, and no language model is configured here that could say more (${WAY_OUT}).`;

/** A turn of conversation that asks for no fact of the world. */
export interface SmallTalk {
  readonly said: RegExp;
  /** About the character itself, so that its own text may have a better answer than `answer`. */
  readonly aboutSelf?: boolean;
  readonly answer: (character: Grounding) => string;
}

const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)|morning|evening)\b(?: (?:there|all|everyone|again))?/;

const KINDS: readonly SmallTalk[] = [
  { said: /^$/, answer: (character) => introduction(character, 1, 'Hello, ') },
  {
    said: /^(?:how are you|how do you do|how is it going|hows it going|how are things|whats up)(?: doing)?(?: today)?$/,
    answer: () => 'All is well here. What would you like to know?',
  },
  { said: /^(?:ok |okay |great |perfect )?(?:thanks|thank you|thx|cheers|many thanks)(?: \w+){0,4}$/, answer: () => 'You are welcome.' },
  { said: /^(?:bye|goodbye|good bye|bye bye|see you|good night|farewell|have a nice day)(?: \w+){0,2}$/, answer: () => 'Goodbye.' },
  {
    said: /^(?:ok|okay|k|all right|alright|fine|good|nice|great|cool|perfect|lol|haha|hm+|ah|oh|wow|i see|got it|that is (?:nice|good|great|cool))$/,
    answer: () => 'All right. What else would you like to know?',
  },
  {
    said: /^(?:who are you|what are you|who is this|what is your name|whats your name|your name|tell me (?:something )?about (?:you|yourself)|introduce yourself|who am i (?:talking|speaking) (?:to|with))$/,
    aboutSelf: true,
    answer: (character) => introduction(character, 2),
  },
  {
    said: /^(?:help|help me|what can you do(?: for me)?|what do you (?:do|know)|how can you help(?: me)?|can you help(?: me)?|what can i ask(?: you)?|what can you (?:tell me|help me with|help with))$/,
    aboutSelf: true,
    answer: (character) =>
      `${introduction(character, 2)} I answer from what I was told; no language model is configured here that could say more (${WAY_OUT}).`,
  },
  {
    said: /^(?:are you (?:an? )?(?:ai|artificial intelligence|bot|chatbot|robot|machine|human|person|real|real person|chatgpt|gpt|llm|language model|computer)(?: or (?:an? )?\w+)?|(?:which|what) (?:language )?(?:model|llm|ai)(?: \w+){0,3})$/,
    aboutSelf: true,
    answer: ({ agentName }) =>
      `I am ${agentName}, a program that looks up its answers in what it was told; no language model is configured here (${WAY_OUT}).`,
  },
];

/** The text without case, punctuation and doubled spaces, so that "What's up?" is "whats up". */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What a message asks once it has said hello: "Hi Marta, when do you open?" asks "when do you open?". */
export function withoutGreeting(message: string, agentName: string): string {
  const greeting = GREETING.exec(plain(message))?.[0];
  if (greeting === undefined) return message.trim();
  const rest = message.trim().split(/\s+/).slice(greeting.split(' ').length);
  const names = plain(agentName).split(' ');
  while (rest[0] !== undefined && (names.includes(plain(rest[0])) || plain(rest[0]) === '')) rest.shift();
  return rest.join(' ');
}

/**
 * Which small talk a message is, if it is.
 *
 * @param message without its greeting; nothing left means that it was only a greeting
 */
export function smallTalk(message: string): SmallTalk | undefined {
  const said = plain(message);
  return KINDS.find((kind) => kind.said.test(said));
}

function introduction({ agentName, facts }: Grounding, sentences: number, opening = ''): string {
  const own = facts.slice(0, sentences).filter((fact) => fact.trim() !== '');
  const named = own[0] !== undefined && /^I(?: am|['’]m)\b/.test(own[0]);
  return [named ? opening.replace(', ', '.').trim() : `${opening}I am ${agentName}.`, ...own].filter((part) => part !== '').join(' ');
}
