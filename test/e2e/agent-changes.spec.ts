// What becomes of an agent's change that this process learns of while the database is away.
import { afterEach, expect, it, jest } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { append } from '../../src/core/journal/index.js';
import { AgentsRepository } from '../../src/modules/agents/agents.repository.js';
import { AgentsService } from '../../src/modules/agents/index.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { eventually } from '../support/memory-app.js';

let test: TestApp;
afterEach(() => test.close());

it('a changed agent is read again until the read succeeds', async () => {
  const clock = new FakeClock();
  test = await createTestApp({ clock });
  const reading = jest.spyOn(test.app.get(AgentsRepository), 'find');
  for (let count = 0; count < 3; count += 1) reading.mockRejectedValueOnce(new Error('Connection terminated'));
  await test.app
    .get(UnitOfWork)
    .commit([
      { sql: 'UPDATE agents SET name = ? WHERE id = ?', params: ['Zoe', ADA.id] },
      append('agent.updated', null, { agentId: ADA.id, name: 'Zoe' }, clock.now()),
    ]);
  await eventually(() => {
    clock.advance(100);
    return test.app.get(AgentsService).require(ADA.id).name === 'Zoe';
  });
  expect(reading).toHaveBeenCalledTimes(4);
});
