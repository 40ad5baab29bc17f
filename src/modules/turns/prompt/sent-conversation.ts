import type { ChatMessage } from '../../../providers/models/index.js';
import type { SentMessage } from '../requests/turn-request.js';
import type { AttachedContent } from './attached-files.js';
import type { ConversationLine } from './prompt-conversation.js';

/** A conversation as a caller sent it, for a model. */
export interface SentConversation {
  /** Before the last message of the user. */
  readonly before: readonly ChatMessage[];
  /** The last message of the user, and what follows it. */
  readonly current: readonly ChatMessage[];
}

/** @param files of messages with files, by the id of their message */
export function toChatMessages(sent: readonly SentMessage[], files: ReadonlyMap<string, AttachedContent>): SentConversation {
  const messages = sent.map((message) => toChatMessage(message, files));
  const last = sent.findLastIndex(({ role }) => role === 'user');
  return { before: messages.slice(0, Math.max(last, 0)), current: messages.slice(Math.max(last, 0)) };
}

/** The texts before the last message of the user, as the conversation that recall and file selection read. */
export function toLines(sent: readonly SentMessage[], userId: string, agentId: string): ConversationLine[] {
  const last = sent.findLastIndex(({ role }) => role === 'user');
  return sent.slice(0, Math.max(last, 0)).flatMap((message): ConversationLine[] => {
    if (message.role === 'tool' || message.text === '') return [];
    const isUser = message.role === 'user';
    const messageId = (isUser ? message.messageId : undefined) ?? '';
    return [
      {
        ...{ messageId, text: message.text, name: null, at: 0, seq: 0 },
        role: isUser ? 'user' : 'agent',
        speaker: isUser ? userId : agentId,
        hasFiles: messageId !== '',
      },
    ];
  });
}

/**
 * The newest messages that fit. A result stays with its call.
 *
 * @param tokens estimated
 */
export function newestThatFit(
  messages: readonly ChatMessage[],
  tokens: number,
  count: (text: string) => number,
): { readonly messages: readonly ChatMessage[]; readonly tokens: number } {
  let used = 0;
  let from = messages.length;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    used += count(textOf(messages[index]!));
    if (used > tokens) break;
    if (messages[index]?.role !== 'tool') from = index;
  }
  const kept = messages.slice(from);
  return { messages: kept, tokens: kept.reduce((sum, message) => sum + count(textOf(message)), 0) };
}

function toChatMessage(message: SentMessage, files: ReadonlyMap<string, AttachedContent>): ChatMessage {
  switch (message.role) {
    case 'user': {
      const attached = message.messageId === undefined ? undefined : files.get(message.messageId);
      const content = [message.text, attached?.text ?? ''].filter((part) => part !== '').join('\n');
      return { role: 'user', content, ...(attached && attached.files.length > 0 ? { files: attached.files } : {}) };
    }
    case 'assistant': {
      const { text: content, calls = [] } = message;
      return { role: 'assistant', content, ...(calls.length === 0 ? {} : { toolCalls: calls }) };
    }
    default:
      return { role: 'tool', content: message.text, toolCallId: message.callId, toolName: message.name };
  }
}

function textOf(message: ChatMessage): string {
  const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : '';
  return message.content + calls;
}
