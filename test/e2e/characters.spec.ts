// What leaves as an event, and how long a text is, for characters that are unusual in programs.
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { socketApp } from '../support/socket-app.js';

const ENDS = 'one\u2028two\u2029three\u0085four';
const ESCAPED = 'one\\u2028two\\u2029three\\u0085four';

const app = socketApp();
const { api, connect, createChannel, createSession, start, write } = app;

describe('the characters that end a line for some readers', () => {
  it('leave escaped in an event stream', async () => {
    await start();
    app.test.model.reply(ENDS);
    const { sessionId } = await createSession();
    const body = JSON.stringify({ content: ENDS, transport: 'sse' });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${app.test.url}/api/messaging/sessions/${sessionId}/messages`, { method: 'POST', headers, body });
    const text = await answer.text();
    expect(text).toContain(ESCAPED);
    expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
  });

  it('leave escaped over sockets, and arrive as they were', async () => {
    await start();
    const channelId = await createChannel();
    const client = await connect();
    const frames: string[] = [];
    client.socket.io.engine.on('packet', ({ data }) => frames.push(String(data)));
    await client.ask('join', { channelId });
    const heard = once(client.socket as never, 'messageBroadcast');
    await write(channelId, ENDS);
    expect((await heard)[0]).toMatchObject({ text: ENDS });
    expect(frames.join()).toContain(ESCAPED);
    expect(frames.join()).not.toMatch(/[\u0085\u2028\u2029]/);
  });
});

describe('a text of emoji', () => {
  it('is as long over sockets as it is seen', async () => {
    await start();
    const channelId = await createChannel();
    const client = await connect();
    const send = (text: string, senderName: string): Promise<unknown> =>
      client.ask('message', { type: 2, payload: { channelId, message: text, senderName } });
    expect(await send('🌞'.repeat(100_000), '🌞'.repeat(255))).toMatchObject({ ok: true });
    expect(await send('🌞'.repeat(100_001), 'Ada')).toMatchObject({ ok: false });
    const { body } = await api.get(`/api/messaging/channels/${channelId}/messages`);
    expect(body.data.messages[0]).toMatchObject({ content: '🌞'.repeat(100_000), authorName: '🌞'.repeat(255) });
  });

  it('of 4,000 is a message of a session, and of 4,001 is not', async () => {
    await start();
    app.test.model.reply('Yes.');
    const { sessionId } = await createSession();
    const send = (content: string): ReturnType<typeof api.post> =>
      api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
    expect((await send('🌞'.repeat(4001))).status).toBe(400);
    expect((await send('🌞'.repeat(4000))).status).toBe(201);
  });
});
