import { cutText } from '../../../core/text/index.js';
import type { ChatMessage } from '../../../providers/models/index.js';
import { oneLine, type ConversationSummary, type RememberedMessage } from '../../memory/index.js';
import { attachmentsOf, type Message } from '../../messaging/index.js';
import type { AttachedContent } from './attached-files.js';

/** Length of the excerpt of each earlier message that the last one refers to, characters. */
const CONTEXT_LENGTH = 200;
const MAX_NAME_LENGTH = 60;

/** The conversation before a message, as the agent remembers it. */
export interface PromptConversation {
  /** The messages that the prompt shows, oldest first. */
  readonly lines: readonly ConversationLine[];
  /** Of the lines, estimated. */
  readonly tokens: number;
  /** Messages that do not fit, and that no summary has. */
  readonly leftOut: number;
  /** Of the messages before the lines. */
  readonly summary: ConversationSummary | undefined;
  /** Position in the channel up to which the conversation should be summarised; undefined while it need not be. */
  readonly summariseThrough: number | undefined;
  /** All messages that the agent remembers, also those that the prompt does not show. */
  readonly remembered: readonly RememberedMessage[];
  /** Messages that are not in the agent's memory yet; they are recorded with the reply. */
  readonly unrecorded: readonly Message[];
  /** Authors in the channel. */
  readonly speakers: readonly string[];
  /** Whether the prompt shows messages of several users. */
  readonly isShared: boolean;
}

export interface ConversationLine {
  readonly messageId: string;
  readonly role: 'user' | 'agent';
  readonly speaker: string;
  readonly name: string | null;
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
  readonly seq: number;
  readonly hasFiles: boolean;
}

export function fromMemory({ authorId, authorName, ...line }: RememberedMessage): ConversationLine {
  return { ...line, speaker: authorId, name: authorName };
}

export function fromMessage(message: Message, agentId: string): ConversationLine {
  return {
    messageId: message.id,
    role: message.authorId === agentId ? 'agent' : 'user',
    speaker: message.authorId,
    name: message.authorName,
    text: message.content,
    at: message.createdAt,
    seq: message.seq,
    hasFiles: attachmentsOf(message).length > 0,
  };
}

/**
 * A line as a message for the model.
 *
 * @param isNamed whether users' lines begin with their names
 * @param note    a text behind the files
 */
export function toChatMessage(line: ConversationLine, isNamed: boolean, files: AttachedContent | undefined, note = ''): ChatMessage {
  const { role, name, text } = line;
  const said = isNamed && role === 'user' && name !== null ? `${oneLine(name)}: ${text}` : text;
  const content = [said, files?.text ?? '', note].filter((part) => part !== '').join('\n');
  if (role === 'agent') return { role: 'assistant', content };
  return { role: 'user', content, ...(files && files.files.length > 0 ? { files: files.files } : {}) };
}

/** What a message refers to: the last message of a user and of the agent, cut, and the former as it is. Empty when there are none. */
export function contextOf(lines: readonly ConversationLine[]): { readonly context?: string; readonly previous?: string } {
  const [user, agent] = (['user', 'agent'] as const).map((role) => lines.findLast((line) => line.role === role)?.text);
  const texts = [user, agent].filter((text) => text !== undefined);
  if (texts.length === 0) return {};
  const context = texts.map((text) => cutText(oneLine(cutText(text, 2 * CONTEXT_LENGTH)), CONTEXT_LENGTH)).join(' ');
  return { context, ...(user === undefined ? {} : { previous: user }) };
}

/** The name of a user in a prompt; empty for one without a name. */
export function shownName(name: string | null): string {
  return cutText(oneLine(name ?? ''), MAX_NAME_LENGTH);
}
