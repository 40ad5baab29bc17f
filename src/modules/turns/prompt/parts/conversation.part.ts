import { Injectable } from '@nestjs/common';
import type { Config } from '../../../../core/config/index.js';
import type { SentMessage } from '../../requests/turn-request.js';
import { newestThatFit, toChatMessages } from '../sent-conversation.js';
import { toChatMessage } from '../prompt-conversation.js';
import type { PartContent, PromptPart, PromptTurn } from '../prompt-part.js';

/** The messages before the one to reply to, as many as fit. */
@Injectable()
export class ConversationPart implements PromptPart {
  readonly name = 'conversation';

  budget({ conversationTokens }: Config): number {
    return conversationTokens;
  }

  async prepare({ turn: { message }, isOffline, ...turn }: PromptTurn): Promise<PartContent> {
    if (turn.request?.messages) return this.sent(turn, turn.request.messages);
    const [{ lines, tokens, leftOut, isShared }, { byMessage }] = await Promise.all([turn.conversation, turn.attached]);
    const isNamed = isShared && !isOffline;
    const said = lines.filter(({ speaker }) => speaker === message.authorId).map(({ text, at }) => ({ text, at }));
    return {
      messages: lines.map((line) => toChatMessage(line, isNamed, isOffline ? undefined : byMessage.get(line.messageId))),
      tokens,
      record: { messages: lines.length, leftOut },
      ...(isOffline && { grounding: { memories: said } }),
    };
  }

  /** All that a caller sent, as long as the model can read it. */
  private async sent(
    { attached, count, share }: Pick<PromptTurn, 'attached' | 'count' | 'share'>,
    all: readonly SentMessage[],
  ): Promise<PartContent> {
    const { before } = toChatMessages(all, (await attached).byMessage);
    const whole = newestThatFit(before, Infinity, count);
    const { messages, tokens } = share === 1 ? whole : newestThatFit(before, whole.tokens * share, count);
    return { messages, tokens, budget: tokens, record: { messages: messages.length, leftOut: before.length - messages.length } };
  }
}
