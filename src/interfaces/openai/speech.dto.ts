import { IsIn, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { IsFilledText } from '../../core/http/index.js';
import { FASTEST, LONGEST_NAME, LONGEST_SPEECH, SLOWEST } from '../../modules/audio/index.js';
import { IsNeutral } from './openai-checks.js';

/** Formats of OpenAI that the server can make, without `opus`, `aac` and `flac`. */
const FORMATS = ['mp3', 'wav', 'pcm'] as const;

/** Body of `POST /v1/audio/speech`. */
export class OpenAiSpeechBody {
  /** The name or id of the agent that speaks; or a name such as `tts-1` or `gpt-4o-mini-tts`, for the first running agent. */
  @IsFilledText(LONGEST_NAME)
  model!: string;

  /** The text to speak. Markdown, emoji and links are omitted or read as a person would. */
  @IsFilledText(LONGEST_SPEECH)
  input!: string;

  /** Name of a voice of OpenAI, which selects the most similar one, or of a voice of the server. Defaults to the agent's voice. */
  @IsOptional()
  @IsFilledText(LONGEST_NAME)
  voice?: string | null;

  /** `mp3` (the default), `wav`, or `pcm`: 16-bit little-endian samples at 24 kHz without a header. */
  @IsOptional()
  @IsIn(FORMATS)
  response_format?: (typeof FORMATS)[number] | null;

  /** Speaking rate; 1 is the normal rate of the voice. */
  @IsOptional()
  @IsNumber()
  @Min(SLOWEST)
  @Max(FASTEST)
  speed?: number | null;

  /** Empty: the manner of speaking cannot be described. */
  @IsOptional()
  @IsNeutral([''], 'the speech engines take no instructions')
  instructions?: string | null;

  /** `audio`: the response is the audio itself, streamed. */
  @IsOptional()
  @IsNeutral(['audio'], 'speech is streamed as audio, not as events')
  stream_format?: string | null;
}
