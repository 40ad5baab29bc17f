import { IfPresent, IsFilledText, IsUuidText } from '../../core/http/index.js';
import type { Transcript } from '../../providers/speech/index.js';
import { LONGEST_LANGUAGE } from './speech.dto.js';

/** Form of `POST /api/audio/{agentId}/transcriptions`. */
export class TranscriptionFields {
  /** The recording. */
  file!: Uint8Array;

  /** Who spoke; shown in the answer and in the log. */
  @IfPresent()
  @IsUuidText()
  userId?: string;

  /** BCP 47 tag of what is spoken, for example `en-US`; the engine's own language, or its guess, when left out. */
  @IfPresent()
  @IsFilledText(LONGEST_LANGUAGE)
  language?: string;
}

/** A stretch of a recording. */
export class TranscriptSegmentView {
  text!: string;
  /** Seconds from the beginning of the recording. */
  startSeconds!: number;
  endSeconds!: number;
  /** How sure the engine is, 0 to 1; absent when it does not say. */
  confidence?: number;
}

/** What was said in a recording. */
export class TranscriptionView {
  /** Empty when nothing was said. */
  text!: string;
  segments!: TranscriptSegmentView[];
  /** Who ran the engine, such as `embedded` or `openai`. */
  provider!: string;
  /** Name of the engine or model. */
  engine!: string;
  /** BCP 47 tag; null when neither the caller nor the engine said. */
  language!: string | null;
  /** Length of the recording; null when it is not known. */
  durationSeconds!: number | null;
  /** What the recording was, by its content. */
  mediaType!: string;
  /** As it was sent; null when it was not. */
  userId!: string | null;
}

export function presentTranscript(transcript: Transcript, userId: string | undefined): TranscriptionView {
  const { text, segments, provider, engine, language, durationSeconds, mediaType } = transcript;
  return {
    text,
    segments: segments.map((segment) => ({ ...segment })),
    provider,
    engine,
    language: language ?? null,
    durationSeconds: durationSeconds ?? null,
    mediaType,
    userId: userId?.toLowerCase() ?? null,
  };
}
