export interface TranscriptionRequest {
  /** A complete audio file; its format is detected from the content. */
  readonly audio: Uint8Array;
  /** BCP 47 tag of the speech. Defaults to the engine's language, or the language that it detects. */
  readonly language?: string;
  readonly signal: AbortSignal;
}

export interface TranscriptSegment {
  readonly text: string;
  /** Seconds from the start of the recording. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Confidence, 0 to 1; absent when the engine does not report it. */
  readonly confidence?: number;
}

export interface Transcript {
  /** Empty for a silent recording. */
  readonly text: string;
  /** Empty when the engine reports no timestamps. */
  readonly segments: readonly TranscriptSegment[];
  readonly provider: string;
  readonly engine: string;
  /** BCP 47 tag; undefined when neither the request nor the engine named a language. */
  readonly language?: string;
  /** Duration of the recording; undefined when it was not decoded and the engine did not report it. */
  readonly durationSeconds?: number;
  /** Media type, detected from the content: "audio/wav", "audio/webm", … */
  readonly mediaType: string;
}

/** A speech recognition engine. */
export abstract class Transcriber {
  /** Provider: "embedded", "openai", … */
  abstract readonly provider: string;
  /** Engine or model: "pocketsphinx-en-us", "whisper-1", … */
  abstract readonly engine: string;
  /** Supported languages (BCP 47 primary subtags); undefined when the engine accepts any. */
  abstract readonly languages: readonly string[] | undefined;

  /**
   * Silence and noise without words give an empty text.
   *
   * @throws AppError VALIDATION_ERROR (empty file), UNSUPPORTED_MEDIA_TYPE (not audio, or a format without a decoder), NO_AUDIO_TRACK
   *   (nothing to decode in it), FILE_TOO_LARGE, AUDIO_TOO_LONG,
   *   LANGUAGE_NOT_SUPPORTED, AUDIO_BUSY, MODEL_UNAVAILABLE, MODEL_REJECTED, SERVER_STOPPING; the
   *   signal's reason when it is aborted
   */
  abstract transcribe(request: TranscriptionRequest): Promise<Transcript>;

  /** Stops the engine. Pending and further calls are rejected. */
  abstract close(): Promise<void>;
}
