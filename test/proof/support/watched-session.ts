import { randomUUID } from 'node:crypto';
import type { TimeoutConfig } from '../../../src/modules/sessions/index.js';
import { ApiClient } from '../../support/api-client.js';
import type { Random } from '../../support/random.js';
import type { ChannelHistory } from '../../crash/support/history-checker.js';
import { expectStatus, type Ledger } from '../../crash/support/users.js';
import type { TestCluster } from '../../crash/support/test-cluster.js';

const MINUTE = 60_000;
// Short enough for the jumps of the clock to reach warnings and expiries.
const TIMEOUTS = [5, 6];
const LONGEST = [5, 6, 9, 720];
const WARNINGS = [1, 3, 4];

/** A session whose clock is watched, and what its user was told. */
export interface WatchedSession {
  readonly sessionId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly timeout: TimeoutConfig;
  /** Configurations that were asked for, in order. */
  readonly changes: Partial<TimeoutConfig>[];
  /** Calls of `renew` that were acknowledged. */
  renewals: number;
  /** What its user was told in the end. */
  told: 'alive' | 'expired' | 'ended';
}

/** Lives through one session until it is over: writes, renews, configures, reads, and ends it at times. */
export async function liveThrough(
  cluster: TestCluster,
  ledger: Ledger,
  random: Random,
  agentId: string,
  sessions: WatchedSession[],
  isOver: () => boolean,
): Promise<void> {
  const userId = randomUUID();
  const timeout = {
    timeoutMinutes: random.pick(TIMEOUTS),
    autoRenew: random.chance(0.5),
    maxDurationMinutes: random.pick(LONGEST),
    warningThresholdMinutes: random.pick(WARNINGS),
  };
  const session = await cluster.insist(async (url): Promise<WatchedSession> => {
    const answer = await new ApiClient(() => url).post('/api/messaging/sessions', { agentId, userId, timeoutConfig: timeout });
    expectStatus(answer, 201);
    const { sessionId, channelId, timeoutConfig } = answer.body.data;
    return { sessionId, channelId, userId, timeout: timeoutConfig, changes: [], renewals: 0, told: 'alive' };
  });
  sessions.push(session);
  cluster.acknowledge();
  const path = `/api/messaging/sessions/${session.sessionId}`;
  let ending = false;
  /** @returns false when the session is over, which is remembered */
  const ask = async (method: string, below: string, body?: object): Promise<boolean> => {
    const { status } = await cluster.insist(async (url) => {
      const answer = await new ApiClient(() => url).send(method, path + below, body);
      const atMaximum = below === '/renew' && answer.status === 422;
      const over = answer.status === 410 || (answer.status === 404 && ending);
      if (!atMaximum && !over && answer.status !== 201) expectStatus(answer, 200);
      return answer;
    });
    cluster.acknowledge();
    if (status === 410) session.told = 'expired';
    if (status === 404) session.told = 'ended';
    if (status === 200 && below === '/renew') session.renewals += 1;
    return status !== 410 && status !== 404;
  };
  const say = async (): Promise<boolean> => {
    const text = `Hello: ${randomUUID()} is said while there is time`;
    const sentAt = cluster.now();
    const body = { content: text, clientMessageId: text, transport: 'websocket' };
    const alive = await ask('POST', '/messages', body);
    const message = { channelId: session.channelId, authorId: userId, text, byAgent: false, sentAt };
    ledger.sent.push({ ...message, acknowledgedAt: alive ? cluster.now() : Infinity, ...(alive ? {} : { unsure: true }) });
    return alive;
  };
  for (let alive = true; alive && !isOver();) {
    const chance = random.next();
    if (chance < 0.5) alive = await say();
    else if (chance < (timeout.autoRenew ? 0.65 : 0.53)) alive = await ask('POST', '/renew');
    else if (chance < 0.75) alive = await ask('POST', '/heartbeat');
    else if (chance < 0.9) alive = await ask('GET', '');
    else if (chance < 0.95) {
      const change = { timeoutMinutes: random.pick(TIMEOUTS), warningThresholdMinutes: random.pick(WARNINGS) };
      session.changes.push(change);
      alive = await ask('PATCH', '/timeout', change);
    } else {
      ending = true;
      await ask('DELETE', '');
      session.told = 'ended';
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 60)));
  }
  // A clock that is set back does not revive what has expired.
  if (session.told === 'expired' && (await say())) throw new Error(`session ${session.sessionId} was expired and took a message`);
}

/** What a session's part of the journal, and what is answered for it now, has against the rules of session time. */
export class SessionChecker {
  readonly faults: string[] = [];
  private timeout: TimeoutConfig;
  private createdAt = 0;
  private renewedAt = 0;
  private expiresAt = 0;
  private count = 0;
  private warnedFor: number | undefined;
  private closed: 'expired' | 'ended' | undefined;
  private nextChange = 0;

  constructor(
    private readonly session: WatchedSession,
    history: ChannelHistory,
  ) {
    this.timeout = session.timeout;
    history.forEach((entry, index) => this.entry(entry.event, entry.data as Entry, history[index - 1]?.event));
  }

  /** @param answer to a GET of the session, of a time at which nothing happens */
  answered({ status, body }: { status: number; body: { data?: Record<string, unknown> } }): void {
    const { session, closed } = this;
    const expected = closed === undefined ? 200 : closed === 'expired' ? 410 : 404;
    if (status !== expected) this.fault(`is answered with ${status}; by its journal it is ${closed ?? 'alive'}`);
    const agrees = session.told === 'alive' || session.told === closed || (session.told === 'expired' && closed === 'ended');
    if (!agrees) this.fault(`was ${session.told} for its user; by its journal it is ${closed ?? 'alive'}`);
    if (this.count < session.renewals) this.fault(`was renewed ${session.renewals} times for its user and ${this.count} times in all`);
    if (status !== 200) return;
    const { renewalCount, expiresAt, isNearExpiration } = body.data ?? {};
    if (renewalCount !== this.count) this.fault(`says it was renewed ${String(renewalCount)} times; it was ${this.count} times`);
    if (expiresAt !== new Date(this.expiresAt).toISOString()) {
      this.fault(`says it expires at ${String(expiresAt)}, which is not ${this.instants()}`);
    }
    if (isNearExpiration === true && this.warnedFor !== this.expiresAt) this.fault(`is near its expiry, and nobody was warned`);
  }

  private entry(event: string, data: Entry, before: string | undefined): void {
    const { at, expiresAt = 0 } = data;
    const written = event === 'message.created' && data.inReplyTo === null;
    if (this.closed !== undefined && (written || (event.startsWith('session.') && event !== 'session.ended'))) {
      this.fault(`${event} at ${at} although it was ${this.closed}`);
    }
    switch (event) {
      case 'session.created':
        this.createdAt = this.renewedAt = at;
        this.expiresAt = this.expiry();
        if (expiresAt !== this.expiresAt) this.fault(`was created until ${expiresAt}, not ${this.instants()}`);
        break;
      case 'session.renewed': {
        this.count += 1;
        this.renewedAt = Math.max(this.renewedAt, at);
        // Renewals that overlap may each have been computed from what was before both; the session keeps the longer one.
        const least = Math.min(at + this.timeout.timeoutMinutes * MINUTE, this.maximum());
        if (expiresAt < least || expiresAt > this.expiry()) this.fault(`was renewed at ${at} until ${expiresAt}, not ${this.instants()}`);
        this.expiresAt = Math.max(this.expiresAt, expiresAt);
        break;
      }
      case 'message.created':
        if (written && this.timeout.autoRenew && before !== 'session.renewed' && this.expiresAt < this.maximum()) {
          this.fault(`took a message at ${at} that did not renew it`);
        }
        break;
      case 'session.updated':
        this.updated(data);
        break;
      case 'session.warning': {
        const remaining = expiresAt - at;
        if (expiresAt !== this.expiresAt) this.fault(`was warned of ${expiresAt}, not ${this.instants()}`);
        if (this.warnedFor === expiresAt) this.fault(`was warned twice of ${expiresAt}`);
        if (remaining <= 0 || remaining > this.timeout.warningThresholdMinutes * MINUTE) this.fault(`was warned at ${at} of ${expiresAt}`);
        if (data.timeRemaining !== remaining || data.minutesRemaining !== Math.ceil(remaining / MINUTE)) {
          this.fault(`was warned ${remaining} ms before as ${data.timeRemaining} ms, ${data.minutesRemaining} minutes`);
        }
        this.warnedFor = expiresAt;
        break;
      }
      case 'session.expired':
        if (at < expiresAt || expiresAt !== this.expiresAt) this.fault(`expired at ${at} by ${expiresAt}, not ${this.instants()}`);
        this.closed = 'expired';
        break;
      case 'session.ended':
        if (this.closed === 'ended') this.fault('ended twice');
        this.closed = 'ended';
        break;
      default:
    }
  }

  /** The entry says no more than the instants: they tell which of the user's configurations it is, the last one or a later one. */
  private updated({ at, expiresAt = 0, warnsAt = 0 }: Entry): void {
    const { changes } = this.session;
    for (let index = Math.max(0, this.nextChange - 1); index < changes.length; index += 1) {
      const timeout = { ...this.timeout, ...changes[index] };
      const until = Math.min(this.renewedAt + timeout.timeoutMinutes * MINUTE, this.createdAt + timeout.maxDurationMinutes * MINUTE);
      if (until !== expiresAt || until - timeout.warningThresholdMinutes * MINUTE !== warnsAt) continue;
      this.timeout = timeout;
      this.expiresAt = until;
      this.nextChange = index + 1;
      return;
    }
    this.fault(`was configured at ${at} to expire at ${expiresAt} and warn at ${warnsAt}, which nobody asked for`);
  }

  private expiry(): number {
    return Math.min(this.renewedAt + this.timeout.timeoutMinutes * MINUTE, this.maximum());
  }

  private maximum(): number {
    return this.createdAt + this.timeout.maxDurationMinutes * MINUTE;
  }

  private instants(): string {
    return `${this.expiresAt} (created ${this.createdAt}, renewed ${this.renewedAt}, ${JSON.stringify(this.timeout)})`;
  }

  private fault(text: string): void {
    this.faults.push(`session ${this.session.sessionId} in channel ${this.session.channelId} ${text}`);
  }
}

interface Entry {
  readonly at: number;
  readonly inReplyTo?: string | null;
  readonly expiresAt?: number;
  readonly warnsAt?: number;
  readonly timeRemaining?: number;
  readonly minutesRemaining?: number;
}
