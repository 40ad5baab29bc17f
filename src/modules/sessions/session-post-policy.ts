import type { Statement } from '../../core/database/index.js';
import type { MessagePolicy } from '../messaging/index.js';
import type { SessionChange } from './session-changes.js';
import { StaleSessionError } from './sessions.errors.js';
import type { SessionView } from './sessions.types.js';

/** Name of the policy that applies a session's rules to messages. */
export const SESSION_POLICY = 'session';

/** The change of a session by a message. */
export interface SessionTouch extends Pick<SessionChange, 'after'> {
  readonly before: SessionView;
  /** Epoch ms. */
  readonly now: number;
}

/** The session policy for one message to a session that the caller has read. */
export class SessionPostPolicy implements MessagePolicy {
  readonly name = SESSION_POLICY;
  private latest: SessionTouch;
  private isRead = true;

  /** @param touch the change by the message; of the session as it was read, or as it is now */
  constructor(
    private readonly read: SessionView,
    now: number,
    private readonly touch: (read: SessionView | undefined) => Promise<SessionTouch & SessionChange>,
  ) {
    this.latest = { before: read, after: read, now };
  }

  /** The change that was stored with the message; none for a message that was stored before. */
  get touched(): SessionTouch {
    return this.latest;
  }

  async check(): Promise<readonly Statement[]> {
    const read = this.isRead ? this.read : undefined;
    // A second check follows if this one was stale.
    this.isRead = false;
    const touch = await this.touch(read);
    this.latest = touch;
    return touch.statements;
  }

  isStale(error: unknown): boolean {
    return error instanceof StaleSessionError;
  }
}
