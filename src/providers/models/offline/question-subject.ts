const FIRST = /\b(?:i|i'(?:m|ve|d|ll)|me|my|mine|myself|we|us|our|ours|we'(?:re|ve|ll))\b/i;
const SECOND = /\b(?:you|your|yours|yourself|you'(?:re|ve|ll|d))\b/i;

const THIRD = /\b(?:he|she|him|his|her|hers)\b/i;

/** Questions about what one can do: "how do I get there?", "do I need a key?", "may I pay by card?". */
const HOW_TO = new RegExp(
  [
    String.raw`^how (?:do|does|can|could|should|would|may|must|shall|to)\b(?! (?:i|we) (?:look|feel|like|spell|usually|take my|drink my|get to work))`,
    String.raw`^(?:can|could|may|should|must|shall|would|will) (?:i|we|my|our)\b`,
    String.raw`^(?:(?:until|till|by|from|since|for|at|in|to|with) )?(?:where|when|what|which \w+|who|why|how (?:much|many|long|often|far)(?: \w+)?) (?:can|could|should|may|must|shall|would|will) (?:i|we|my|our)\b`,
    String.raw`^(?:where|when|what|which \w+|why|how (?:much|many|long|often)(?: \w+)?) (?:do|does) (?:i|we|my \w+) (?:need|have to|put|set|write|type|find|get|see|start|begin|download|configure|install|send|run|pay|wait|use to|change|enter|register|log)\b`,
    String.raw`\b(?:do|does) (?:i|we) (?:need|have to)\b`,
    String.raw`^why (?:do|does|did|is|are|am|can't|won't|doesn't|isn't)\b`,
    String.raw`^(?:is|are) (?:there|it)\b`,
    String.raw`^what (?:happens|if|about)\b`,
  ].join('|'),
  'i',
);
/** What belongs to the server more than to the user's life: "where is my data?". */
const OF_THE_SERVER =
  /\b(?:my|our) (?:\w+ )?(?:data|database|sessions?|plugins?|api keys?|keys?|tokens?|agents?|characters?|server|installation|backups?|webhooks?|messages|logs?|password|requests?|routes?|settings|client|model|voice|character files?|order|reservation)\b/i;
const TO_THE_AGENT =
  /^(?:do|did|are|were|will|would|can|could|have|has|should) you\b|^(?:what|where|who|when|how|why|which)\b[^,]*\b(?:are|do|did|were|will|would|can|could|have|should) you\b|\byour\b/i;

/** Whom a question is about, which decides where its answer is looked for. */
export type Subject = 'user' | 'agent' | 'world';

/**
 * @param question without "do you know" and the like
 * @param remembering whether it was asked as "do you remember"
 */
export function subjectOf(question: string, remembering = false): Subject {
  if (remembering) return 'user';
  if (FIRST.test(question) && !HOW_TO.test(question) && !OF_THE_SERVER.test(question)) {
    if (/\bwhat (?:do|did) you (?:know|remember|learn|recall)\b/i.test(question)) return 'user';
    if (!TO_THE_AGENT.test(question) || /\bmy\b(?!.*\byour\b)/i.test(question.replace(/^(?:do|did|are|will|can) you\b.*$/i, ''))) {
      return 'user';
    }
  }
  if (SECOND.test(question)) return 'agent';
  // Only the user has spoken of such a person.
  return THIRD.test(question) ? 'user' : 'world';
}

/** Whether a question asks what the agent likes or thinks, which facts about the world do not tell. */
export function asksOpinion(question: string): boolean {
  return /\byou (?:really |ever |still )?(?:like|love|enjoy|prefer|hate|think|believe|feel|want|dream|miss)\b/i.test(question);
}

/** Whether both questions speak of the same person: "where do I live?" is not "where do you live?". */
export function sameSubject(question: string, other: string): boolean {
  const [a, b] = [subjectOf(question), subjectOf(other)];
  return a === b || (a !== 'user' && b !== 'user');
}
