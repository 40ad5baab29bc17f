import { Injectable } from '@nestjs/common';
import type { PartContent, PromptPart, PromptTurn } from '../prompt-part.js';

/** The text of the context providers of plugins. */
@Injectable()
export class ProvidersPart implements PromptPart {
  readonly name = 'providers';
  readonly hasOwnStages = true;

  async prepare({ state, count }: PromptTurn): Promise<PartContent> {
    const { text } = await state;
    if (text === '') return { tokens: 0 };
    return {
      messages: [{ role: 'system', content: `# What is the case now\n${text}` }],
      tokens: count(text),
      grounding: { facts: text.split('\n').filter((line) => line.trim() !== '') },
    };
  }
}
