// Deliveries that were acknowledged outlive kill -9, and each is handled to its end once.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sign as signGithub } from '@octokit/webhooks-methods';
import { ApiClient } from '../support/api-client.js';
import { seeded } from '../support/random.js';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { TestCluster } from '../crash/support/test-cluster.js';

const ROUNDS = 4;
const SENDERS = 4;
const SECRET = 'a secret of the tests';

/** Writes a line when it begins and one when it ends, in one system call each: what a kill leaves is what happened. */
const PLUGIN = (file: string): string => `
  import { appendFileSync } from 'node:fs';
  const note = (what, { deliveryId, attempt }) => appendFileSync(${JSON.stringify(file)}, what + ' ' + deliveryId + ' ' + attempt + '\\n');
  export default {
    name: 'hooks',
    config: { SECRET_OF_TESTS: { secret: true } },
    routes: [{
      type: 'POST',
      path: '/ack',
      webhook: { verify: 'github', secret: 'SECRET_OF_TESTS', mode: 'ack', backoffMs: 10 },
      handler: async (request) => {
        note('begins', request);
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (request.body.number % 10 === 0 && request.attempt === 1) throw new Error('told to fail');
        note('ends', request);
      },
    }],
  };`;

describe('a server that is killed while it handles deliveries', () => {
  let directory: string;
  let cluster: TestCluster;
  let notes: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-hooks-'));
    notes = join(directory, 'notes');
    for (const folder of ['characters', 'plugins']) mkdirSync(join(directory, folder));
    appendFileSync(notes, '');
    writeFileSync(join(directory, 'characters', 'one.json'), JSON.stringify({ name: 'One', bio: 'An agent of the tests.' }));
    writeFileSync(join(directory, 'plugins', 'hooks.mjs'), PLUGIN(notes));
    cluster = new TestCluster({
      DATA_DIR: join(directory, 'data'),
      CHARACTERS_DIR: join(directory, 'characters'),
      PLUGINS_DIR: join(directory, 'plugins'),
      SECRET_OF_TESTS: SECRET,
      LOG_LEVEL: 'fatal',
    });
  });
  afterEach(async () => {
    await killAll();
    await rm(directory, { recursive: true, force: true });
  });

  it(
    `loses none over ${ROUNDS} kills, and repeats none that had completed`,
    () =>
      seeded('CRASH_SEED', async (random) => {
        const acknowledged = new Set<string>();
        let number = 0;
        let over = false;
        await cluster.start();
        const sender = async (isOver: () => boolean): Promise<void> => {
          while (!isOver()) {
            const body = JSON.stringify({ number: ++number });
            const headers = {
              'content-type': 'application/json',
              'x-github-delivery': `delivery ${body}`,
              'x-hub-signature-256': await signGithub(SECRET, body),
            };
            // Sent again when a kill cut it off: it may have been stored by then.
            const answer = await cluster.insist((url) => new ApiClient(() => url).send('POST', '/ack', body, { headers }));
            if (answer.status !== 202 && answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
            acknowledged.add(answer.body.deliveryId);
            cluster.acknowledge();
          }
        };
        const senders = Array.from({ length: SENDERS }, () => sender(() => over).catch((error: unknown) => cluster.fail(error)));
        for (let round = 0; round < ROUNDS; round++) {
          await cluster.progress(random.between(5, 60));
          cluster.check();
          await cluster.kill();
          if (round % 4 === 1) await cluster.killWhileStarting(random.between(50, 900));
          await cluster.start();
        }
        over = true;
        await Promise.all(senders);
        cluster.check();

        const api = new ApiClient(() => cluster.url);
        const left = async (): Promise<number> => {
          const counts = ['received', 'running', 'failed'].map(
            async (status) =>
              (await api.get(`/api/plugins/hooks/deliveries?limit=200&status=${status}`)).body.data.deliveries.length as number,
          );
          return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
        };
        while ((await left()) > 0);
        expect((await api.get('/api/plugins/hooks/deliveries?status=dead')).body.data.deliveries).toEqual([]);

        const lines = readFileSync(notes, 'utf8').trimEnd().split('\n');
        const times = (what: string): Map<string, number> => {
          const counts = new Map<string, number>();
          for (const [kind, id] of lines.map((line) => line.split(' '))) {
            if (kind === what) counts.set(id!, (counts.get(id!) ?? 0) + 1);
          }
          return counts;
        };
        const ended = times('ends');
        expect([...acknowledged].filter((id) => !ended.has(id))).toEqual([]);
        // Only one that had just ended when the kill came, before that was on disk, may end a second time.
        const twice = [...ended.values()].filter((count) => count > 1).length;
        expect(twice).toBeLessThanOrEqual(ROUNDS * 2 * 32);
        const again = [...times('begins').values()].filter((count) => count > 1).length;
        expect(again).toBeGreaterThan(0);
        process.stdout.write(`${acknowledged.size} deliveries, ${cluster.cut} requests cut, ${again} begun again, ${twice} ended twice\n`);
        expect(cluster.cut).toBeGreaterThan(0);
      }),
    180_000,
  );

  it('causes no warning about listener leaks with a plugin that handles many deliveries at a time', async () => {
    writeFileSync(
      join(directory, 'plugins', 'meeting.mjs'),
      `const waiting = [];
       const meet = (request, response) => {
         if (waiting.push(response) === 20) for (const each of waiting) each.json({ met: true });
       };
       export default { name: 'meeting', routes: [{ type: 'GET', path: '/meeting', handler: meet }] };`,
    );
    const server = await ServerProcess.start({
      DATA_DIR: join(directory, 'data'),
      CHARACTERS_DIR: join(directory, 'characters'),
      PLUGINS_DIR: join(directory, 'plugins'),
      SECRET_OF_TESTS: SECRET,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${server.url}/meeting`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    await server.kill();
    expect(server.output()).not.toContain('MaxListenersExceededWarning');
  });
});
