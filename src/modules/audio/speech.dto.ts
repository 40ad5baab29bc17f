import { Type } from 'class-transformer';
import { IsIn, IsNumber, IsObject, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import { IfPresent, IsFilledText, IsUuidText } from '../../core/http/index.js';
import type { AudioFormat, SpeechSynthesizer, Voice } from '../../providers/speech/index.js';

export const LONGEST_TEXT = 100_000;
export const LONGEST_SPEECH = 1_000_000;
export const LONGEST_NAME = 255;
export const LONGEST_LANGUAGE = 35;
export const SLOWEST = 0.25;
export const FASTEST = 4;
const FORMATS: Readonly<Record<string, AudioFormat>> = { wav: 'wav', mp3: 'mp3', mpeg: 'mp3', ogg: 'ogg' };
export const FORMAT_NAMES = Object.keys(FORMATS);

/** Voice and language. */
export class VoiceChoiceBody {
  /**
   * Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's
   * voice.
   */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  voice?: string;

  /** BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
  @IfPresent()
  @IsFilledText(LONGEST_LANGUAGE)
  language?: string;
}

/** Speech options. */
export class SpeechOptionsBody extends VoiceChoiceBody {
  /** `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`. */
  @IfPresent()
  @IsIn(FORMAT_NAMES)
  format?: string;

  /** Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
  @IfPresent()
  @IsNumber()
  @Min(SLOWEST)
  @Max(FASTEST)
  speed?: number;
}

/** Fields that both synthesis operations share. */
export class SpokenBody extends SpeechOptionsBody {
  /** Speech options; they take precedence over the same fields beside `text`. */
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => SpeechOptionsBody)
  options?: SpeechOptionsBody;
}

/** Body of `POST /api/audio/{agentId}/speech/generate`. */
export class GenerateSpeechBody extends SpokenBody {
  /** The text to speak. Markdown, emoji and links are omitted or read as a person would. */
  @IsFilledText(LONGEST_SPEECH)
  text!: string;

  /** Accepted for compatibility and ignored: no engine supports it. */
  @IfPresent()
  @IsNumber()
  pitch?: number;
}

/** Body of `POST /api/audio/{agentId}/audio-messages/synthesize`: `text` or `messageId`. */
export class SynthesizeBody extends SpokenBody {
  /** The text to speak. Markdown, emoji and links are omitted or read as a person would. */
  @ValidateIf(({ messageId, text }: SynthesizeBody) => messageId === undefined || text !== undefined)
  @IsFilledText(LONGEST_SPEECH)
  text?: string;

  /** Id of a message in a channel of the agent; its text is spoken. */
  @IfPresent()
  @IsUuidText()
  messageId?: string;
}

/** A voice of the engine. */
export class VoiceView {
  /** Id for the field `voice`. */
  id!: string;
  name!: string;
  /** BCP 47 tag. */
  language!: string;
  gender?: string;
  description?: string;
  /** Whether this is the engine's default voice. */
  isDefault!: boolean;
}

/** The voices that an agent can use. */
export class VoicesView {
  /** Provider of the engine, such as `embedded` or `openai`. */
  provider!: string;
  /** Name of the engine or model. */
  engine!: string;
  /** Supported languages (BCP 47); null when the engine accepts any. */
  languages!: string[] | null;
  /** Voice in the agent's character; null when the character names none. */
  agentVoice!: string | null;
  voices!: VoiceView[];
}

/** Speech options of a request, for every interface. */
export interface SpeechOptions {
  readonly voice?: string;
  readonly language?: string;
  readonly speed?: number;
}

export function toOptions(body: SpeechOptionsBody & { readonly options?: SpeechOptionsBody }): SpeechOptions {
  const { options = {} } = body;
  return { voice: options.voice ?? body.voice, language: options.language ?? body.language, speed: options.speed ?? body.speed };
}

/** @returns undefined when the body has no format */
export function toFormat(body: { readonly format?: string; readonly options?: { readonly format?: string } }): AudioFormat | undefined {
  const word = body.options?.format ?? body.format;
  return word === undefined ? undefined : FORMATS[word];
}

export function presentVoices(
  { provider, engine, languages }: SpeechSynthesizer,
  voices: readonly Voice[],
  agentVoice: string | undefined,
): VoicesView {
  return {
    provider,
    engine,
    languages: languages ? [...languages] : null,
    agentVoice: agentVoice ?? null,
    voices: voices.map((voice) => ({ ...voice })),
  };
}
