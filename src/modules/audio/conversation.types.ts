import type { Users } from '../../core/http/index.js';
import type { Transcript } from '../../providers/speech/index.js';

/** Where something is said, and by whom. */
export interface SpeakingPlace {
  readonly channelId: string;
  readonly authorId: string;
  readonly authorName: string | null;
}

/** What a user says to an agent. */
export interface Said extends SpeakingPlace {
  /** Whom the credential of who says it vouches for. */
  readonly users: Users;
  readonly text: string;
  /** Where the text is from, when it was spoken. */
  readonly transcript?: Transcript;
  readonly clientMessageId?: string;
  readonly metadata?: Record<string, unknown>;
}

/** What an agent answered, as text and as a file. */
export interface SpokenReply {
  readonly messageId: string;
  readonly replyId: string | null;
  readonly text: string;
  readonly audio: Uint8Array;
  /** Id of the voice that speaks; undefined when nothing was said. */
  readonly voice: string | undefined;
  /** Length of the audio, seconds. */
  readonly duration: number;
}
