// The plugins that ship, as they are loaded at every start, and called over HTTP.
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sign } from '@octokit/webhooks-methods';
import { ADA } from '../support/create-test-app.js';
import { pluginApp, PluginApp } from './support/plugin-app.js';

const PLUGINS_DIR = join(import.meta.dirname, '../../plugins');
const CHANNEL = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const NAMES = ['file-intake', 'github-webhook', 'post-message', 'static-pages'];

const app = pluginApp(
  {},
  {
    env: {
      PLUGINS_DIR,
      POST_MESSAGE_KEY: 'k',
      FILE_INTAKE_KEY: 'k',
      GITHUB_WEBHOOK_SECRET: 'a secret of the tests',
      GITHUB_WEBHOOK_CHANNEL: CHANNEL,
    },
  },
);
const { api } = app;

const channel = async (id?: string): Promise<string> => {
  const body = { id, name: 'c', serverId: '00000000-0000-0000-0000-000000000000', participantCentralUserIds: [ADA.id] };
  return (await api.post('/api/messaging/channels', body)).body.data.id;
};
const contents = async (channelId: string): Promise<string[]> =>
  (await api.get(`/api/messaging/channels/${channelId}/messages`)).body.data.messages.map(({ content }: { content: string }) => content);

describe('the bundled plugins', () => {
  it('are all loaded', async () => {
    const listed = await app.listed();
    expect(Object.keys(listed).sort()).toEqual(NAMES);
    expect(Object.values(listed).map(({ state }) => state)).toEqual(['loaded', 'loaded', 'loaded', 'loaded']);
  });

  it('post-message posts a message', async () => {
    const channelId = await channel();
    const send = (key: string): ReturnType<typeof api.post> =>
      api.post('/post-message', { channelId, message: 'Deployed' }, { headers: { 'x-api-key': key } });
    expect((await send('wrong')).status).toBe(401);
    expect(await send('k')).toMatchObject({ status: 200, body: { success: true } });
    expect(await contents(channelId)).toEqual(['Deployed']);
  });

  it('file-intake posts a note', async () => {
    const channelId = await channel();
    const form = new FormData();
    form.append('channelId', channelId);
    form.append('file', new Blob(['abc'], { type: 'text/plain' }), 'März.txt');
    expect(await api.post('/file-intake', form, { headers: { 'x-api-key': 'k' } })).toMatchObject({
      status: 201,
      body: { files: [{ filename: 'März.txt', size: 3, mimeType: 'text/plain' }] },
    });
    expect(await contents(channelId)).toEqual(['Received März.txt (text/plain, 3 bytes).']);
  });

  it('github-webhook accepts a signed delivery', async () => {
    const body = JSON.stringify({
      ref: 'refs/heads/main',
      commits: [{}],
      repository: { full_name: 'acme/app' },
      sender: { login: 'mona' },
    });
    const deliver = async (secret: string): ReturnType<typeof api.post> =>
      api.post('/github-webhook', body, {
        headers: {
          'content-type': 'application/json',
          'x-github-event': 'push',
          'x-github-delivery': 'd-1',
          'x-hub-signature-256': await sign(secret, body),
        },
      });
    expect((await deliver('another secret')).status).toBe(401);
    expect((await deliver('a secret of the tests')).status).toBe(202);
  });

  it('static-pages shows a page', async () => {
    const page = await api.get('/static-pages/');
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<h1>') });
    for (const file of ['style.css', 'page.js']) expect((await api.get(`/static-pages/${file}`)).status).toBe(200);
    expect((await api.get('/static-pages/agent.json')).body).toEqual({ name: 'Ada' });
  });

  it('are harmless without settings', async () => {
    const bare = await new PluginApp().start({}, { env: { PLUGINS_DIR } });
    try {
      expect(Object.keys(await bare.listed()).sort()).toEqual(NAMES);
      for (const path of ['/post-message', '/file-intake']) expect((await bare.api.post(path, {})).status).toBe(401);
      expect((await bare.api.post('/github-webhook', {})).status).toBe(500);
    } finally {
      await bare.close();
    }
  });
});
