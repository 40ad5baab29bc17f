import { endOfText, sentencesIn } from '../../../core/text/index.js';
import { toldName } from './acknowledgements.js';
import { findSmallTalk, type SmallTalk } from './small-talk.js';
import { writtenOut } from './spelling.js';

/**
 * A part of a message that is answered by itself.
 * - `talk`: a greeting, thanks and the like
 * - `question`: a question, or a request for information
 * - `task`: work that needs a language model, such as a poem, or the world, such as the weather
 * - `wish`: what the user wants or cannot do; the character may know something about it
 * - `statement`: what the user tells
 * - `words`: keywords or nothing that can be understood
 */
export interface MessagePart {
  readonly kind: 'talk' | 'question' | 'task' | 'wish' | 'statement' | 'words';
  /** Without greeting, name of the agent and phrases such as "could you tell me". */
  readonly text: string;
  readonly talk?: SmallTalk;
  /** Whether the question asks what the agent remembers: "do you remember", "have I told you". */
  readonly remembering?: boolean;
}

// An abbreviation with the spaces behind it.
const LONGEST_END = 40;
const ABBREVIATION = /(?:^|\s)(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|e\.g|i\.e|etc|no|approx)\.\s*$/i;

const AUXILIARY = "(?:is|are|was|were|am|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|had)(?:n't)?";
const WH = '(?:what|which|whose|who|whom|where|when|why|how)';
const WH_STATEMENT = /^(?:what|how|when|where|why|whose) (?:i|my|we|our|he|she|they|his|her|their)\b(?!.*\?\s*$)/i;
const INVERTED = new RegExp(
  String.raw`^${AUXILIARY}\s+(?:i|you|he|she|it|we|they|my|your|his|her|our|their|the|there|this|that|these|those|an?|any|some|all|every\w*|\p{Lu}\S*)\b`,
  'iu',
);
const ASKING = new RegExp(String.raw`^(?:${WH}(?:'s|'re|\s+${AUXILIARY})\b|${INVERTED.source.slice(1)})`, 'iu');
const TELL_ME = /^(?:(?:tell|show|explain to|remind|teach) (?:me|us)|explain|describe|list|name|show)\b/i;

const WRAPPER =
  /^(?:(?:do|did|would|can|could|will) you (?:still |even |please |perhaps |maybe )?(?:happen to )?(?:know|tell me|remind me|explain(?: to me)?|show me|say)|(?:please )?(?:tell|show|remind) (?:me|us)|i (?:want|would like|'d like|need) to know|i'd like to know|i (?:was |am )?wonder(?:ing)?|i forgot|i don't know|any idea|(?:i have a |one more |another |quick )question)[,:]?\s+(?:about |if |whether )?(?=\S)/i;
const REMEMBERING =
  /^(?:(?:do|can|did) you (?:still )?(?:remember|recall)|(?:have|did) i (?:already |ever )?(?:told?|tell|mention(?:ed)?|say|said)(?: to)?(?: you)?)(?: (?:about|if|whether|that|of))?\s+(?=\S)/i;
const TOLD_TO_REMEMBER =
  /^(?:please )?(?:(?:can|could|would|will) you )?(?:please )?(?:(?:remember|note|keep in mind|don't forget|do not forget|know)(?:,| that)+|(?:remember|note):|(?:remember|don't forget|do not forget)(?=\s+(?:i|my|we|our|the)\b.*\b(?:is|are|was|were|am|have|has|will|like|love|live|need|must)\b)|for your information,?|fyi,?|you should know(?: that)?|just so you know,?|let me tell you(?: that)?|i (?:already )?told you that|i (?:want|wanted) to tell you that|did you know that)\s+/i;

const OPENING_WORD =
  /^(?:well|so|oh|um+|uh|actually|by the way|btw|and|but|also|anyway|now then|look|listen|please|in fact|of course|honestly|to be honest|haha|wow|hmm+|no wait|wait|sorry|excuse me|pardon me|ok|okay|yes|yeah|no|nope|sure|right|great|cool|nice|perfect|fine|alright|all right|good|then)(?:[,.!:;–—-]+\s*|\s+(?=(?:i|i'm|my|we|it|what|where|who|when|how|why|which|do|does|can|could|is|are|and|but|then|please|thanks|thank|that|this|you|there)\b))/i;

const COURTESY_SPLIT =
  /^((?:(?:ok(?:ay)?|great|perfect),? )?(?:many thanks|thanks|thank you|thx|ty|cheers|good ?bye|bye|good night|see you(?: later| soon| tomorrow)?|nice to meet you)(?: (?:a lot|so much|very much|again|for (?:the|your|that|this|telling|all)[^,.!?]*))*)\s*(?:[,!;:–—-]+|\b(?=and |but |bye))\s*(?:and |but )?(?=\S)/i;

const CLOSING = /,?\s+(please|many thanks|thanks(?: a lot| so much)?|thank you(?: very much| so much)?|thx|cheers)\s*([.!?]*)$/i;

const QUESTION_AFTER_COMMA = new RegExp(
  String.raw`(?:[,;:]\s+(?:and |but |so )?|\s+(?:and|but|so) )(?=(?:${WH}(?: much| many| long| old| far| often| \w+ time| (?:much|many) \w+)?(?:'s|'re|\s+${AUXILIARY})\b|(?:do|does|did|can|could|are|is|would|will|have) (?:you|i|we|there|it|this|that|they)\b))`,
  'i',
);

const TASK =
  /^(?:please )?(?:(?:can|could|would|will) (?:you|we) )?(?:please )?(?:help me (?:to )?)?(?:write|compose|translate|calculate|compute|solve|summari[sz]e|code|draw|paint|generate|sing|recite|rewrite|proofread|convert|google|recommend|suggest|play|imagine|invent|predict|book|email|buy|set (?:an? )?(?:alarm|timer|reminder)|remind me (?:in|at|to|on|tomorrow)|(?:tell|give|make|create|show|sing|read)(?: me| us)?(?: an?| another| some| the)? (?:\w+ )?(?:jokes?|story|stories|poems?|riddle|song|recipe|essay|script|function|fun fact|advice|picture|image|limerick|haiku|news|weather|time)|(?:fix|debug|explain|review|refactor|implement|optimi[sz]e|finish|improve) (?:(?:this|my|the|some|an?) )?(?:\w+ )?(?:code|function|script|bug|regex|query|essay|text|sentence|letter)|say something (?:funny|nice|clever)|what(?:'s| is) (?:the )?(?:meaning of life|news|date(?: today)?|time(?: now| is it)?|day(?: today)?)|what (?:time|day|date|year) is (?:it|today)(?: now| today)?|(?:what(?:'s| is)|how(?:'s| is)) the (?:current |local )?(?:weather|temperature|forecast|news)\b)/i;
const ARITHMETIC =
  /^(?:what(?:'s| is)|how much is|calculate|compute|solve)?\s*[\d\s().,]+(?:[-+*/x×÷^%]|plus|minus|times|divided by)[\d\s().,+*/x×÷^%=-]*\??$|square root|\b\d+ ?(?:percent|%) of \d/i;

const WISH =
  /^(?:i|we)(?:'d| would)? ?(?:(?:'m|'re| am| are) )?(?:really |also |just )?(?:want|need|wish|like to (?:know|order|buy|book|get|have|talk|use|see|add|make|build|run|set|start|change)|love to|prefer to|would like|looking for|searching for|interested in|trying to|have (?:a question|a problem|trouble|an issue|problems)|get(?:ting)? an? error|cannot|can't|could not|couldn't|don't (?:know how|understand|get (?:it|how)))\b/i;

const SUBJECT =
  /^(?:i|i'(?:m|ve|d|ll)|we|we'(?:re|ve|d|ll)|my|our|mine|he|she|they|it|(?:he|she|it|that|there|what)'s|they're|this|that|there|these|those|today|yesterday|tomorrow|tonight|last|next|now|every\w*|some\w*|no(?:body| one)|people|all|most|many|in|on|at|when|while|since|because|if|after|before|as|for|the|an?|his|her|their|your|what|how|where|why|whose|once)\b/i;
const VERB =
  /\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|can|could|will|would|should|must|might|may|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't|likes?|loves?|hates?|lives?|works?|wants?|needs?|plays?|eats?|drinks?|speaks?|knows?|thinks?|says?|said|told|goes|went|comes?|came|got|gets?|gave|gives?|takes?|took|makes?|made|sleeps?|starts?|stops?|died|moved|bought|sold|sees?|saw|feels?|felt|looks?|runs?|ran|reads?|writes?|wrote|teach(?:es)?|taught|studies|means?|costs?|keeps?|kept|left|leaves?|lost|found|won|met|broke|rains?|snows?|hurts?|became|becomes?|grew|born|\w+ed)\b|'(?:s|m|re|ve|ll|d)\b/i;
const NAMED_SUBJECT =
  /^(?:(?:Dr|Mrs?|Ms|Prof|St)\. )?\p{Lu}[\p{L}'-]*(?: (?:and )?\p{Lu}[\p{L}'-]*)* (?:is|are|was|were|has|have|had|can|will|likes|loves|hates|lives|works|wants|plays|eats|speaks|studies|got|went|came|says|said|died|moved|knows|sleeps|called|told)\b/u;

/** Splits a message into parts, in order; without greetings it may be empty. */
export function messageParts(message: string, agentName = ''): MessagePart[] {
  return sentences(writtenOut(message)).flatMap((sentence) => partsOf(sentence, agentName));
}

/** The sentences of a text, without whitespace around them. */
export function sentences(message: string): string[] {
  const found: string[] = [];
  for (const { segment } of sentencesIn(message)) {
    const before = found.at(-1);
    if (before !== undefined && ABBREVIATION.test(endOfText(before, LONGEST_END))) found[found.length - 1] = `${before}${segment}`;
    else found.push(segment);
  }
  return found.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function partsOf(sentence: string, agentName: string): MessagePart[] {
  const whole = withoutName(sentence, agentName);
  const talk = findSmallTalk(whole);
  if (talk !== undefined) return [{ kind: 'talk', text: whole, talk }];
  const greeted = withoutGreeting(whole, agentName);
  if (greeted !== undefined) {
    return [{ kind: 'talk', text: greeted.greeting, talk: findSmallTalk(greeted.greeting) }, ...partsOf(greeted.rest, agentName)];
  }
  const courtesy = COURTESY_SPLIT.exec(whole);
  if (courtesy !== null && findSmallTalk(courtesy[1]!) !== undefined) {
    return [...partsOf(courtesy[1]!, agentName), ...partsOf(whole.slice(courtesy[0].length), agentName)];
  }
  const closing = CLOSING.exec(whole);
  if (closing !== null && closing.index > 0) {
    const thanks = closing[1]!.toLowerCase() === 'please' ? [] : partsOf(closing[1]!, agentName);
    return [...partsOf(`${whole.slice(0, closing.index)}${closing[2]!}`, agentName), ...thanks];
  }
  const opening = OPENING_WORD.exec(whole);
  if (opening !== null && whole.length > opening[0].length) {
    const said = findSmallTalk(opening[0]);
    const rest = partsOf(whole.slice(opening[0].length), agentName);
    return said?.kind === 'greeting' ? [{ kind: 'talk', text: opening[0], talk: said }, ...rest] : rest;
  }
  const comma = QUESTION_AFTER_COMMA.exec(whole);
  if (comma !== null && comma.index > 0 && !ASKING.test(whole) && !WRAPPER.test(whole) && !TELL_ME.test(whole)) {
    const first = whole.slice(0, comma.index);
    if (WISH.test(first) && /\b(?:it|that|they|them|one|this)\b/i.test(whole.slice(comma.index))) {
      return [{ kind: 'question', text: whole }];
    }
    if (SUBJECT.test(first) && VERB.test(first) && !/^(?:if|when|while|since|because|after|before)\b/i.test(first)) {
      return [...partsOf(first, agentName), ...partsOf(whole.slice(comma.index + comma[0].length), agentName)];
    }
  }
  return [classify(whole)];
}

function classify(text: string): MessagePart {
  if (toldName(text) !== undefined && !/\?\s*$/.test(text)) return { kind: 'statement', text };
  if (ARITHMETIC.test(text) || TASK.test(text)) return { kind: 'task', text };
  const told = TOLD_TO_REMEMBER.exec(text);
  if (told !== null && !/^(?:what|where|who|when|how|why|which|me|my|us)\b[^,]*\?/i.test(text.slice(told[0].length))) {
    const rest = text.slice(told[0].length);
    if (SUBJECT.test(rest) || NAMED_SUBJECT.test(rest)) return { kind: 'statement', text: rest };
  }
  const remembering = REMEMBERING.exec(text);
  if (remembering !== null) return { kind: 'question', text: text.slice(remembering[0].length), remembering: true };
  const wrapper = WRAPPER.exec(text);
  if (wrapper !== null && isAskedFor(text.slice(wrapper[0].length), text)) {
    return { kind: 'question', text: text.slice(wrapper[0].length) };
  }
  if (/\?\s*$/.test(text) || TELL_ME.test(text) || isQuestion(text)) return { kind: 'question', text };
  if (WISH.test(text)) return { kind: 'wish', text };
  return { kind: isStatement(text) ? 'statement' : 'words', text };
}

/** "I forgot my key" tells something; "I forgot what my key is" asks. */
function isAskedFor(rest: string, whole: string): boolean {
  if (/^(?:i (?:forgot|don't know)|any idea)/i.test(whole)) return new RegExp(`^${WH}\\b`, 'i').test(rest);
  return true;
}

function isQuestion(text: string): boolean {
  if (WH_STATEMENT.test(text) && VERB.test(text)) return false;
  return ASKING.test(text) || new RegExp(`^(?:${WH}|any|anything)\\b`, 'i').test(text);
}

function isStatement(text: string): boolean {
  if (/^(?:i|we|you)\b/i.test(text)) return /^\S+\s+\S/.test(text) || /^(?:i|we|you)'/i.test(text);
  if (/^(?:my|our|your) (?:\S+ ){2}\S/i.test(text)) return true;
  if (/^(?:today|tomorrow|yesterday|tonight|now|soon|(?:last|next|this|on|in|at|every) \w+),? (?:i|we|my|our)\b/i.test(text)) return true;
  return (SUBJECT.test(text) && VERB.test(text)) || NAMED_SUBJECT.test(text);
}

const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|hullo|greetings|good (?:morning|afternoon|evening|day)|morning|evening)(?: (?:there|all|everyone|everybody|again))?(?=[\s,.!:;–—-]|$)/i;

function withoutGreeting(text: string, agentName: string): { greeting: string; rest: string } | undefined {
  const greeting = GREETING.exec(text)?.[0];
  if (greeting === undefined) return undefined;
  const rest = withoutName(text.slice(greeting.length).replace(/^[\s,.!:;–—-]+/, ''), agentName).replace(/^[\s,.!:;–—-]+/, '');
  return rest === '' ? undefined : { greeting, rest };
}

/** Without the agent's name where it is an address: "Iris, where are you?" and "where are you, Iris?". */
function withoutName(text: string, agentName: string): string {
  const name = agentName.trim().replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&');
  if (name === '') return text;
  const names = [name, ...name.split(' ').slice(0, 1)].join('|');
  return text
    .replace(new RegExp(`^(?:${names})\\s*(?:[,!:;–—-]+\\s*|$)`, 'iu'), '')
    .replace(new RegExp(`,?\\s+(?:${names})\\s*(?=[?.!]*$)`, 'iu'), (found, offset: number) =>
      found.startsWith(',') || GREETING.test(text.slice(0, offset)) || /^(?:thanks|thank you|bye|goodbye|good night)/i.test(text)
        ? ''
        : found,
    );
}
