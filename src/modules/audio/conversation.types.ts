import type { Users } from '../../core/http/index.js';
import type { Transcript } from '../../providers/speech/index.js';

/** The channel and the author of an utterance. */
export interface SpeakerContext {
  readonly channelId: string;
  readonly authorId: string;
  readonly authorName: string | null;
}

/** A user's message to an agent, spoken or typed. */
export interface SpokenUtterance extends SpeakerContext {
  /** The users that the caller's credential authenticates. */
  readonly users: Users;
  readonly text: string;
  /** Present when the text was transcribed from speech. */
  readonly transcript?: Transcript;
  readonly clientMessageId?: string;
  readonly metadata?: Record<string, unknown>;
}

/** An agent's reply, as text and as an audio file. */
export interface SpokenReply {
  readonly messageId: string;
  readonly replyId: string | null;
  readonly text: string;
  readonly audio: Uint8Array;
  /** Id of the voice; undefined when the reply is empty. */
  readonly voice: string | undefined;
  /** Duration of the audio, seconds. */
  readonly duration: number;
}
