/** Result of the liveness probe. */
export class LiveView {
  status!: 'live';
}

/** Result of the startup probe. */
export class StartedView {
  status!: 'started';
}

/** What a ready server has checked. */
export class ReadinessChecks {
  /** A write was committed less than a second ago. */
  database!: 'writable';
  /**
   * How the server learns of writes of other processes: `connected` at once, `polled` with a delay, because a pooler drops notifications or
   * NATS cannot be reached, `not_needed` on SQLite.
   */
  notifications!: 'connected' | 'polled' | 'not_needed';
  /** A warning only: `failing` while calls of a chat model of the server fail. */
  models!: 'healthy' | 'failing';
  /** Why `notifications` is `polled`, and what to do; that an upgrade of several servers is not complete; missing otherwise. */
  advice?: string;
}

/** Result of the readiness probe. */
export class ReadyView {
  status!: 'ready';
  checks!: ReadinessChecks;
}
