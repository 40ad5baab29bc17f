import { IsIn, IsInt, IsNumber, Max, Min, ValidateIf } from 'class-validator';
import { IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { readFields } from './fields.js';
import { FORMAT_WORDS, LONGEST_LANGUAGE, LONGEST_NAME, toFormat } from './speech.dto.js';
import type { VoiceRequest } from './voice-call.js';

const ENCODINGS = ['pcm16', 'file'];
const SAMPLE_RATES = { min: 8000, max: 96_000 };

/** Payload of `audioStart`, besides the channel and the speaker. */
class VoiceStart {
  /** Who is to answer. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** `file` (the default): the chunks together are an audio file. `pcm16`: they are raw samples of one channel, little end first. */
  @IfPresent()
  @IsIn(ENCODINGS)
  encoding?: string;

  /** Samples per second of `pcm16`. */
  @ValidateIf(({ encoding }: VoiceStart) => encoding === 'pcm16')
  @IsInt()
  @Min(SAMPLE_RATES.min)
  @Max(SAMPLE_RATES.max)
  sampleRate?: number;

  /** Format of the answer's chunks. */
  @IfPresent()
  @IsIn(FORMAT_WORDS)
  format?: string;

  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  voice?: string;

  @IfPresent()
  @IsFilledText(LONGEST_LANGUAGE)
  language?: string;

  @IfPresent()
  @IsNumber()
  @Min(0.25)
  @Max(4)
  speed?: number;

  /** The speaker's own id for the message. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  messageId?: string;

  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;
}

/** What `audioStart` asks for. @throws AppError VALIDATION_ERROR naming the field */
export function readVoiceStart(payload: Record<string, unknown>): Omit<VoiceRequest, 'channelId' | 'authorId' | 'authorName' | 'users'> {
  const start = readFields(payload, VoiceStart);
  const { voice, language, speed, metadata, sampleRate } = start;
  return {
    agentId: start.agentId?.toLowerCase(),
    sampleRate: start.encoding === 'pcm16' ? sampleRate : undefined,
    format: toFormat(start) ?? 'wav',
    options: { voice, language, speed },
    clientMessageId: start.messageId,
    metadata,
  };
}
