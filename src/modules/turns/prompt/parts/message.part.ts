import { Injectable } from '@nestjs/common';
import { describeExternalAttachments } from '../attached-files.js';
import { toChatMessages } from '../sent-conversation.js';
import { fromMessage, toChatMessage } from '../prompt-conversation.js';
import type { PartContent, PromptPart, PromptTurn } from '../prompt-part.js';

/** The message to reply to, with its files. */
@Injectable()
export class MessagePart implements PromptPart {
  readonly name = 'message';

  async prepare({ turn: { message, agent }, isOffline, count, ...turn }: PromptTurn): Promise<PartContent> {
    const [{ isShared }, attached] = await Promise.all([turn.conversation, turn.attached]);
    if (turn.request?.messages) {
      const { current } = toChatMessages(turn.request.messages, attached.byMessage);
      return { messages: current, tokens: current.reduce((sum, { content }) => sum + count(content), 0) };
    }
    const files = attached.byMessage.get(message.id);
    const elsewhere = describeExternalAttachments(message, files);
    const line = fromMessage(message, agent.id);
    return {
      messages: [toChatMessage(line, isShared && !isOffline, isOffline ? undefined : files, elsewhere)],
      tokens: count(message.content),
    };
  }
}
