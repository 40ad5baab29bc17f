import type { PostMessage } from './messages.types.js';

// Without surrogate pairs: `mentions` inspects neighbouring characters as single code units.
const WORD = /(?:(?![\u{10000}-\u{10FFFF}])[\p{L}\p{N}_])+/gu;

interface Candidate {
  readonly id: string;
  readonly name: string;
}

/**
 * Selects the agents that reply to a user's message: the addressed agent, otherwise the agents that the text mentions, otherwise the
 * first agent of the channel. A message without an addressee gets exactly one reply.
 *
 * @param present the running agents of the channel, in joining order
 */
export function responders<T extends Candidate>(message: Pick<PostMessage, 'content' | 'metadata'>, present: readonly T[]): T[] {
  const target = message.metadata?.['targetAgentId'];
  const addressed = typeof target === 'string' ? present.filter(({ id }) => id === target.toLowerCase()) : [];
  if (addressed.length > 0) return addressed;
  if (present.length < 2) return [...present];
  const text = message.content.toLowerCase();
  const words = new Set(text.match(WORD));
  const named = present.filter(({ name }) => mentions(text, words, name.toLowerCase()));
  return named.length > 0 ? named : present.slice(0, 1);
}

/**
 * Whether the text contains the name as a whole word; both in lower case.
 *
 * @param words the words of the text, so that a channel with thousands of agents does not search the text for each of them
 */
function mentions(text: string, words: ReadonlySet<string>, name: string): boolean {
  const parts = name.match(WORD) ?? [];
  if (parts[0] === name) return words.has(name);
  if (!parts.every((word) => words.has(word))) return false;
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + name.length])) return true;
  }
  return false;
}
