import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../src/core/errors/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import type { SessionView, TimeoutConfig } from '../../src/modules/sessions/index.js';
import { seedFrom } from '../support/random.js';
import { SessionModel, type ExpectedEntry, type ModelSession } from '../support/session-model.js';
import { ADA_ID, SessionStack } from '../support/session-stack.js';

// Histories of sessions, on the real services and a real database, against a reference model. A failure prints the seed
// and the shortest history that was found; `SESSIONS_SEED=… node scripts/jest.mjs … ` runs the same histories again.

const HISTORIES = Number(process.env['SESSIONS_HISTORIES'] ?? '500');
const TOMBSTONE_HOURS = 24;
const START = Date.UTC(2026, 0, 1);
const USER_ID = idFromText('the user');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Step =
  | { do: 'create'; config: Partial<TimeoutConfig> }
  | { do: 'message'; of: number; clientId?: string }
  | { do: 'renew' | 'heartbeat' | 'read' | 'delete'; of: number }
  | { do: 'patch'; of: number; config: Partial<TimeoutConfig> }
  | { do: 'list' }
  /** Time passes, and everything happens at its instant. */
  | { do: 'pass'; ms: number }
  /** The clock jumps; `wait` is false when a client reads before the announcement. */
  | { do: 'jump'; ms: number; wait: boolean }
  /** To an instant near the next deadline. */
  | { do: 'deadline'; offset: number; wait: boolean }
  | { do: 'restart'; downMs: number };

const config = fc.record<Partial<TimeoutConfig>>(
  {
    timeoutMinutes: fc.constantFrom(5, 6, 10, 60, 1440),
    autoRenew: fc.boolean(),
    maxDurationMinutes: fc.constantFrom(1, 6, 12, 30, 720, 3000),
    warningThresholdMinutes: fc.constantFrom(1, 5, 9, 2000),
  },
  { requiredKeys: [] },
);
const of = fc.nat(2);
const minutes = fc.integer({ min: 1, max: 40 }).map((count) => count * MINUTE + 1);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('create' as const), config }) },
    {
      weight: 16,
      arbitrary: fc.record({ do: fc.constant('message' as const), of, clientId: fc.constantFrom(undefined, undefined, 'a', 'b') }),
    },
    {
      weight: 20,
      arbitrary: fc.record({ do: fc.constantFrom('renew' as const, 'heartbeat' as const, 'read' as const, 'delete' as const), of }),
    },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('patch' as const), of, config }) },
    { weight: 4, arbitrary: fc.constant({ do: 'list' as const }) },
    { weight: 12, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: minutes }) },
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constant('jump' as const),
        ms: fc.oneof(
          minutes,
          minutes.map((ms) => -ms),
          fc.constantFrom(-3 * HOUR, 13 * HOUR, TOMBSTONE_HOURS * HOUR),
        ),
        wait: fc.boolean(),
      }),
    },
    {
      weight: 20,
      arbitrary: fc.record({ do: fc.constant('deadline' as const), offset: fc.constantFrom(-1, 0, 0, 1), wait: fc.boolean() }),
    },
    // A real one takes as long as all the rest of a history.
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), downMs: fc.oneof(fc.constant(0), minutes) }) },
  ),
  { minLength: 4, maxLength: 16 },
);

/** One history: what the services did, step by step beside what the model says. */
class History {
  private readonly ids: { id: string; channelId: string }[] = [];
  private readonly model: SessionModel;

  constructor(private readonly stack: SessionStack) {
    stack.clock.set(START);
    this.model = new SessionModel(TOMBSTONE_HOURS, START);
  }

  async run(all: readonly Step[]): Promise<void> {
    for (const [index, step] of all.entries()) {
      const next = all[index + 1];
      const overtaken = next !== undefined && ['message', 'renew', 'heartbeat', 'read', 'delete', 'patch', 'list'].includes(next.do);
      await this.take(step, overtaken);
    }
    await this.stack.settle();
    this.model.announce();
    await this.compareJournals();
  }

  /** Leaves the database to the next history. */
  async forget(): Promise<void> {
    await this.stack.settle();
    const remove = this.ids.map(({ channelId }) => ({ sql: 'DELETE FROM channels WHERE id = ?', params: [channelId] }));
    // The journal's retention need not look at these entries again whenever the clock moves.
    const floor = 'UPDATE journal_floor SET trimmed_to = (SELECT max(pos) FROM journal), compacted_to = (SELECT max(pos) FROM journal)';
    await this.stack.unitOfWork.commit([...remove, { sql: floor, params: [] }]);
  }

  private async take(step: Step, overtaken: boolean): Promise<void> {
    const { model, stack } = this;
    switch (step.do) {
      case 'create': {
        if (this.ids.length === 3) break;
        const view = await stack.sessions.create({ agentId: ADA_ID, userId: USER_ID, timeout: step.config, users: 'all' });
        this.ids.push(view);
        this.compare(view, model.create(step.config));
        break;
      }
      case 'list': {
        const sessions = await stack.listed();
        const { total, counts } = await stack.sessions.list({ limit: 10, offset: 0 });
        const live = model.sessions.filter(({ status }) => status === 'live').map((session) => this.idOf(session));
        expect(sessions.map(({ id }) => id).sort()).toEqual([...live].sort());
        expect({ total, active: counts.active }).toEqual({ total: live.length, active: live.length });
        break;
      }
      case 'pass': {
        const until = model.now + step.ms;
        for (let at = model.nextEvent(until); at !== undefined; at = model.nextEvent(until)) await this.move(at, true);
        await this.move(until, true);
        break;
      }
      case 'jump':
        await this.move(model.now + step.ms, step.wait || !overtaken);
        break;
      case 'deadline': {
        const at = model.nextEvent(Number.POSITIVE_INFINITY);
        if (at !== undefined) await this.move(at + step.offset, step.wait || !overtaken);
        break;
      }
      case 'restart':
        await stack.stop();
        stack.clock.advance(step.downMs);
        model.now += step.downMs;
        await stack.start();
        break;
      default: {
        const session = model.sessions[step.of];
        // Whether a clock set back shows what was forgotten depends on whether it was removed meanwhile; both is right.
        if (session && (!session.mayBeGone || model.isForgotten(session))) await this.ask(step, session);
      }
    }
    if (step.do === 'jump' || step.do === 'deadline') return;
    await stack.settle();
    model.announce();
    await this.compareJournals();
  }

  private async ask(step: Extract<Step, { of: number }>, session: ModelSession): Promise<void> {
    const { model, stack } = this;
    const id = this.idOf(session);
    const refusal = model.refusal(session);
    switch (step.do) {
      case 'read':
        return this.expectView(() => stack.sessions.require(id), session, refusal);
      case 'renew':
        return this.expectView(() => stack.sessions.renew(id), session, refusal ?? model.renew(session));
      case 'heartbeat':
        if (!refusal) model.heartbeat(session);
        return this.expectView(() => stack.sessions.heartbeat(id), session, refusal);
      case 'patch':
        if (!refusal) model.patch(session, step.config);
        return this.expectView(() => stack.sessions.configure(id, step.config), session, refusal);
      case 'delete':
        expect(await outcome(() => stack.sessions.end(id))).toEqual({ refusal: model.end(session) });
        return undefined;
      case 'message': {
        const expected = refusal ? undefined : model.message(session, step.clientId);
        const message = { content: `for ${step.clientId}`, metadata: {}, clientMessageId: step.clientId, users: 'all' } as const;
        const { value, refusal: actual } = await outcome(async () => stack.sessions.post(await stack.sessions.require(id), message));
        expect(actual).toBe(refusal);
        if (!value || !expected) return undefined;
        expect({ replayed: value.replayed, wasRenewed: value.wasRenewed }).toEqual(expected);
        expect(value.message.channelId).toBe(value.session.channelId);
        this.compare(value.session, session);
      }
    }
  }

  private async expectView(ask: () => Promise<SessionView>, session: ModelSession, refusal: string | undefined): Promise<void> {
    const { value, refusal: actual } = await outcome(ask);
    expect(actual).toBe(refusal);
    if (value) this.compare(value, session);
  }

  private compare(view: SessionView, session: ModelSession): void {
    const { now } = this.model;
    const near = this.model.isNear(session);
    expect(view).toMatchObject({
      timeout: session.timeout,
      createdAt: session.createdAt,
      lastActivity: session.lastActivity,
      renewedAt: session.renewedAt,
      expiresAt: session.expiresAt,
      renewalCount: session.renewalCount,
      state: session.status === 'live' ? (near ? 'expiring' : 'active') : session.status,
      timeRemaining: session.status === 'live' ? session.expiresAt - now : 0,
      isNearExpiration: near,
    });
  }

  private async move(to: number, wait: boolean): Promise<void> {
    const { model, stack } = this;
    stack.clock.set(to);
    model.now = to;
    const warningDue = model.sessions.some((session) => model.isNear(session) && session.warnedFor !== session.expiresAt);
    model.announce();
    // A warning that is due may be overtaken by a renewal; an expiry may not.
    if (wait || warningDue) {
      await stack.settle();
      await this.compareJournals();
    }
  }

  private async compareJournals(): Promise<void> {
    const rows = await this.stack.rows<{ channel_id: string; type: string; payload: string }>(
      `SELECT channel_id, type, payload FROM journal WHERE channel_id IN (${this.ids.map(({ channelId }) => `'${channelId}'`).join(', ')}) ORDER BY pos`,
    );
    for (const [index, session] of this.model.sessions.entries()) {
      const { id, channelId } = this.ids[index]!;
      const expected = session.entries.map((entry) => (entry.type.startsWith('session.') ? { ...entry, sessionId: id, channelId } : entry));
      const actual = rows
        .filter((row) => row.channel_id === channelId)
        .map((row): ExpectedEntry => ({ ...JSON.parse(row.payload), type: row.type }));
      expect(actual.map(({ type }) => type)).toEqual(expected.map(({ type }) => type));
      expect(actual).toMatchObject(expected);
    }
  }

  private idOf(session: ModelSession): string {
    return this.ids[this.model.sessions.indexOf(session)]!.id;
  }
}

async function outcome<T>(work: () => Promise<T>): Promise<{ value?: T; refusal?: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.code };
    throw error;
  }
}

describe('sessions', () => {
  let stack: SessionStack;

  beforeAll(async () => {
    stack = await SessionStack.open('sqlite', { SESSION_TOMBSTONE_HOURS: String(TOMBSTONE_HOURS), JOURNAL_RETENTION_HOURS: '87600' });
  });
  afterAll(() => stack.close());

  it('match the model in every history', async () => {
    const property = fc.asyncProperty(steps, async (history) => {
      const run = new History(stack);
      try {
        await run.run([{ do: 'create', config: {} }, ...history]);
      } finally {
        await run.forget();
      }
    });
    await fc.assert(property, { numRuns: HISTORIES, seed: seedFrom('SESSIONS_SEED') });
  }, 180_000);
});
