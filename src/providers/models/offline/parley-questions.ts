import type { Grounding } from '../chat-model.js';

/** Words by which a question is about Parley, alone. */
const STRONG =
  /\b(?:parley|(?:the|this|your|my) server|plugins?|webhooks?|api|endpoints?|backups?|databases?|sqlite|postgres(?:ql)?|npm|node\.?js|websockets?|socket\.io|sse|llms?|ollama|openai|anthropic|elizaos|eliza|cors|sdk|(?:user|session|api) (?:tokens?|keys?)|transcri\w+|speech|audio|user tokens?|typescript|environment variables?|env|docker|language models?|[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/i;
/** Words that a question about Parley has, and others may have too. */
const WEAK =
  /\b(?:servers?|sessions?|tokens?|models?|data|stored|storage|saved|ports?|host|hosts|hosted|logs?|config(?:uration|ure)?|settings?|clients?|routes?|migrations?|module|journal|recall|channels?|agents?|characters?|encrypt\w*|permissions?|install\w*|upgrade|update|disk|rate limits?|limits?|health|metrics|json|http|url|version|restarts?|crash(?:es)?|voices?|restore|provider|credentials?|headers?|requests?|messages?|errors?|uploads?|documents?|files?|console|logins?|browsers?|secrets?|actions?|node|address|javascript|python|plugin|licen[cs]e|memory|secure|protect|encrypted)\b/gi;
/** A setting or an error code. */
export const SETTING_NAME = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/;
const PROBLEM =
  /\b(?:not|n't|cannot|can't|won't|fail(?:s|ed|ing)?|errors?|crash(?:es|ed)?|broken|stuck|refused|expired|full|lost)\b|n't\b/i;
/** "I get 429 all the time", "my request gets 401 unauthorised", "I got ECONNREFUSED"; not "I got 500 euros". */
const FAULT_CODE =
  /\b(?:gets?|got|getting|sees?|returns?|receives?|gives?|status|error)\b.*\b(?:E[A-Z]{5,}\b|(?:40[0-9]|41[03]|42[29]|50[0-47])\b(?! ?(?:[€$£%]|euros?|dollars?|pounds|people|users|points|k[gm]\b|m\b|miles|metres|cents|(?!errors|always|sometimes|responses|requests)\w+s\b)))/;
/** "I set a key but the answers are the same". */
const WITHOUT_EFFECT = /\b(?:but|although|though|yet|even though)\b.*\b(?:still|nothing|same|again|always|never|no)\b/i;
/** "I forgot the password for the console", "my agent forgot my name". */
const FORGOTTEN = /\b(?:agent|server|iris) (?:has |have )?forg[eo]t|\bforg[eo]t\w* .*\b(?:key|password|login|console)\b/i;

/**
 * Whether a character is there to explain Parley: its biography begins with it, as "I am Iris, the guide to Parley." does. Only such a character
 * quotes the guides and names settings; people who talk to the agent of a shop cannot set any.
 */
export function isGuide({ facts }: Pick<Grounding, 'facts'>): boolean {
  return /\bParley\b(?!\s+\p{Lu})/u.test(facts[0] ?? '');
}

/** Whether a question to the guide to Parley is about Parley, this server or how to run it. */
export function isAboutParley(question: string): boolean {
  return STRONG.test(question) || SETTING_NAME.test(question) || question.match(WEAK) !== null;
}

/** Whether a text names the setting or error code that a question names, if any. */
export function namesSetting(question: string, text: string): boolean {
  const named = SETTING_NAME.exec(question)?.[0];
  return named === undefined || text.includes(named);
}

/** Whether a statement tells of a fault of the server: "the server does not start". */
export function isProblem(statement: string): boolean {
  return (
    FAULT_CODE.test(statement) || ([PROBLEM, FORGOTTEN, WITHOUT_EFFECT].some((kind) => kind.test(statement)) && isAboutParley(statement))
  );
}

/** The term of "what is a plugin?"; undefined for other questions. */
export function definedTerm(question: string): string | undefined {
  return /^(?:what(?:'s| is| are| does)|define|explain)(?: an?| the)? ([\w-]+?)s?(?: mean| stand for)?\s*[?.!]*$/i.exec(question)?.[1];
}

/** Whether a text begins with the meaning of a term. */
export function defines(text: string, term: string): boolean {
  return new RegExp(`^(?:an? |the )?${term}(?:: | is (?:an? |one |the )| are | stands for )`, 'i').test(text);
}
