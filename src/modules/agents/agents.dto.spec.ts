import { describe, expect, it } from '@jest/globals';
import { presentAgents, readyAgents } from './agents.dto.js';
import type { Agent } from './agents.service.js';

const agent = (character: Partial<Agent['character']>): Agent => ({
  id: 'b850bc30-45f8-0041-a00a-83df46d8555d',
  name: 'Eliza',
  status: 'active',
  character: { name: 'Eliza', bio: 'Listens.', ...character },
  createdAt: 1,
  updatedAt: 2,
});

describe('an agent in a listing', () => {
  it('has its identity fields only', () => {
    const listed = presentAgents([agent({ username: 'eliza', topics: ['listening'], system: 'You listen.', settings: { mode: 'dry' } })]);
    expect(listed).toEqual({
      agents: [
        {
          id: 'b850bc30-45f8-0041-a00a-83df46d8555d',
          name: 'Eliza',
          characterName: 'Eliza',
          username: 'eliza',
          bio: 'Listens.',
          topics: ['listening'],
          status: 'active',
          createdAt: 1,
          updatedAt: 2,
        },
      ],
    });
  });

  it('has the first of several bio entries', () => {
    const bios = presentAgents([agent({ bio: ['First.', 'Second.'] }), agent({ bio: [] })]).agents.map(({ bio }) => bio);
    expect(bios).toEqual(['First.', '']);
  });

  it('is computed once for the same agents', () => {
    const agents = [agent({})];
    expect(readyAgents(agents)).toBe(readyAgents(agents));
    expect(readyAgents([...agents])).not.toBe(readyAgents(agents));
    expect(readyAgents([...agents])).toEqual(readyAgents(agents));
  });
});
