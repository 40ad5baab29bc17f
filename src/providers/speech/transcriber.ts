export interface TranscriptionRequest {
  /** A whole audio file in any container; what it is, is found out from its content. */
  readonly audio: Uint8Array;
  /** BCP 47 tag of what is spoken; the engine's own language, or its guess, when left out. */
  readonly language?: string;
  readonly signal: AbortSignal;
}

export interface TranscriptSegment {
  readonly text: string;
  /** Seconds from the beginning of the recording. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** How sure the engine is, 0 to 1; engines that do not say leave it out. */
  readonly confidence?: number;
}

export interface Transcript {
  /** Empty when nothing was said. */
  readonly text: string;
  /** Empty when the engine gives no times. */
  readonly segments: readonly TranscriptSegment[];
  readonly provider: string;
  readonly engine: string;
  /** BCP 47 tag; undefined when neither the caller nor the engine said. */
  readonly language?: string;
  /** Length of the recording; undefined when it could not be decoded here and the engine did not say. */
  readonly durationSeconds?: number;
  /** What the recording was, by its content: "audio/wav", "audio/webm", … */
  readonly mediaType: string;
}

/** Something that writes down what was said. */
export abstract class Transcriber {
  /** Who runs it: "embedded", "openai", … */
  abstract readonly provider: string;
  /** The engine or model: "pocketsphinx-en-us", "whisper-1", … */
  abstract readonly engine: string;
  /** Languages it understands (BCP 47 primary subtags); undefined when it takes any. */
  abstract readonly languages: readonly string[] | undefined;

  /**
   * Silence and noise without words are an empty text, not a failure.
   *
   * @throws AppError VALIDATION_ERROR (empty file), UNSUPPORTED_MEDIA_TYPE (not audio, or in a format for which there
   *   is no decoder), NO_AUDIO_TRACK (nothing to decode in it), FILE_TOO_LARGE, AUDIO_TOO_LONG,
   *   LANGUAGE_NOT_SUPPORTED, AUDIO_BUSY, MODEL_UNAVAILABLE, MODEL_REJECTED, SERVER_STOPPING; the
   *   signal's reason when it is aborted
   */
  abstract transcribe(request: TranscriptionRequest): Promise<Transcript>;

  /** Ends what runs in the background. What is under way is rejected; further calls too. */
  abstract close(): Promise<void>;
}
