import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { BoundedCache } from '../sdk/index.js';
import type { ChatModel } from './chat-model.js';

/** How long a smaller share is used before a larger one is tried again: the operator may have given the model more room. */
const KEPT_MS = 3_600_000;
const HALF = 0.5;
/** Of a context, for the prompt: the rest is for the response, and for what the estimate misses. */
const FOR_PROMPT = 0.75;
const SMALLEST = 0.05;
/** The smallest context that Ollama has by itself, tokens. */
const SMALLEST_CONTEXT = 1024;
// How much larger than reported a prompt has to be: where the model's tokens are known, and where they are estimated.
const CLEARLY_LARGER = 1.2;
const MUCH_LARGER = 1.5;

type Model = Pick<ChatModel, 'provider' | 'modelId'>;

/** Remembers, for each model, which share of the budgets of a prompt it can read. In memory only. */
@Injectable()
export class ContextLimits {
  private readonly shares = new BoundedCache<{ share: number; until: number }>();

  constructor(private readonly clock: Clock) {}

  /** The share of the budgets to begin with, 0 to 1. */
  shareOf(model: Model): number {
    const known = this.shares.get(keyOf(model));
    return known === undefined || known.until <= this.clock.now() ? 1 : known.share;
  }

  /** Remembers the share of a prompt that the model could read after it could not read a larger one. */
  remember(model: Model, share: number): void {
    const kept = this.shares.getOrCreate(keyOf(model), () => ({ share, until: 0 }));
    Object.assign(kept, { share, until: this.clock.now() + KEPT_MS });
  }
}

/**
 * The next smaller share of the budgets.
 *
 * @param promptTokens of the prompt that was too long
 * @param contextTokens the limit of the model, where the service says it
 */
export function smallerShare(share: number, promptTokens: number, contextTokens: number | undefined): number {
  const fitting = contextTokens === undefined || promptTokens === 0 ? HALF : (contextTokens * FOR_PROMPT) / promptTokens;
  return Math.max(SMALLEST, share * Math.min(fitting, 0.9));
}

/**
 * Whether a service has read only a part of a prompt without saying so, as Ollama does beyond `num_ctx`: it reports far fewer tokens than
 * the prompt has, and about as many as a context has. A report of what was not cached is far smaller.
 *
 * @param counted tokens of the prompt, by Parley
 * @param isCalibrated whether the model's tokens are known from other prompts
 */
export function isCut(reported: number, counted: number, isCalibrated: boolean): boolean {
  if (reported < SMALLEST_CONTEXT || counted < reported * CLEARLY_LARGER) return false;
  const context = 2 ** Math.ceil(Math.log2(reported));
  const isFull = reported > context * FOR_PROMPT;
  return isFull && counted > reported * (isCalibrated ? CLEARLY_LARGER : MUCH_LARGER);
}

/** What names a model among those of all services. */
export function keyOf({ provider, modelId }: Model): string {
  return `${provider} ${modelId}`;
}
