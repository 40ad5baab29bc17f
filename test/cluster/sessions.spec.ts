import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
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

  it('are announced once, whoever created them and whoever is first', async () => {
    const created = await everywhere((stack) =>
      Promise.all(
        Array.from({ length: 20 }, () => stack.sessions.create({ agentId: ADA_ID, userId: idFromText('the user'), users: 'all' })),
      ),
    );
    await everywhere((stack) => stack.settle());
    for (const ms of [25 * 60_000, 5 * 60_000]) {
      stacks[0]?.clock.advance(ms);
      await everywhere((stack) => stack.settle());
    }
    const counted = await stacks[0]?.rows(
      `SELECT type, count(*) AS count FROM journal WHERE type LIKE 'session.%' GROUP BY type ORDER BY type`,
    );
    expect(counted).toEqual(
      ['session.created', 'session.expired', 'session.warning'].map((type) => ({ type, count: created.flat().length })),
    );
  });

  it('take messages and configurations in all of them at the same time', async () => {
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
