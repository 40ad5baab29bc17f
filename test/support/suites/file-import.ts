// What "parley import FILE" takes out of files of other programs, on both engines.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../../../src/cli/cli.js';
import type { Engine } from '../../../src/core/database/index.js';
import { AgentsService } from '../../../src/modules/agents/index.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import * as foreign from '../foreign-files.js';

interface Said {
  content: string;
  author_id?: string;
  authorId?: string;
  created_at?: string;
  createdAt?: string | number;
}

export function describeFileImport(engine: Engine): void {
  describe(`files of other programs on ${engine}`, () => {
    let folder: string;
    let test: TestApp;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-import-'));
      test = await createTestApp({ engine });
    });
    afterAll(async () => {
      await test.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Runs the command on the data of the application, which is stopped meanwhile. */
    async function importing(...args: string[]): Promise<{ code: number | undefined; out: string; err: string }> {
      const seen = { out: '', err: '' };
      await test.app.close();
      const program = { version: '0.0.0', config: () => Promise.resolve(test.config), start: () => Promise.resolve() };
      const code = await runCommand(['import', ...args], program, { out: (text) => (seen.out += text), err: (text) => (seen.err += text) });
      await test.restart();
      return { code, ...seen, out: seen.out.replaceAll(/ +/g, ' ') };
    }

    async function put(name: string, content: unknown): Promise<string> {
      const path = join(folder, name);
      await writeFile(path, Buffer.isBuffer(content) || typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    }

    async function get<T>(path: string): Promise<T> {
      const response = await fetch(`${test.url}${path}`);
      return ((await response.json()) as { data: T }).data;
    }

    async function conversation(name: string): Promise<{ id: string; messages: Said[] }> {
      const channels = await get<{ id: string; name: string }[]>(
        '/api/messaging/message-servers/00000000-0000-0000-0000-000000000000/channels',
      );
      const found = channels.filter((channel) => channel.name === name);
      expect(found).toHaveLength(1);
      const { messages } = await get<{ messages: Said[] }>(`/api/messaging/central-channels/${found[0]?.id}/messages?limit=50`);
      return { id: found[0]!.id, messages: messages.reverse() };
    }

    const agentCalled = (name: string) =>
      test.app
        .get(AgentsService, { strict: false })
        .list()
        .find((agent) => agent.name === name);
    const timeOf = ({ created_at: snake, createdAt }: Said): number => new Date(snake ?? createdAt ?? '').getTime();

    it('takes the shown branch of ChatGPT conversations with times and both sides, and names the rest', async () => {
      const path = await put('conversations.json', [foreign.chatGpt()]);
      const without = await importing(path);
      expect(without).toMatchObject({ code: 1, out: expect.stringContaining('--agent NAME. The agents are Ada, Bob.') });
      const { code, out } = await importing(path, '--agent', 'ada', '--user', 'maya@example.org');
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/conversations 1 added\n messages 4 added/) });
      for (const line of [
        'ChatGPT: messages of branches that were edited or replied to again: 2',
        'ChatGPT: thoughts of the model',
        'ChatGPT: calls of tools',
        'ChatGPT: results of tools',
        'ChatGPT: custom instructions and memories',
        'ChatGPT: files in messages (image_asset_pointer)',
      ]) {
        expect(out).toContain(line);
      }
      const { messages } = await conversation('Tides at the pier');
      expect(messages.map(({ content }) => content)).toEqual([
        'When is low water at the pier?',
        'At 12:40. Mind the swell.',
        '[file]\nIs this the pier?',
        'Yes, the northern one.',
      ]);
      expect(messages.map((message) => (message.author_id ?? message.authorId) === ADA.id)).toEqual([false, true, false, true]);
      const minute = (at: number): number => Date.UTC(2025, 2, 1, 9, at) + 250;
      expect(messages.map(timeOf)).toEqual([minute(3), minute(3), minute(5), minute(6)]);
    });

    it('adds only what is new when it is repeated, and agents remember, find and continue it', async () => {
      const path = await put('conversations.json', [foreign.chatGpt('c1', 'Tides at the pier', ['And tomorrow?'])]);
      const { out } = await importing(path, '--agent', ADA.id, '--user', 'maya@example.org');
      expect(out).toMatch(/conversations 0 added, 1 there already\n messages 1 added, 4 there already/);
      expect((await importing(path, '--agent', ADA.id, '--user', 'maya@example.org')).out).toMatch(/messages 0 added, 5 there already/);
      const { id, messages } = await conversation('Tides at the pier');
      const searched = await fetch(`${test.url}/api/messaging/messages/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'swell' }),
      });
      expect(await searched.text()).toContain('Mind the swell');
      test.model.reply('At 13:30.');
      const response = await fetch(`${test.url}/api/messaging/central-channels/${id}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          author_id: messages[0]?.author_id ?? messages[0]?.authorId,
          content: 'Please say it now.',
          message_server_id: '00000000-0000-0000-0000-000000000000',
          source_type: 'test',
          mode: 'sync',
        }),
      });
      expect(response.status).toBeLessThan(300);
      await test.model.called(1);
      const prompt = JSON.stringify(test.model.requests.at(-1));
      for (const said of ['When is low water at the pier?', 'Mind the swell.', 'And tomorrow?']) expect(prompt).toContain(said);
    });

    it("takes Claude's export from its archive, with attached texts", async () => {
      const path = await put(
        'claude.zip',
        await foreign.archive({
          'conversations.json': [foreign.claude()],
          'projects.json': [{ uuid: 'p', name: 'Garden', prompt_template: 'Be brief.', docs: [{ filename: 'a.txt', content: 'x' }] }],
          'users.json': [{ uuid: 'u', full_name: 'M', email_address: 'm@example.org' }],
          'read.me': 'hello',
        }),
      );
      const { code, out } = await importing(path, '--agent', 'Bob');
      expect(code).toBe(0);
      expect(out).toMatch(/conversations 1 added\n messages 3 added/);
      for (const line of [
        'the project Garden with 1 documents',
        'Claude: account of the user',
        'Claude: thoughts of the model',
        'read.me',
      ]) {
        expect(out).toContain(line);
      }
      const { messages } = await conversation('Recipe for a cold evening');
      expect(messages.map(({ content }) => content)).toEqual([
        'What can I cook from this list?\n\n[pantry.txt]\nleeks\npotatoes\n\n[shelf.jpg]',
        'Leek and potato soup.',
        'Thank you!',
      ]);
      expect(timeOf(messages[0]!)).toBe(Date.UTC(2025, 3, 1, 8, 1, 0, 123));
    });

    it('takes character cards of each version and in each wrapping', async () => {
      const v3 = foreign.card(3, 'Sister Clare');
      const paths = [
        await put('v1.json', foreign.cardV1()),
        await put('both.png', foreign.picture(['tEXt', 'chara', foreign.card(2, 'Wrong')], ['iTXt', 'ccv3', v3])),
        await put('zipped.png', foreign.picture(['zTXt', 'Chara', foreign.card(2, 'Brother Odo'), true])),
        await put('card.charx', await foreign.archive({ 'card.json': foreign.card(3, 'Brother Pio') })),
      ];
      const { code, out } = await importing(...paths);
      expect({ code, out }).toMatchObject({
        code: 0,
        out: expect.stringMatching(/agents 4 added: Sister Alba, Sister Clare, Brother Odo, Brother Pio/),
      });
      for (const line of ['lorebook entry cellar', '1 assets', 'zipped.png: the text at byte 33 has a wrong checksum', '2 greetings']) {
        expect(out).toContain(line);
      }
      expect(agentCalled('Sister Alba')).toMatchObject({
        status: 'active',
        character: { bio: ['Sister Alba tends the herb garden of an abbey.', 'Calm, exact.'] },
      });
      expect(agentCalled('Sister Clare')?.character).toMatchObject({
        bio: ['Alba tends the herb garden of an abbey.', 'Calm, exact.'],
        lore: ['the user visits on a market day.'],
        system: 'Stay in the garden.',
        style: { all: ['Answer in two sentences.'] },
        messageExamples: [
          [
            { name: '{{user1}}', content: { text: 'What helps a cough?' } },
            { name: 'Sister Clare', content: { text: 'Thyme, and rest.\nMostly rest.' } },
          ],
          [{ name: 'Sister Clare', content: { text: '*She nods.*' } }],
        ],
        postExamples: ['Mind the thyme, the user.', 'The rain has stopped.'],
        knowledge: ['The well is forty feet deep.'],
        settings: { imported: { tags: ['abbey'], creator: 'us', nickname: 'Alba', creator_notes: 'For quiet talk.' } },
      });
      const again = await importing(paths[0]!);
      expect(again.out).toMatch(/agents 0 added, 1 there already/);
    });

    it('takes agents of Letta with their messages, and switches tools off', async () => {
      const { code, out } = await importing(await put('clerk.af', foreign.letta()));
      expect({ code, out }).toMatchObject({
        code: 0,
        out: expect.stringMatching(/agents 1 added: Harbour Clerk\n conversations 1 added\n messages 2 added/),
      });
      for (const line of [
        'Letta: the MCP server gates',
        'the tool open_gate',
        'the variables of its tools: BERTH_KEY',
        'the file berths.pdf',
        'gpt-large',
      ]) {
        expect(out).toContain(line);
      }
      expect(out).not.toContain('not-a-real-key');
      expect(agentCalled('Harbour Clerk')).toMatchObject({
        character: {
          bio: ['I am the clerk of the harbour.', 'Knows every berth.'],
          knowledge: ['human: The user owns the boat Linnea.'],
          settings: { imported: { tools: [{ name: 'open_gate', source: expect.stringContaining('os.system') }] } },
        },
      });
      const { messages } = await conversation('Harbour Clerk');
      expect(messages.map(({ content }) => content)).toEqual(['Is berth four free?', 'It is, until Sunday.']);
    });

    it('takes characters of elizaOS with plugins and addresses switched off', async () => {
      const character = {
        name: 'Skerry',
        bio: 'Skerry reads charts.',
        clients: ['discord'],
        plugins: ['@elizaos/plugin-discord'],
        settings: { OPENAI_BASE_URL: 'https://elsewhere.example.org/v1', secrets: { OPENAI_API_KEY: 'not-a-real-key' } },
        mcpServers: { files: { command: 'npx' } },
      };
      const { code, out } = await importing(await put('skerry.json', character));
      expect(code).toBe(0);
      for (const line of ['the plugin @elizaos/plugin-discord', 'the setting OPENAI_BASE_URL', 'mcpServers is not a field', 'clients']) {
        expect(out).toContain(line);
      }
      expect(out).not.toContain('not-a-real-key');
      const agent = agentCalled('Skerry');
      expect(agent?.character.plugins).toBeUndefined();
      expect(agent?.character.settings).toEqual({ imported: { format: 'character file', plugins: ['@elizaos/plugin-discord'] } });
      expect(test.app.get(AgentsService, { strict: false }).setting(agent!.id, 'OPENAI_API_KEY')).toBe('not-a-real-key');
    });

    it('splits messages that are too long, without losing a character', async () => {
      const long = `${'a'.repeat(99_999)}\u{1F30A}${'words and lines\n'.repeat(7000)}end`;
      const chat = foreign.chatGpt('long', 'Long', [long]);
      const { out } = await importing(await put('long.json', [chat]), '--agent', 'Bob');
      expect(out).toContain('Messages with more than 100000 characters are several messages');
      const { messages } = await conversation('Long');
      const parts = messages.slice(4).map(({ content }) => content);
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.join('')).toBe(long);
    });

    it('refuses each broken or foreign file with a sentence', async () => {
      const files: [name: string, content: unknown, sentence: string][] = [
        ['unclosed.json', '[{"mapping": {', 'unclosed.json is not JSON (line 1).'],
        ['words.json', 'hello\nhello', 'words.json is not JSON (line 1).'],
        ['empty.json', '', 'empty.json is empty.'],
        ['plain.png', foreign.picture(), 'plain.png is a picture without a character card.'],
        ['cut.png', foreign.picture(['tEXt', 'chara', foreign.card(2)]).subarray(0, 80), 'card: the picture is cut off at byte 33.'],
        ['odd.png', foreign.picture(['tEXt', 'chara', 'eA==']), 'its character card (chara) is not JSON (line 1).'],
        ['cut.zip', Buffer.from('PK\u0003\u0004zzzz'), 'cut.zip is no archive that can be read'],
        ['nameless.json', { spec: 'chara_card_v2', data: { description: 'x' } }, 'nameless.json: name must have a visible character'],
        ['deep.json', `${'['.repeat(9000)}${']'.repeat(9000)}`, 'deep.json has lists and objects more than 200 levels deep.'],
        ['other.json', { hello: 'world' }, 'other.json: nothing that Parley knows'],
      ];
      const { code, out, err } = await importing(...(await Promise.all(files.map(([name, content]) => put(name, content)))));
      expect(code).toBe(1);
      for (const [, , sentence] of files) expect(out).toContain(sentence);
      expect(`${out}${err}`).not.toMatch(/\n\s+at /);
      const nothing = await importing(join(folder, 'other.json'));
      expect(nothing).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was found to take.') });
    });

    it('takes the good files of a folder, and names the others', async () => {
      const other = await mkdtemp(join(folder, 'mixed-'));
      await writeFile(join(other, 'a.json'), JSON.stringify({ name: 'Mira', bio: 'Mira sings.' }));
      await writeFile(join(other, 'b.json'), '{');
      await writeFile(join(other, 'notes.txt'), 'x');
      const { code, out } = await importing(other);
      expect(code).toBe(1);
      for (const line of [/agents 1 added: Mira/, /b\.json is not JSON/, /notes\.txt: a file of another kind/]) expect(out).toMatch(line);
      expect(await importing(join(folder, 'nowhere'))).toMatchObject({ code: 1, out: expect.stringContaining('cannot be read (ENOENT)') });
    });
  });
}
