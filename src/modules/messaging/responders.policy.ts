import type { PostMessage } from './messages.types.js';

// Without what takes two code units: the neighbours of a name are looked at one by one.
const WORD = /(?:(?![\u{10000}-\u{10FFFF}])[\p{L}\p{N}_])+/gu;

interface Present {
  readonly id: string;
  readonly name: string;
}

/**
 * Which of the agents in a channel owe an answer to a user's message: the one that the message is addressed to, else
 * those that its text names, else the first in the channel. One voice is enough where nobody in particular was asked,
 * and somebody always answers.
 *
 * @param present the running agents of the channel, in the order in which they joined
 */
export function responders<T extends Present>(message: Pick<PostMessage, 'content' | 'metadata'>, present: readonly T[]): T[] {
  const target = message.metadata?.['targetAgentId'];
  const addressed = typeof target === 'string' ? present.filter(({ id }) => id === target.toLowerCase()) : [];
  if (addressed.length > 0) return addressed;
  if (present.length < 2) return [...present];
  const said = message.content.toLowerCase();
  const words = new Set(said.match(WORD));
  const named = present.filter(({ name }) => mentions(said, words, name.toLowerCase()));
  return named.length > 0 ? named : present.slice(0, 1);
}

/**
 * Whether the text has the name as a word of its own; both in lower case.
 *
 * @param words the words of the text: in a channel with thousands of agents it is not searched for each of them
 */
function mentions(said: string, words: ReadonlySet<string>, wanted: string): boolean {
  const parts = wanted.match(WORD) ?? [];
  if (parts[0] === wanted) return words.has(wanted);
  if (!parts.every((word) => words.has(word))) return false;
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = said.indexOf(wanted); at !== -1; at = said.indexOf(wanted, at + 1)) {
    if (!isWord(said[at - 1]) && !isWord(said[at + wanted.length])) return true;
  }
  return false;
}
