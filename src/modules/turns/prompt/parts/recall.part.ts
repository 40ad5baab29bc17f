import { Injectable } from '@nestjs/common';
import type { Config } from '../../../../core/config/index.js';
import { BY_WORDS_TOKENS } from '../recall.step.js';
import type { PartContent, PromptPart, PromptTurn } from '../prompt-part.js';

/** The offline responder picks from all that was found by its own rules, tokens. */
const OFFLINE_TOKENS = 20_000;

/** Memories that may matter for the message. The run has what was found (`RecallRecord`). */
@Injectable()
export class RecallPart implements PromptPart {
  readonly name = 'recall';

  budget({ recallTokens = BY_WORDS_TOKENS }: Config, isOffline: boolean): number {
    return isOffline ? OFFLINE_TOKENS : recallTokens;
  }

  async prepare({ turn: { message }, recalled, isOffline }: PromptTurn): Promise<PartContent> {
    const { heading, lines, tokens, budget, recall } = await recalled;
    const section = [...heading, ...lines.map((line) => `- ${line}`)].join('\n');
    const said = recall.memories.filter(({ authorId }) => authorId === message.authorId).map(({ text, at }) => ({ text, at }));
    return { section, budget, tokens: tokens.memories, ...(isOffline && { grounding: { memories: said } }) };
  }
}
