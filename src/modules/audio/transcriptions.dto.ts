import { IfPresent, IsFilledText, IsUuidText } from '../../core/http/index.js';
import type { Transcript } from '../../providers/speech/index.js';
import { LONGEST_LANGUAGE } from './speech.dto.js';

/** Form of `POST /api/audio/{agentId}/transcriptions`. */
export class TranscriptionFields {
  /** The recording. */
  file!: Uint8Array;

  /** Id of the speaker; returned in the response and logged. */
  @IfPresent()
  @IsUuidText()
  userId?: string;

  /** BCP 47 tag of the speech, for example `en-US`. Defaults to the engine's language, or the language that it detects. */
  @IfPresent()
  @IsFilledText(LONGEST_LANGUAGE)
  language?: string;
}

/** A segment of a recording. */
export class TranscriptSegmentView {
  text!: string;
  /** Seconds from the start of the recording. */
  startSeconds!: number;
  endSeconds!: number;
  /** Confidence, 0 to 1; absent when the engine does not report it. */
  confidence?: number;
}

/** Transcript of a recording. */
export class TranscriptionView {
  /** Empty for a silent recording. */
  text!: string;
  segments!: TranscriptSegmentView[];
  /** Provider of the engine, such as `embedded` or `openai`. */
  provider!: string;
  /** Name of the engine or model. */
  engine!: string;
  /** BCP 47 tag; null when neither the request nor the engine named a language. */
  language!: string | null;
  /** Duration of the recording; null when unknown. */
  durationSeconds!: number | null;
  /** Media type, detected from the content. */
  mediaType!: string;
  /** The `userId` of the request; null when it had none. */
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
