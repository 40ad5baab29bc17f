import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../core/http/index.js';
import type { Agent, AgentsService } from '../agents/index.js';
import { AgentModels } from './agent-models.js';

const ONE = '11111111-1111-1111-1111-111111111111';
const TWO = '22222222-2222-2222-2222-222222222222';
const THREE = '33333333-3333-3333-3333-333333333333';
const ALL: Caller = { id: 'everybody' };

const agent = (id: string, name: string, createdAt: number, status: Agent['status'] = 'active'): Agent => ({
  id,
  name,
  status,
  createdAt,
  updatedAt: createdAt,
  character: { name, bio: 'An agent.' },
});

function models(...agents: Agent[]): AgentModels {
  const service: Pick<AgentsService, 'list' | 'find'> = {
    list: () => agents,
    find: (id) => agents.find((one) => one.id === id.toLowerCase()),
  };
  return new AgentModels(service as AgentsService);
}

describe('agents as models', () => {
  it.each([
    ['a name', 'Ada', 'Ada'],
    ['a name with a space and an emoji', 'Ada 👩‍🔬 Lovelace', 'Ada 👩‍🔬 Lovelace'],
    ['a name like an id', TWO, ONE],
    ['a line break', 'Ada\nLovelace', ONE],
    ['a space at its end', 'Ada ', ONE],
  ])('have %s as their id when it can be one', (_what, name, id) => {
    expect(models(agent(ONE, name, 1)).list(ALL)).toMatchObject([{ id }]);
  });

  it('have their ids when two names differ in nothing that counts', () => {
    const found = models(agent(ONE, 'Ada', 1), agent(TWO, 'ADA', 2), agent(THREE, 'Bob', 3)).list(ALL);
    expect(found.map(({ id }) => id)).toEqual([ONE, TWO, 'Bob']);
  });

  it('of one name are taken in the order of their creation, running ones first', () => {
    const [young, old] = [agent(ONE, 'Ada', 2), agent(TWO, 'Ada', 1)];
    expect(models(young, old).find(ALL, 'ada')?.id).toBe(TWO);
    expect(models(young, { ...old, status: 'inactive' }).find(ALL, 'Ada')?.id).toBe(ONE);
    expect(models(young, { ...old, status: 'inactive' }).find(ALL, TWO)?.id).toBe(TWO);
    const stopped = models({ ...young, status: 'inactive' }, { ...old, status: 'inactive' });
    expect(() => stopped.requireRunning(ALL, 'Ada')).toThrow(
      expect.objectContaining({ code: 'AGENT_STOPPED', details: expect.stringContaining(TWO) }),
    );
  });

  it('of which a name in other letter case could mean two are none', () => {
    const found = models(agent(ONE, 'Ada', 1), agent(TWO, 'ADA', 2));
    expect(found.find(ALL, 'ADA')?.id).toBe(TWO);
    expect(() => found.require(ALL, 'ada')).toThrow(expect.objectContaining({ code: 'AGENT_NOT_FOUND' }));
  });

  it('that a caller may not access do not exist for it, whatever their names', () => {
    const found = models(agent(ONE, 'Ada', 1), agent(TWO, 'ADA', 2));
    const caller: Caller = { id: 'key:1', agents: new Set([TWO]) };
    expect(found.list(caller)).toMatchObject([{ id: 'ADA' }]);
    expect(found.find(caller, 'Ada')?.id).toBe(TWO);
    expect(found.find(caller, ONE)).toBeUndefined();
    expect(found.anyRunning(caller).id).toBe(TWO);
  });
});
