import { basename } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { makeBackup } from '../../../src/core/backup/index.js';
import type { Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { FORGOTTEN_USER_ID } from '../../../src/core/personal-data/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { forgetting } from '../forgetting.js';
import { form, storedFiles } from '../uploads.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';

const JSON_BODY = { 'content-type': 'application/json' };

const PLUGIN = `export default {
  name: 'keeper',
  description: 'Takes webhooks.',
  routes: [{ type: 'POST', path: '/hook', public: true, webhook: { verify: () => true, mode: 'ack' }, handler: () => undefined }],
};`;

/** Export and forgetting of a user, checked on what is stored. */
export function describePrivacy(engine: Engine): void {
  describe(`deletion of a user's data on ${engine}`, () => {
    let test: TestApp;
    let api: ApiClient;

    beforeAll(async () => {
      test = await createTestApp({ engine, env: { RUN_PROMPTS: 'true' }, plugins: { 'keeper.mjs': PLUGIN } });
      api = new ApiClient(() => test.url);
    });
    afterEach(() => test.model.assertDone());
    afterAll(() => test.close());

    const { store, rowsWith, filesWith, forget, forgotten } = forgetting(() => test, engine);

    async function exported(userId: string): Promise<{ kind: string; record: object }[]> {
      const { status, body } = await api.get(`/api/users/${userId}/export`);
      expect(status).toBe(200);
      return body.data.records;
    }

    async function talk(userId: string, content: string): Promise<{ channelId: string; sessionId: string; message: ApiResponse }> {
      const { body } = await api.post('/api/messaging/sessions', { agentId: ADA.id, userId, metadata: { note: content, of: userId } });
      const message = await api.post(`/api/messaging/sessions/${body.sessionId}/messages`, { content, transport: 'http' });
      expect(message.status).toBe(201);
      return { ...body, message };
    }

    async function group(users: string[]): Promise<string> {
      const { status, body } = await api.post('/api/messaging/central-channels', {
        name: 'Group',
        server_id: '00000000-0000-0000-0000-000000000000',
        participantCentralUserIds: [...users, ADA.id],
        type: 'GROUP',
        metadata: { about: users },
      });
      expect(status).toBeLessThan(300);
      return body.data.channel?.id ?? body.data.id;
    }

    const say = (channelId: string, authorId: string, content: string, more: object = {}): Promise<ApiResponse> =>
      api.post(`/api/messaging/central-channels/${channelId}/messages`, {
        author_id: authorId,
        content,
        server_id: '00000000-0000-0000-0000-000000000000',
        transport: 'http',
        ...more,
      });

    it('leaves nothing of the user, and everything of others', async () => {
      const [userId, other] = [newId(), newId()];
      const canary = `zqxcanary${newId().replaceAll('-', '')}`;
      // A session, with an answer that quotes the user.
      test.model.reply(`You said ${canary}.`);
      const session = await talk(userId, `My word is ${canary}`);
      // A group with another user, whose own answer is made from a prompt with the word.
      const groupId = await group([userId, other]);
      test.model.reply(`In the group you said ${canary}.`).reply('Hello other.');
      const said = await say(groupId, userId, `In the group: ${canary}`, { metadata: { user_display_name: canary } });
      expect(said.status).toBeLessThan(300);
      await say(groupId, other, 'The other stays.');
      // An edit.
      await api.patch(`/api/messaging/messages/${session.message.body.data.userMessage.id}`, { content: `Edited ${canary}` });
      // A deleted message, of which only the journal knows.
      test.model.reply(`Deleted ${canary}.`);
      const deleted = await say(groupId, userId, `Soon deleted ${canary}`);
      const deletedId = deleted.body.data.userMessage?.id ?? deleted.body.data.id;
      expect((await api.delete(`/api/messaging/central-channels/${groupId}/messages/${deletedId}`)).status).toBeLessThan(300);
      // A request that may be repeated, and a webhook.
      test.model.reply(`Answer to ${canary}.`);
      await fetch(`${test.url}/api/messaging/sessions/${session.sessionId}/messages`, {
        method: 'POST',
        headers: { ...JSON_BODY, 'idempotency-key': newId() },
        body: JSON.stringify({ content: `Again ${canary}`, transport: 'http' }),
      });
      const hooked = await fetch(`${test.url}/hook`, {
        method: 'POST',
        headers: JSON_BODY,
        body: JSON.stringify({ from: userId, text: canary }),
      });
      expect(hooked.status).toBeLessThan(300);
      expect((await rowsWith(canary)).length).toBeGreaterThan(5);
      expect((await rowsWith(canary)).some((row) => row.startsWith('webhook_deliveries'))).toBe(true);
      const records = await exported(userId);
      expect([...new Set(records.map(({ kind }) => kind))]).toEqual(
        expect.arrayContaining(['messages', 'channels', 'memories', 'sessions', 'turns', 'usage']),
      );
      // Sealed, so only the rows can be counted.
      const responses = async (): Promise<number> =>
        Number((await store().readSource.query('SELECT count(*) AS n FROM idempotency_keys WHERE response IS NOT NULL'))[0].n);
      expect(await responses()).toBe(1);
      const entries = Number((await store().readSource.query('SELECT count(*) AS n FROM journal'))[0].n);

      const report = await forget(userId);

      expect(await rowsWith(canary)).toEqual([]);
      expect(await rowsWith(userId)).toEqual([]);
      expect(await responses()).toBe(0);
      expect(JSON.stringify(report)).not.toContain(canary);
      expect(report.erased).toEqual(expect.arrayContaining([{ kind: 'channels', deleted: 1, redacted: 0 }]));
      // The other's message, its answer and all positions are there.
      const history = await api.get(`/api/messaging/central-channels/${groupId}/messages`);
      expect(history.body.data.messages.map(({ content }: { content: string }) => content)).toEqual(['Hello other.', 'The other stays.']);
      const after = await store().readSource.query('SELECT count(*) AS n, max(pos) AS last FROM journal');
      expect(Number(after[0].n)).toBeGreaterThan(entries);
      expect(Number(after[0].n)).toBe(Number(after[0].last));
      expect(await exported(userId)).toEqual([]);
      expect((await rowsWith(FORGOTTEN_USER_ID)).some((row) => row.startsWith('usage'))).toBe(true);
      if (engine === 'sqlite') {
        expect(await filesWith(userId)).toEqual([]);
        // Full-text indexes leave out the beginning that a term shares with the one before.
        expect(await filesWith(canary.slice(4))).toEqual([]);
      }
    });

    it('covers data at the time of the request: a file is deleted with its message, and later data stays', async () => {
      const userId = newId();
      const canary = `zqxlater${newId().replaceAll('-', '')}`;
      test.model.reply('Seen.');
      const { channelId } = await talk(userId, `Before ${canary}`);
      const upload = await api.post(
        `/api/messaging/channels/${channelId}/upload-media`,
        form(`Text of ${canary}`, `${canary}.txt`, 'text/plain'),
      );
      expect(upload.status).toBeLessThan(300);
      const { url } = upload.body.data;
      test.model.reply('Read.');
      await say(channelId, userId, 'A file', { metadata: { attachments: [{ url, contentType: 'text/plain' }] }, attachments: [{ url }] });
      expect(await filesWith(canary)).not.toEqual([]);
      // The file's row has the name.
      expect((await rowsWith(canary)).some((row) => row.startsWith('media_files'))).toBe(true);
      await forget(userId);
      expect(await rowsWith(canary)).toEqual([]);
      expect(await filesWith(canary)).toEqual([]);
      expect(await storedFiles(test)).toEqual([]);
      test.model.reply('Hello again.');
      await talk(userId, `After ${canary}`);
      expect((await exported(userId)).some(({ kind }) => kind === 'memories')).toBe(true);
      expect(await rowsWith(canary)).not.toEqual([]);
    });

    it('reports zeros for an unknown user, and names the backups', async () => {
      const userId = newId();
      const made = engine === 'sqlite' ? [basename(await makeBackup(test.config, new Date()))] : [];
      const { erased, backups } = await forget(userId);
      expect(erased.length).toBeGreaterThan(10);
      expect(erased.every(({ deleted, redacted }: { deleted: number; redacted: number }) => deleted + redacted === 0)).toBe(true);
      expect(backups).toEqual(made);
      expect(await exported(userId)).toEqual([]);
    });

    it('continues after a restart, and counts nothing twice', async () => {
      const userId = newId();
      test.model.reply('One.');
      await talk(userId, 'Before the restart');
      const [first, second] = await Promise.all([api.post(`/api/users/${userId}/forget`, {}), api.post(`/api/users/${userId}/forget`, {})]);
      const { requestId } = first.body.data;
      await test.restart();
      await forgotten(requestId);
      const { body } = await api.get(`/api/users/${userId}/forget/${requestId}`);
      expect(body.data).toMatchObject({ status: 'done', erased: expect.arrayContaining([{ kind: 'channels', deleted: 1, redacted: 0 }]) });
      expect([200, 202]).toContain(second.status);
      expect(await rowsWith(userId)).toEqual([]);
    });
  });
}
