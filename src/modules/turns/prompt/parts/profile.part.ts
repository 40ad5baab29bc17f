import { Injectable } from '@nestjs/common';
import type { PartContent, PromptPart, PromptTurn } from '../prompt-part.js';

/** What the agent knows about the user, in a conversation without other users. Its budget is that of recall, see `RecallStep`. */
@Injectable()
export class ProfilePart implements PromptPart {
  readonly name = 'profile';

  async prepare({ recalled }: PromptTurn): Promise<PartContent> {
    const { heading = [], lines = [], shown = [], tokens = 0 } = (await recalled).profile ?? {};
    return { section: [...heading, ...lines.map((line) => `- ${line}`)].join('\n'), tokens, record: shown.map(({ id }) => id) };
  }
}
