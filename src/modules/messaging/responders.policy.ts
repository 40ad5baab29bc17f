import type { PostMessage } from './messages.types.js';

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
  const named = present.filter(({ name }) => mentions(message.content, name));
  return named.length > 0 ? named : present.slice(0, 1);
}

/** Whether the text has the name as a word of its own. */
function mentions(text: string, name: string): boolean {
  const [said, wanted] = [text.toLowerCase(), name.toLowerCase()];
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = said.indexOf(wanted); at !== -1; at = said.indexOf(wanted, at + 1)) {
    if (!isWord(said[at - 1]) && !isWord(said[at + wanted.length])) return true;
  }
  return false;
}
