import { describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import type { Statement } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { Hooks } from '../../../core/hooks/index.js';
import type { Channel } from '../channels/channel-types.js';
import { MessagePolicies, type MessagePolicy } from './message-policies.js';
import type { MessageDraft } from './messages.types.js';

const message = { id: 'm' } as MessageDraft;
const channel = { id: 'c' } as Channel;
const statement = (sql: string): Statement => ({ sql, params: [] });
const adding = (name: string, order?: number): MessagePolicy => ({ name, order, check: () => Promise.resolve([statement(name)]) });
const refusing = (name: string, order?: number): MessagePolicy => ({
  name,
  order,
  check: () => Promise.reject(new AppError('CONFLICT', `refused by ${name}`)),
});
const stored = (before: readonly Statement[]): Promise<string[]> => Promise.resolve(before.map(({ sql }) => sql));

function policiesOf(...policies: MessagePolicy[]): MessagePolicies {
  const chain = new MessagePolicies(new Hooks(new ModulesContainer()));
  for (const policy of policies) chain.register(policy);
  return chain;
}

describe('message policies', () => {
  it('contribute their statements in order', async () => {
    const policies = policiesOf(adding('late', 1), adding('session'), adding('early', -1));
    await expect(policies.apply(message, channel, stored)).resolves.toEqual(['early', 'session', 'late']);
  });

  it.each([
    [-1, 'quota'],
    [1, 'session'],
  ])('refuse in order: a quota of order %i and the session policy', async (order, first) => {
    const policies = policiesOf(refusing('session'), refusing('quota', order));
    await expect(policies.apply(message, channel, stored)).rejects.toThrow(`refused by ${first}`);
  });

  it('check again when one of them was stale, and give up after ten attempts', async () => {
    const stale = new AppError('CONFLICT', 'stale');
    let checks = 0;
    const counting: MessagePolicy = { name: 'counting', check: () => Promise.resolve([statement(`check ${++checks}`)]) };
    const session: MessagePolicy = { ...adding('session'), isStale: (error) => error === stale };
    const policies = policiesOf(counting, session);
    let fails = 2;
    const store = async (before: readonly Statement[]): Promise<string[]> => (fails-- > 0 ? Promise.reject(stale) : stored(before));
    await expect(policies.apply(message, channel, store)).resolves.toEqual(['check 3', 'session']);
    fails = Number.POSITIVE_INFINITY;
    await expect(policies.apply(message, channel, store)).rejects.toBe(stale);
    expect(checks).toBe(13);
  });

  it("are replaced by a caller's policy of the same name", async () => {
    const policies = policiesOf(adding('session'), adding('quota', -1));
    const own: MessagePolicy = { name: 'session', check: () => Promise.resolve([statement('own')]) };
    await expect(policies.apply(message, channel, stored, own)).resolves.toEqual(['quota', 'own']);
    await expect(policies.apply(message, channel, stored)).resolves.toEqual(['quota', 'session']);
  });
});
