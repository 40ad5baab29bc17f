// Character files as people have them: dialects of elizaOS, comments, UTF-16, unknown fields; and files that cannot be read.
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from '@jest/globals';
import { AgentsService } from '../../src/modules/agents/index.js';
import { GENERAL_CHANNEL_ID } from '../../src/modules/messaging/index.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/queue-fixture.js';

const FIXTURES = fileURLToPath(new URL('../fixtures/characters', import.meta.url));

let test: TestApp;
afterEach(() => test.close());

interface Problem {
  kind: string;
  subject: string;
  message: string;
  details: string;
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${test.url}${path}`);
  return ((await response.json()) as { data: T }).data;
}

const problems = async (): Promise<Problem[]> =>
  (await get<{ problems: Problem[] }>('/api/server/problems')).problems.filter(({ kind }) => kind === 'character');

it('ten files in foreign dialects run, with what they say', async () => {
  test = await createTestApp({ characters: [] });
  await cp(FIXTURES, test.config.charactersDir, { recursive: true });
  await test.restart();
  expect(await problems()).toEqual([]);
  const agents = test.app.get(AgentsService, { strict: false });
  const characterOf = (name: string): object => agents.list().find((agent) => agent.name === name)?.character ?? {};
  expect(agents.list().map(({ name, status }) => `${name} ${status}`)).toEqual(
    ['Ansgar', 'Brannock', 'Ferrin', 'Marisol', 'Odile', 'Old Pell', 'Quill', 'Tamsin', 'Wren', 'Yukio'].map((name) => `${name} active`),
  );
  expect(characterOf('Brannock')).toMatchObject({
    knowledge: ['The lamp turns once in twelve seconds.', { path: 'harbour/tides.md', shared: true }],
    settings: { voice: { model: 'en_GB-alan-medium' }, intiface: false },
  });
  expect(characterOf('Marisol')).toMatchObject({
    plugins: ['@elizaos/plugin-sql', '@elizaos/plugin-openai', 'discord'],
    system: 'You plan journeys.\nYou never book anything.',
    messageExamples: [[{ name: '{{name1}}' }, { name: 'Marisol', content: { text: 'Slowly, and with a window seat.' } }]],
    templates: { replyTemplate: 'Reply as {{agentName}}.' },
    style: { all: ['names the platform'] },
  });
  expect(characterOf('Odile')).toMatchObject({
    adjectives: ['helpful'],
    messageExamples: [[{ name: 'Customer', content: { text: 'My brake squeals.' } }, { name: 'Odile' }]],
  });
  expect(characterOf('Tamsin')).toMatchObject({ topics: ['openings', 'endgames', '64'] });
  expect(characterOf('Ferrin')).toMatchObject({
    bio: ['Ferrin looks after a botanical garden.'],
    messageExamples: [[{ name: 'Visitor' }, { name: 'Ferrin', content: { text: 'At nine, when the mist has settled.' } }]],
    style: { all: ['speaks of plants as guests'] },
  });
  expect(characterOf('Quill')).toMatchObject({
    bio: [],
    messageExamples: [
      [{}, { name: 'Quill', content: { text: 'Now.' } }],
      [{}, {}],
    ],
  });
  expect(characterOf('Ansgar')).toMatchObject({
    knowledge: [
      { path: 'museum/ships.md' },
      { directory: 'museum/halls', shared: true },
      'The cog in hall two was found in the river.',
      'Admission is free on Sundays.',
    ],
  });
  expect(characterOf('Wren')).toEqual({
    name: 'Wren',
    bio: ['Wren reads the news of the valley.', ''],
    topics: [],
    style: { chat: ['whispers'] },
  });
  expect(characterOf('Old Pell')).toMatchObject({ templates: { twitterPostTemplate: 'Write one line.\nNo hashtags.' } });
  expect(characterOf('Yukio')).toMatchObject({ bio: 'Yukio translates old letters. 手紙を訳します。' });
});

it('a file with a fault is a problem that names its place, and its agent starts when the file is mended', async () => {
  const clock = new FakeClock(Date.now());
  test = await createTestApp({ clock });
  const path = join(test.config.charactersDir, 'clara.json');
  await writeFile(path, '{\n  "name": "Clara",\n  "bio": 7\n  "topics": []\n}');
  await writeFile(join(test.config.charactersDir, 'gone.json'), '{"name": "Gone"}');
  await test.restart();
  expect(test.app.get(AgentsService, { strict: false }).list()).toHaveLength(2);
  expect(await problems()).toMatchObject([
    { subject: 'clara.json', details: expect.stringMatching(/^clara\.json: is not JSON \(line 4\)\. Mend the file/) },
    { subject: 'gone.json', details: expect.stringContaining('gone.json: bio is missing') },
  ]);
  await rm(join(test.config.charactersDir, 'gone.json'));
  await writeFile(path, '{"name": "Clara", "bio": ["Clara paints."], "colour": "blue"}');
  clock.advance(5000);
  await until(async () => (await problems()).length === 0);
  await until(() => test.app.get(AgentsService, { strict: false }).list().length === 3);

  const clara = test.app
    .get(AgentsService, { strict: false })
    .list()
    .find(({ name }) => name === 'Clara');
  expect(clara).toMatchObject({ status: 'active', character: { bio: ['Clara paints.'] } });
  expect(JSON.stringify(await get(`/api/messaging/channels/${GENERAL_CHANNEL_ID}/participants`))).toContain(clara?.id);
});
