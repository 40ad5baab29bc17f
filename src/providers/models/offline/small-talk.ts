import { cutText } from '../../../core/text/index.js';
import type { Grounding } from '../chat-model.js';
import { isGuide } from './parley-questions.js';

/** Characters of a fact in an introduction. */
const LONGEST_FACT = 1000;
/** How the operator configures a language model. */
const SETUP_HINT = 'choose one on the page Model, or set OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY or OLLAMA_MODEL and restart';

/** What the guide to Parley answers when nothing matches, and to tasks that need a language model. */
export const NOTHING_FOUND = `I cannot answer that: I found nothing about it in what I know, and no language model is configured here that could say more (${SETUP_HINT}).`;
/** The same for all other characters, whose readers do not run the server. */
export const UNKNOWN = 'I am sorry, I do not know that. Please try other words, or ask me something else.';

/** The answer of a character when nothing matches. */
export function nothingFound(character: Grounding): string {
  return isGuide(character) ? NOTHING_FOUND : UNKNOWN;
}

/** A kind of message that asks for no facts. */
export interface SmallTalk {
  readonly kind: 'greeting' | 'courtesy' | 'filler' | 'judgement' | 'self';
  readonly pattern: RegExp;
  readonly answer: (character: Grounding) => string;
  /** The answer beside answers to other parts of the message; without it, `answer`. */
  readonly brief?: string;
}

const PRAISED =
  '(?:great|good|nice|smart|clever|intelligent|funny|awesome|amazing|helpful|useful|the best|wonderful|kind|cute|cool|lovely|brilliant|fantastic|excellent|sweet|friendly|impressive|perfect|beautiful|delicious|tasty|lovely|gorgeous|fun|wise|interesting|quick|fast)';
const BLAMED =
  '(?:wrong|incorrect|false|stupid|dumb|useless|bad|terrible|awful|an? idiot|not (?:true|right|correct|helpful|good|useful|very \\w+|what i \\w+)|unhelpful|boring|rude|broken|annoying|crap|nonsense|rubbish|ridiculous|slow|silly|a (?:lie|joke|bad \\w+))';
const VERY = '(?:(?:very|so|really|quite|pretty|such|just|too|totally|completely|a|an|all) )*';
const NOUN = '(?: (?:bot|robot|answer|job|work|assistant|agent|guide|one|idea|person|help|program|question|friend|company))?';
const TO_YOU = '(?: (?:iris|here|today|now|then|again|indeed|for me|to me|by the way|you know))?';

const FILLER =
  'ok|okay|k|kk|all right|alright|right|fine|good|nice|great|cool|perfect|wow|super|sweet|neat|interesting|excellent|awesome|amazing|lovely|wonderful|fantastic|sure|yes|yeah|yep|yup|no|nope|nah|maybe|perhaps|exactly|indeed|absolutely|of course|correct|true|agreed|really|lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|hm+|mhm|ah+|oh|aha|huh|please|yes please|no thanks|no thank you|i see|i know|i understand|understood|got it|gotcha|makes sense|that makes sense|i agree|i disagree|i do not think so|i dont think so|i think so|i hope so|you are right|you are correct|me too|same here|same|i do|i am|i will|go on|go ahead|continue|next|more|done|let us go|thats right|that is right|that is (?:nice|good|great|cool|true|fine|ok|okay|correct|interesting|funny|all|it|amazing|awesome)|thats (?:nice|good|great|cool|true|fine|ok|okay|correct|interesting|funny|all|it|amazing|awesome)|sounds good|good to know|i do not know|i dont know|not really|not sure|idk|whatever|no idea|why not|nothing|anything|something';

/** For the guide to Parley, that and how a language model would help; nothing for others. */
function modelHint(character: Grounding, joint: string, more = ''): string {
  return isGuide(character) ? `${joint}no language model is configured here${more} (${SETUP_HINT})` : '';
}

// The patterns match whole sentences that `normalizeText` has changed: lower case, no punctuation, no apostrophes.
const KINDS: readonly SmallTalk[] = [
  {
    kind: 'greeting',
    pattern:
      /^(?:(?:hi|hello|hey|hiya|howdy|hullo|greetings|good (?:morning|afternoon|evening|day)|morning|evening|hi hi|yo)(?: (?:there|all|everyone|everybody|again|you|mate|friend|folks))?)?$/,
    answer: (character) => introduction(character, 1, 'Hello, '),
    brief: 'Hello!',
  },
  {
    kind: 'courtesy',
    pattern: new RegExp(
      `^(?:and |so )?(?:how are you|how do you do|how is it going|hows it going|how are things|whats up|what is up|how have you been|how do you feel|are you (?:ok|okay|well|fine))(?: doing)?(?: (?:today|now|there|this morning|tonight))?$`,
    ),
    answer: () => 'All is well here. What would you like to know?',
    brief: 'All is well here.',
  },
  {
    kind: 'courtesy',
    pattern:
      /^(?:ok |okay |great |perfect |cool |yes |no |all right |alright )*(?:thanks|thank you|thx|ty|tysm|cheers|many thanks|much appreciated|i appreciate (?:it|that|your help)|thank u)(?: (?!what|where|who|how|when|why|which|do|can|is|are|i am|my|bye|goodbye)\w+){0,6}$/,
    answer: () => 'You are welcome.',
  },
  {
    kind: 'courtesy',
    pattern:
      /^(?:ok |okay |so |well |thanks |thank you )*(?:bye|goodbye|good bye|bye bye|see you|see ya|cya|farewell|have a (?:nice|good|great) (?:day|evening|weekend|one|night|time)|take care|until (?:next time|tomorrow|later)|talk to you (?:later|soon|tomorrow)|i (?:have|need) to go|i must go|i am off|im off|gotta go|got to go|have to go)(?: \w+){0,3}$/,
    answer: () => 'Goodbye.',
  },
  { kind: 'courtesy', pattern: /^(?:ok |so )?(?:good ?night|sleep well|sweet dreams)(?: \w+){0,3}$/, answer: () => 'Good night.' },
  {
    kind: 'courtesy',
    pattern:
      /^(?:oh |ok )*(?:(?:i am |im )?(?:so |very |really )?sorry|i apologi[sz]e|my (?:bad|mistake|apologies)|apologies|excuse me|pardon(?: me)?|forgive me|never ?mind|forget it|no worries|no problem|oops)(?: (?:for|about|that|i|my|to|if) .{1,60})?(?: (?:i )?(?:mistyped|misspelled|misspelt|made a (?:typo|mistake)|was (?:rude|wrong)))?$/,
    answer: () => 'No problem. What would you like to know?',
    brief: 'No problem.',
  },
  {
    kind: 'courtesy',
    pattern: new RegExp(
      `^(?:it (?:is|was) |its )?(?:so |very )?(?:nice|good|great|lovely|pleased|glad|happy|a pleasure)(?: to| meeting| talking)* ?(?:meet|see|talk|speak|know|have|hear)?(?: to| from| with)? you(?: too)?(?: ${'\\w+'})?$`,
    ),
    answer: () => 'Nice to meet you, too. What would you like to know?',
    brief: 'Nice to meet you, too.',
  },
  {
    kind: 'courtesy',
    pattern:
      /^(?:happy (?:birthday|new year|easter|holidays|christmas|weekend)|merry christmas|congratulations|good luck|bless you|welcome)(?: \w+){0,3}$/,
    answer: () => 'Thank you, the same to you.',
  },
  {
    kind: 'courtesy',
    pattern:
      /^(?:(?:can|may|could) (?:i|we) (?:please )?ask (?:you )?(?:something|a question|questions|anything|some questions|a few questions)|(?:i|we) (?:have|got|had|ve got) (?:a|one|some|another|a few|two) (?:quick |more |other )?questions?(?: for you)?|(?:i want|i would like|id like) to ask (?:you )?(?:something|a question)|let us (?:talk|chat|start|begin)|lets (?:talk|chat|start|begin)|can we (?:talk|chat))$/,
    answer: () => 'Of course, ask.',
  },
  {
    kind: 'courtesy',
    pattern:
      /^(?:are you (?:still )?(?:there|here|awake|alive|listening|online|ready|working|busy)|you there|anybody (?:there|home|here)|anyone (?:there|home|here)|is (?:anybody|anyone|somebody|someone) (?:there|here)|test(?:ing)?(?: test)*|ping|can you (?:hear|see|read|understand) me|do you (?:hear|understand|read) me|hello hello)$/,
    answer: () => 'Yes, I am here. What would you like to know?',
    brief: 'Yes, I am here.',
  },
  {
    kind: 'courtesy',
    pattern:
      /^(?:can|do|will|could) you (?:really |also |even )?(?:remember|learn|memori[sz]e)(?: (?:things|stuff|everything|anything|conversations|facts|us|from me))?$/,
    answer: () => 'I remember what you tell me about yourself. Ask me: What do you know about me?',
  },
  {
    kind: 'filler',
    pattern: new RegExp(`^(?:${FILLER})(?: (?:${FILLER}))*$`),
    answer: () => 'All right. What else would you like to know?',
  },
  {
    kind: 'judgement',
    pattern: new RegExp(
      `^(?:i (?:think|believe|guess|must say|find)(?: that)? )?(?:you|your \\w+|that|this|it|thats|youre)(?: (?:is|are|was|were|look|looks|seem|seems|sounds?))? ${VERY}${PRAISED}${NOUN}${TO_YOU}$|^(?:very |really |so )?(?:well done|good (?:job|work|bot|answer)|great (?:job|work|answer)|nice (?:job|work|one|answer|try)|bravo|kudos|perfect answer|love it|how (?:nice|kind|sweet|lovely|cool|clever)(?: of you)?|what a (?:nice|good|great|lovely|wonderful|clever) \\w+|i (?:really |do )?(?:love|like|adore|trust|admire|missed|miss) (?:you|it|that|this|your \\w+|talking to you)(?: (?:so much|very much|a lot|too))?|you (?:rock|rule|made my day|helped (?:me )?(?:a lot|so much|very much)?)|(?:that|this|it) (?:helps|helped|worked|works)(?: (?:me )?(?:a lot|very much|so much))?|you are my (?:friend|hero|favou?rite))$`,
    ),
    answer: () => 'Thank you, that is kind.',
  },
  {
    kind: 'judgement',
    pattern: new RegExp(
      `^(?:no )?(?:i (?:think|believe|guess)(?: that)? )?(?:you|your \\w+|that|this|it|thats|youre)(?: (?:is|are|was|were|sounds?|seems?))? ${VERY}${BLAMED}${NOUN}${TO_YOU}$|^(?:wrong|incorrect|false|nonsense|(?:bad|wrong) (?:bot|answer)|rubbish|bullshit|wtf|shut up|go away|i (?:really )?(?:hate|dislike|do not like|dont like|do not trust|dont trust|do not believe|dont believe) (?:you|it|this|that|your answers?)|you (?:suck|lie|lied|(?:made|make) (?:a |an )?(?:mistakes?|errors?)|misunderstood(?: me)?|know nothing|(?:do not|dont|did not|didnt|cannot|cant|can not) (?:understand|know|answer|help|listen|get it|work|get me|do)\\b.{0,40}|are (?:not (?:listening|helping|working)|lying|no help|making (?:that|this|it) up))|(?:that|this|it) (?:makes no sense|does not help|doesnt help|did not help|didnt help|does not answer my question|doesnt answer my question|sucks|does not work|doesnt work|is not an answer)|(?:that is|thats|this is) not (?:what i (?:asked|meant|said|wanted)(?: for| about)?|my (?:question|name)|an answer|it)|i did not (?:ask|say|mean) (?:that|this|it|for that)|i didnt (?:ask|say|mean) (?:that|this|it|for that)|no thats (?:wrong|not \\w+)|what a (?:bad|stupid|terrible|useless) \\w+)$`,
    ),
    answer: (character) =>
      `I am sorry. I look my answers up in what I was told${modelHint(character, '; ')}. Other words may help me to find it.`,
  },
  {
    kind: 'courtesy',
    pattern:
      /^(?:please )?(?:forget|delete|erase|remove) (?:me|that|this|it|everything|all|my \w+|what i (?:said|told you|just said))(?: .{0,60})?$|^(?:can|could) you (?:please )?forget .{1,60}$/,
    answer: (character) =>
      isGuide(character)
        ? 'I cannot forget by myself. On the page Memories, you can find what I remember by its words and delete it.'
        : 'I cannot forget by myself. Please ask the people who run this chat to delete it.',
  },
  {
    kind: 'self',
    pattern:
      /^(?:(?:so |and )?(?:who|what)(?: exactly)? are you(?: (?:exactly|again|really|actually))?|who is this|(?:and )?what is your (?:full |first |last )?name(?: again)?|whats your name|(?:and )?your name|what are you called|(?:may|can) i (?:know|ask|have) your name|do you have a name|what (?:should|can|shall|do) i call you|tell me (?:something |a (?:bit|little) |more )?about (?:you|yourself)|introduce yourself|who am i (?:talking|speaking|chatting|writing) (?:to|with)|(?:and )?(?:what is )?yours|and you|and yourself|what about you|how about you|is your name \w+|are you called \w+)$/,
    answer: (character) => introduction(character, 2),
  },
  {
    kind: 'self',
    pattern:
      /^(?:help|help me|i need (?:some )?help|please help(?: me)?|what (?:else )?can you do(?: for me)?|what do you (?:do|know)|how can you help(?: me)?|(?:can|could) you help(?: me)?(?: please)?|what (?:else )?can i (?:ask|do)(?: you)?(?: here)?|what can you (?:tell me|help me with|help with|answer|talk about)|what are you (?:able to do|capable of|good at|for)|what (?:topics|things|subjects) (?:do you know|can you).{0,20}|what should i ask(?: you)?|what is your (?:job|purpose|role|function|task)|what (?:questions )?can i ask you(?: about)?|what do you know about|how do you work|how does this work|what is this|what now)$/,
    answer: (character) =>
      `${introduction(character, 2)} I answer from what I was told${modelHint(character, '; ', ' that could say more')}.`,
  },
  {
    kind: 'courtesy',
    pattern:
      /^(?:how (?:do|can|could|would|should) (?:i|we)|how to|where (?:do|can) (?:i|we)|can (?:i|we)) (?:set|set up|setup|configure|add|use|connect|plug in|choose|enable|get|install|change|switch on)(?: up| in| to)?(?: an?| the| my| your| another| some| this)?(?: (?:real|better|proper|language|large|local|different|ai))*(?: (?:model|models|llm|llms|ai|chatgpt|gpt|openai|claude|anthropic|ollama|openai key|api key for openai))(?: (?:in|for|with|on|here|to) ?.{0,30}| here)?$/,
    answer: (character) =>
      isGuide(character)
        ? 'Choose one on the page Model, or set OPENAI_API_KEY, OPENAI_BASE_URL (any compatible service), ANTHROPIC_API_KEY or OLLAMA_MODEL, and restart.'
        : UNKNOWN,
  },
  {
    kind: 'self',
    pattern:
      /^(?:(?:are|r) you (?:really |actually |just )?(?:an? )?(?:real )?(?:ai|artificial intelligence|bot|chatbot|robot|machine|human|human being|person|real|real person|chatgpt|gpt|gpt\d|claude|gemini|llama|alexa|siri|llm|language model|computer|program|alive|conscious|sentient)(?: or .{1,40})?|(?:which|what) (?:language )?(?:model|llm|ai)(?: (?!\w*(?:set|configure|choose|add|change|use can))\w+){0,3}|am i (?:talking|speaking|chatting) (?:to|with) an? .{1,40}|is this (?:chatgpt|an? (?:ai|bot|robot|human|real person))|do you have (?:feelings|emotions|a body|consciousness|a brain)|you are an? (?:bot|robot|machine|ai|program|computer))$/,
    answer: (character) =>
      `I am ${character.agentName}, a program that looks up its answers in what it was told${modelHint(character, '; ')}.`,
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

/** Like `normalizeText`, with contractions written out: "What's up?" becomes "what is up". */
function spokenText(text: string): string {
  const long = text
    .replaceAll('’', "'")
    .replaceAll(/\bcan't\b/gi, 'cannot')
    .replaceAll(/n't\b/gi, ' not')
    .replaceAll(/'m\b/gi, ' am')
    .replaceAll(/'re\b/gi, ' are')
    .replaceAll(/'ve\b/gi, ' have')
    .replaceAll(/\bi'd\b/gi, 'i would')
    .replaceAll(/\b(what|who|where|how|that|it|there|he|she)'s\b/gi, '$1 is');
  return normalizeText(long);
}

/** Classifies a sentence as small talk; undefined for other sentences. */
export function findSmallTalk(sentence: string): SmallTalk | undefined {
  const said = spokenText(sentence);
  return said.length > 120 ? undefined : KINDS.find((kind) => kind.pattern.test(said));
}

function introduction({ agentName, facts }: Grounding, sentences: number, opening = ''): string {
  const own = facts
    .slice(0, sentences)
    .filter((fact) => fact.trim() !== '')
    .map((fact) => (fact.length <= LONGEST_FACT ? fact : `${cutText(fact, LONGEST_FACT).replace(/\s+\S*$/, '')} …`));
  const named = own[0] !== undefined && /^I(?: am|['’]m)\b/.test(own[0]);
  return [named ? opening.replace(', ', '.').trim() : `${opening}I am ${agentName}.`, ...own].filter((part) => part !== '').join(' ');
}
