/** Words by which a question is about Parley, alone. */
const STRONG =
  /\b(?:parley|(?:the|this|your|my) server|plugins?|webhooks?|api|endpoints?|backups?|databases?|sqlite|postgres(?:ql)?|npm|node\.?js|websockets?|socket\.io|sse|llms?|ollama|openai|anthropic|elizaos|eliza|cors|sdk|(?:user|session|api) (?:tokens?|keys?)|transcri\w+|speech|audio|user tokens?|typescript|environment variables?|env|docker|language models?|[A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/i;
/** Two of these are needed. */
const WEAK =
  /\b(?:servers?|sessions?|tokens?|models?|data|stored|storage|saved|ports?|host|hosts|hosted|logs?|config(?:uration|ure)?|settings?|clients?|routes?|migrations?|module|journal|recall|channels?|agents?|characters?|encrypt\w*|permissions?|install\w*|upgrade|update|disk|rate limits?|limits?|health|metrics|json|http|url|version|restarts?|crash(?:es)?|voices?|restore|provider|credentials?|headers?|requests?|messages?|error|file|files|browsers?|secrets?|actions?|node|address|javascript|python|plugin|licen[cs]e|memory|secure|protect|encrypted)\b/gi;
/** A setting or an error code. */
export const SETTING_NAME = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/;
const PROBLEM =
  /\b(?:not|n't|cannot|can't|won't|fail(?:s|ed|ing)?|errors?|crash(?:es|ed)?|broken|stuck|refused|expired|full|lost)\b|n't\b/i;
/**
 * Whether a question is about Parley, this server or how to run it.
 *
 * @param facts of the character; one that knows of Parley is asked about it in fewer words
 */
export function isAboutParley(question: string, facts: readonly string[] = []): boolean {
  const weak = new Set(question.toLowerCase().match(WEAK)).size;
  return STRONG.test(question) || SETTING_NAME.test(question) || weak > 1 || (weak === 1 && facts.some((fact) => fact.includes('Parley')));
}

/** Whether a text names the setting or error code that a question names, if any. */
export function namesSetting(question: string, text: string): boolean {
  const named = SETTING_NAME.exec(question)?.[0];
  return named === undefined || text.includes(named);
}

/** Whether a question may be about Parley, if nothing else answers it. */
export function maybeAboutParley(question: string): boolean {
  return /^(?:how|where|which|what|can|is|does)\b/i.test(question) && question.match(WEAK) !== null;
}

/** Whether a statement tells of a fault of the server: "the server does not start". */
export function isProblem(statement: string, facts: readonly string[]): boolean {
  return PROBLEM.test(statement) && isAboutParley(statement, facts);
}

/** The term of "what is a plugin?"; undefined for other questions. */
export function definedTerm(question: string): string | undefined {
  return /^(?:what(?:'s| is| are| does)|define|explain)(?: an?| the)? ([\w-]+?)s?(?: mean| stand for)?\s*[?.!]*$/i.exec(question)?.[1];
}

/** Whether a text begins with the meaning of a term. */
export function defines(text: string, term: string): boolean {
  return new RegExp(`^(?:an? |the )?${term}(?:: | is (?:an? |one |the )| are | stands for )`, 'i').test(text);
}
