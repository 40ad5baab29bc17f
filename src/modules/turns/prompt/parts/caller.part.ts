import { Injectable } from '@nestjs/common';
import type { PartContent, PromptPart, PromptTurn } from '../prompt-part.js';

/** The instructions of the caller of a protocol, behind those of the agent. */
@Injectable()
export class CallerPart implements PromptPart {
  readonly name = 'caller';

  async prepare({ request, count }: PromptTurn): Promise<PartContent> {
    const section = request?.instructions ?? '';
    return { section, tokens: section === '' ? 0 : count(section) };
  }
}
