// Current problems: GET /api/server/problems.
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData } from '../support/expect-envelope.js';
import { contractApp, HOUR } from './support/contract-app.js';

type Data = ApiResponse['body'];

const BROKEN = `throw new Error('no bread today');`;
const SHELF = `export default { name: 'shelf', toolSources: [{ name: 'library', tools: async () => { throw new Error('no answer from the library'); } }] };`;

describe('the problems of the server', () => {
  const plugins = { 'broken.mjs': BROKEN, 'shelf.mjs': SHELF };
  const app = contractApp(
    {},
    {
      plugins,
      characters: [
        { name: ADA.name, bio: 'x', plugins: ['shelf'] },
        { name: BOB.name, bio: 'x' },
      ],
    },
  );
  const problems = async (): Promise<Data[]> => expectData(await app.api.get('/api/server/problems')).problems;
  const failed = async (code: string): Promise<void> => {
    app.test.model.fail(new AppError('MODEL_UNAVAILABLE', `It is away (${code}).`, 'Wait for it.'));
    const channel = await app.newChannel();
    await app.say(channel.id, 'Are you there?');
    await app.entry(channel.id, 'turn.failed');
  };

  it('include plugins that did not load, failed tool sources, and turns that failed in the last hour', async () => {
    await failed('one');
    app.clock.advance(1000);
    await failed('two');
    expect(await problems()).toEqual([
      {
        ...{ kind: 'plugin', subject: 'broken.mjs', plugin: 'broken.mjs', count: 1, at: null },
        ...{ message: 'Plugin broken.mjs is not loaded.', details: expect.stringContaining('no bread today') },
      },
      {
        ...{ kind: 'component', subject: 'shelf', plugin: 'shelf', count: 2, at: null },
        ...{ message: 'The tool source library of plugin shelf does not work.', details: 'no answer from the library' },
      },
      {
        ...{ kind: 'turns', subject: ADA.name, agentId: ADA.id, count: 2, at: app.clock.now() },
        ...{ message: `${ADA.name} could not reply to messages of the last hour.`, details: 'It is away (two). Wait for it.' },
      },
    ]);
  });

  it('exclude cancelled turns, and those that failed more than an hour ago', async () => {
    app.clock.advance(HOUR + 1);
    expect((await problems()).map(({ kind }) => kind)).toEqual(['plugin', 'component']);
  });
});
