import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { eventually } from '../support/memory-app.js';
import { ADA_ID, SessionStack } from '../support/session-stack.js';
import { describeSessions } from '../support/suites/sessions.js';

describeSessions('postgres');

describe('sessions of several processes', () => {
  let stacks: SessionStack[];

  beforeEach(async () => {
    const first = await SessionStack.open('postgres');
    stacks = [first, await first.beside(), await first.beside()];
  });
  afterEach(async () => {
    for (const stack of stacks.reverse()) await stack.close();
  });

  const everywhere = <T>(work: (stack: SessionStack) => Promise<T>): Promise<T[]> => Promise.all(stacks.map(work));

  it('are announced once, whichever process created them or acts first', async () => {
    const created = await everywhere((stack) =>
      Promise.all(
        Array.from({ length: 20 }, () => stack.sessions.create({ agentId: ADA_ID, userId: idFromText('the user'), users: 'all' })),
      ),
    );
    await everywhere((stack) => stack.settle());
    const counts = (): Promise<{ type: string; count: number }[]> =>
      stacks[0]!.rows(`SELECT type, count(*) AS count FROM journal WHERE type LIKE 'session.%' GROUP BY type ORDER BY type`);
    for (const [ms, types] of [
      [25 * 60_000, 2],
      [5 * 60_000, 3],
    ] as const) {
      stacks[0]?.clock.advance(ms);
      // While no process leads, because a busy machine has renewed the lease too late, nothing is announced.
      await eventually(async () => {
        const announced = await counts();
        return announced.length === types && announced.every(({ count }) => count === created.flat().length);
      });
      await everywhere((stack) => stack.settle());
    }
    const counted = await counts();
    expect(counted).toEqual(
      ['session.created', 'session.expired', 'session.warning'].map((type) => ({ type, count: created.flat().length })),
    );
  });

  it('accept concurrent messages and configurations in all of them', async () => {
    const session = await stacks[0]!.sessions.create({ agentId: ADA_ID, userId: idFromText('the user'), users: 'all' });
    await everywhere((stack) =>
      Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          await stack.sessions.post(await stack.sessions.require(session.id), { content: `message ${index}`, metadata: {}, users: 'all' });
          if (index % 5 === 0) await stack.sessions.configure(session.id, { warningThresholdMinutes: index + 1 });
        }),
      ),
    );
    expect(await stacks[1]?.sessions.find(session.id)).toMatchObject({ renewalCount: 30, revision: 7 });
  });
});
