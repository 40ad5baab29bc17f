import { Type } from 'class-transformer';
import { IsIn, IsNumber, IsObject, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import { IfPresent, IsFilledText, IsUuidText } from '../../core/http/index.js';
import type { AudioFormat, SpeechSynthesizer, Voice } from '../../providers/speech/index.js';

export const LONGEST_TEXT = 100_000;
const LONGEST_SPEECH = 1_000_000;
export const LONGEST_NAME = 255;
export const LONGEST_LANGUAGE = 35;
export const SLOWEST = 0.25;
export const FASTEST = 4;
const FORMATS: Readonly<Record<string, AudioFormat>> = { wav: 'wav', mp3: 'mp3', mpeg: 'mp3', ogg: 'ogg' };
export const FORMAT_WORDS = Object.keys(FORMATS);

/** Whose voice speaks, and in which language. */
export class VoiceChoiceBody {
  /**
   * Id or name of a voice of the engine; for a name of OpenAI's voices (`alloy`, `nova`, …) the nearest one speaks. The agent's own voice
   * when left out.
   */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  voice?: string;

  /** BCP 47 tag of the text, for example `en-US`; the engine's own language when left out. */
  @IfPresent()
  @IsFilledText(LONGEST_LANGUAGE)
  language?: string;
}

/** How something is to be spoken. */
export class SpeechOptionsBody extends VoiceChoiceBody {
  /** `wav` (the default), `mp3` (or `mpeg`), or `ogg`; goes before `Accept`. */
  @IfPresent()
  @IsIn(FORMAT_WORDS)
  format?: string;

  /** Pace, 0.25 to 4; 1 is the voice's own. */
  @IfPresent()
  @IsNumber()
  @Min(SLOWEST)
  @Max(FASTEST)
  speed?: number;
}

/** What both operations that speak take beside their text. */
export class SpokenBody extends SpeechOptionsBody {
  /** How it is spoken; the same fields beside `text` count where they are not in here. */
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => SpeechOptionsBody)
  options?: SpeechOptionsBody;
}

/** Body of `POST /api/audio/{agentId}/speech/generate`. */
export class GenerateSpeechBody extends SpokenBody {
  /** What is spoken; Markdown, emoji and links are read as a person would. */
  @IsFilledText(LONGEST_SPEECH)
  text!: string;

  /** Read for the sake of older clients; no engine changes the pitch. */
  @IfPresent()
  @IsNumber()
  pitch?: number;
}

/** Body of `POST /api/audio/{agentId}/audio-messages/synthesize`: `text` or `messageId`. */
export class SynthesizeBody extends SpokenBody {
  /** What is spoken; Markdown, emoji and links are read as a person would. */
  @ValidateIf(({ messageId, text }: SynthesizeBody) => messageId === undefined || text !== undefined)
  @IsFilledText(LONGEST_SPEECH)
  text?: string;

  /** A message of one of the agent's channels, whose text is spoken. */
  @IfPresent()
  @IsUuidText()
  messageId?: string;
}

/** One voice of the engine. */
export class VoiceView {
  /** What `voice` names it by. */
  id!: string;
  name!: string;
  /** BCP 47 tag. */
  language!: string;
  gender?: string;
  description?: string;
  /** Whether the engine speaks with it when nobody chose one. */
  isDefault!: boolean;
}

/** With which voices an agent can be heard. */
export class VoicesView {
  /** Who runs the engine, such as `embedded` or `openai`. */
  provider!: string;
  /** Name of the engine or model. */
  engine!: string;
  /** Languages that it speaks (BCP 47); null when it takes any. */
  languages!: string[] | null;
  /** Voice that the agent's character asks for; null when it asks for none. */
  agentVoice!: string | null;
  voices!: VoiceView[];
}

/** How something is to be spoken, whoever asked for it. */
export interface SpeechOptions {
  readonly voice?: string;
  readonly language?: string;
  readonly speed?: number;
}

export function toOptions(body: SpeechOptionsBody & { readonly options?: SpeechOptionsBody }): SpeechOptions {
  const { options = {} } = body;
  return { voice: options.voice ?? body.voice, language: options.language ?? body.language, speed: options.speed ?? body.speed };
}

/** @returns undefined when the body names none */
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
