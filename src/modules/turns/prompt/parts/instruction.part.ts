import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../core/clock/index.js';
import { localTime } from '../local-time.js';
import { shownName } from '../prompt-conversation.js';
import type { PartContent, PromptPart, PromptTurn } from '../prompt-part.js';

const INSTRUCTION = 'Answer the last message of the conversation as yourself. Reply with the text of your message only.';

/** The time, the user, and what to do. */
@Injectable()
export class InstructionPart implements PromptPart {
  readonly name = 'instruction';

  constructor(private readonly clock: Clock) {}

  async prepare({ turn: { message, channel }, conversation, count }: PromptTurn): Promise<PartContent> {
    const { isShared } = await conversation;
    const name = shownName(message.authorName);
    const user = name === '' ? '' : isShared ? ` The last message is from ${name}.` : ` You are talking with ${name}.`;
    const section = `It is ${localTime(this.clock.now(), [message.metadata, channel.metadata])}.${user} ${INSTRUCTION}`;
    return { section, tokens: count(section) };
  }
}
