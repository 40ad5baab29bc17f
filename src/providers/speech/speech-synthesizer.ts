import type { Pcm } from './pcm.js';

export interface Voice {
  /** What a request names it by. */
  readonly id: string;
  readonly name: string;
  /** BCP 47 tag, for example "en-US". */
  readonly language: string;
  readonly gender?: 'female' | 'male';
  readonly description?: string;
  /** Whether it speaks when a request names none. */
  readonly isDefault: boolean;
}

export interface SpeechRequest {
  /** May carry Markdown, emoji and links; they are left out or read as a person would. */
  readonly text: string;
  /** Id or name of a voice, or a name of OpenAI's voices: the nearest one speaks then. Another that the engine does not have is refused. */
  readonly voice?: string;
  /** An agent's own voice: spoken with when the engine has it and the request names none, else silently ignored. */
  readonly preferredVoice?: string;
  /** BCP 47 tag of the text; the engine's own language when left out. */
  readonly language?: string;
  /** 1 is the voice's own pace, 2 twice as fast; held within 0.25 and 4. */
  readonly speed?: number;
  readonly signal: AbortSignal;
}

/** A stretch of speech, a sentence or less. */
export interface SpokenPiece extends Pcm {
  /** The words that are heard in it. */
  readonly text: string;
  /** Id of the voice that speaks them. */
  readonly voice: string;
}

/** Something that speaks. */
export abstract class SpeechSynthesizer {
  /** Who runs it: "embedded", "openai", … */
  abstract readonly provider: string;
  /** The engine or model: "flite", "gpt-4o-mini-tts", … */
  abstract readonly engine: string;
  /** Languages it speaks (BCP 47 primary subtags); undefined when it takes any. */
  abstract readonly languages: readonly string[] | undefined;

  abstract voices(options?: { signal?: AbortSignal }): Promise<readonly Voice[]>;

  /**
   * Speaks piece by piece, the first before the last is made, and not further ahead of the reader than one piece. A
   * text in which nothing is left to be said gives no piece. What is refused is refused instead of the first piece.
   *
   * @throws AppError UNKNOWN_VOICE (its details list those there are), LANGUAGE_NOT_SUPPORTED, AUDIO_BUSY,
   *   MODEL_UNAVAILABLE, MODEL_REJECTED, SERVER_STOPPING; the signal's reason when it is aborted
   */
  abstract synthesize(request: SpeechRequest): AsyncIterable<SpokenPiece>;

  /** Ends what runs in the background. What is under way is rejected; further calls too. */
  abstract close(): Promise<void>;
}
