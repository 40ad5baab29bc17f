import { Injectable } from '@nestjs/common';
import type { Config } from '../../../../core/config/index.js';
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
}
