import { IsIn, IsInt, IsNumber, Max, Min, ValidateIf } from 'class-validator';
import { IfPresent, IsFilledText, IsJsonObject, IsUuidText } from '../../core/http/index.js';
import { validateFields } from './validate-fields.js';
import { FORMAT_NAMES, LONGEST_LANGUAGE, LONGEST_NAME, toFormat } from './speech.dto.js';
import type { VoiceRequest } from './voice-call.js';

const ENCODINGS = ['pcm16', 'file'];
const SAMPLE_RATES = { min: 8000, max: 96_000 };

/** Payload of `audioStart`, without the channel and the speaker. */
class VoiceStart {
  /** The agent that replies. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** `file` (the default): the chunks are parts of an audio file. `pcm16`: raw mono samples, 16-bit little-endian. */
  @IfPresent()
  @IsIn(ENCODINGS)
  encoding?: string;

  /** Sample rate of `pcm16`, Hz. */
  @ValidateIf(({ encoding }: VoiceStart) => encoding === 'pcm16')
  @IsInt()
  @Min(SAMPLE_RATES.min)
  @Max(SAMPLE_RATES.max)
  sampleRate?: number;

  /** Audio format of the reply. */
  @IfPresent()
  @IsIn(FORMAT_NAMES)
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

  /** The client's own id for the message. */
  @IfPresent()
  @IsFilledText(LONGEST_NAME)
  messageId?: string;

  @IfPresent()
  @IsJsonObject()
  metadata?: Record<string, unknown>;
}

/** Validates the payload of `audioStart`. @throws AppError VALIDATION_ERROR naming the field */
export function readVoiceStart(
  payload: Record<string, unknown>,
): Omit<VoiceRequest, 'channelId' | 'authorId' | 'authorName' | 'users' | 'access'> {
  const start = validateFields(payload, VoiceStart);
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
