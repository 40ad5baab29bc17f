import type { Pcm } from './pcm.js';

export interface Voice {
  /** Id in requests. */
  readonly id: string;
  readonly name: string;
  /** BCP 47 tag, for example "en-US". */
  readonly language: string;
  readonly gender?: 'female' | 'male';
  readonly description?: string;
  /** Whether this is the default voice. */
  readonly isDefault: boolean;
}

export interface SpeechRequest {
  /** May contain Markdown, emoji and links, which are omitted or read as a person would. */
  readonly text: string;
  /** Id or name of a voice. A name of an OpenAI voice selects the most similar one; other unknown names are rejected. */
  readonly voice?: string;
  /** The agent's voice, used when the request names none and the engine has it; otherwise ignored. */
  readonly preferredVoice?: string;
  /** BCP 47 tag of the text. Defaults to the engine's language. */
  readonly language?: string;
  /** Speaking rate: 1 is normal, 2 is twice as fast; clamped to 0.25 to 4. */
  readonly speed?: number;
  readonly signal: AbortSignal;
}

/** A chunk of speech: a sentence or less. */
export interface SpeechChunk extends Pcm {
  /** The spoken text. */
  readonly text: string;
  /** Id of the voice. */
  readonly voice: string;
}

/** A speech synthesis engine. */
export abstract class SpeechSynthesizer {
  /** Provider: "embedded", "openai", … */
  abstract readonly provider: string;
  /** Engine or model: "flite", "gpt-4o-mini-tts", … */
  abstract readonly engine: string;
  /** Supported languages (BCP 47 primary subtags); undefined when the engine accepts any. */
  abstract readonly languages: readonly string[] | undefined;

  abstract voices(options?: { signal?: AbortSignal }): Promise<readonly Voice[]>;

  /**
   * Yields speech in chunks while it is synthesized, at most one chunk ahead of the reader. A text without words yields no chunks. Errors
   * in the request are thrown before the first chunk.
   *
   * @throws AppError UNKNOWN_VOICE (its details list the voices), LANGUAGE_NOT_SUPPORTED, AUDIO_BUSY,
   *   MODEL_UNAVAILABLE, MODEL_REJECTED, SERVER_STOPPING; the signal's reason when it is aborted
   */
  abstract synthesize(request: SpeechRequest): AsyncIterable<SpeechChunk>;

  /** Stops the engine. Pending and further calls are rejected. */
  abstract close(): Promise<void>;
}
