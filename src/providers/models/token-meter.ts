import { Injectable } from '@nestjs/common';
import { KnownTexts } from '../../core/text/index.js';
import { BoundedCache } from '../sdk/index.js';
import type { ChatModel, ChatRequest } from './chat-model.js';
import { isCut, keyOf } from './context-limits.js';
import { estimateTokens } from './tokens.js';

/** Kept texts, characters in total: about 4 MB at most. */
const MAX_CACHED_CHARACTERS = 1_000_000;
/** A shorter prompt says more about what the service adds than about the model's tokens. */
const SHORTEST_PROMPT = 300;
const [LOWEST, HIGHEST] = [0.5, 2];
const WEIGHT_OF_NEW = 0.2;
/** Characters of a prompt that is counted at once. */
const LONGEST_PROMPT = 400_000;
/** The first prompts are all counted, then one of so many: to count a prompt takes milliseconds. */
const ALL_OF_FIRST = 3;
const ONE_OF = 16;
const MOST_CHARACTERS = 4;
/** No model reads more characters of a prompt in a token. */
const CHARACTERS_AT_MOST = 8;
// Some services report a prompt without the part that they had cached. Other texts of a model differ less from what is known of it.
const WITHOUT_CACHED = 0.6;

type Model = Pick<ChatModel, 'provider' | 'modelId'>;

interface Calibration {
  ratio: number;
  reports: number;
}

/**
 * Converts between tokens as a model counts them and estimated tokens. The ratio of each model is learned from the usage that its service
 * reports for whole prompts, is smoothed, and stays between 0.5 and 2. It is kept in memory only; it is 1 until the first report. A number that
 * cannot be true is not learned: more tokens than bytes, fewer than one for eight characters, or far fewer than the model's ratio says.
 */
@Injectable()
export class TokenMeter {
  private readonly models = new BoundedCache<Calibration>();
  private readonly counts = new KnownTexts<number>(MAX_CACHED_CHARACTERS);

  /** Estimated tokens of a text, as `estimateTokens`; those of texts that repeat are cached. */
  count(text: string): number {
    return this.counts.of(text, estimateTokens);
  }

  /** How many estimated tokens correspond to a number of tokens of the model. */
  toEstimated(model: Model, tokens: number): number {
    return tokens / (this.models.get(keyOf(model))?.ratio ?? 1);
  }

  /**
   * Learns from a prompt and the input tokens that the service reported for it. Prompts with files, and very long ones, are left out.
   *
   * @returns the tokens of the prompt when the service has read only a part of it (`isCut`), else undefined
   */
  learn(
    model: Model,
    { messages, tools = [] }: Pick<ChatRequest, 'messages' | 'tools'>,
    inputTokens: number | undefined,
  ): number | undefined {
    if (inputTokens === undefined || !(inputTokens > 0) || !Number.isFinite(inputTokens)) return undefined;
    if (messages.some((message) => message.role === 'user' && message.files !== undefined)) return undefined;
    const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
    if (characters > LONGEST_PROMPT) return undefined;
    const calibration = this.models.getOrCreate(keyOf(model), () => ({ ratio: 1, reports: 0 }));
    calibration.reports += 1;
    // A token has at most about this many characters of plain text, so a prompt that is not longer was read whole.
    const mayBeCut = characters > inputTokens * MOST_CHARACTERS;
    if (!mayBeCut && calibration.reports > ALL_OF_FIRST && calibration.reports % ONE_OF !== 0) return undefined;
    // Paragraph by paragraph, because most of a prompt repeats.
    const texts = [...messages.flatMap(({ content }) => content.split('\n\n')), ...tools.map((tool) => JSON.stringify(tool))];
    const estimated = texts.reduce((sum, text) => sum + this.count(text), 0);
    if (estimated < SHORTEST_PROMPT) {
      calibration.reports -= 1;
      return undefined;
    }
    const isCalibrated = calibration.reports > 1;
    const counted = Math.round(estimated * (isCalibrated ? calibration.ratio : 1));
    if (mayBeCut && isCut(inputTokens, counted, isCalibrated)) {
      calibration.reports -= 1;
      return counted;
    }
    const known = isCalibrated ? calibration.ratio : 0;
    if (!canBeTrue(inputTokens, texts) || inputTokens / estimated < known * WITHOUT_CACHED) {
      calibration.reports -= 1;
      return undefined;
    }
    const ratio = Math.min(Math.max(inputTokens / estimated, LOWEST), HIGHEST);
    calibration.ratio = calibration.reports === 1 ? ratio : calibration.ratio + WEIGHT_OF_NEW * (ratio - calibration.ratio);
    return undefined;
  }
}

function canBeTrue(reported: number, texts: readonly string[]): boolean {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return reported * CHARACTERS_AT_MOST >= characters && reported <= texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
