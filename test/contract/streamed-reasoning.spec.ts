// Reasoning is streamed to clients that ask for it; a turn that thinks for long does not lose the clients that wait for it.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Journal } from '../../src/core/journal/index.js';
import type { ChatEvent } from '../../src/providers/models/index.js';
import { apiDocument } from '../support/api-document.js';
import { allEvents, serverEvents } from '../support/sse-client.js';
import { SocketClient } from '../support/socket-client.js';
import { CHANNELS, contractApp, SESSIONS } from './support/contract-app.js';

const THOUGHTS: ChatEvent[] = [
  { type: 'reasoning', text: 'They want ' },
  { type: 'reasoning', text: 'a number.' },
  { type: 'delta', text: 'Three.' },
];
const TURN_TIMEOUT_MS = 120_000;

describe('reasoning', () => {
  const app = contractApp();
  const { api } = app;
  beforeAll(() => app.useScriptedModel());

  const streamed = async (sessionId: string, body: object): Promise<{ event: string; data: Record<string, unknown> }[]> => {
    const answer = await fetch(`${app.test.url}${SESSIONS}/${sessionId}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'How many?', transport: 'sse', ...body }),
    });
    return allEvents(answer);
  };

  it('is streamed before the text of a message on request', async () => {
    app.test.model.events(THOUGHTS);
    const events = await streamed((await app.newSession()).sessionId, { metadata: { reasoning: true } });
    const shown = events.map(({ event, data }) => [event, data['index'], data['text']]).slice(1, 3);
    expect(shown).toEqual([
      ['reasoning', 0, 'They want a number.'],
      ['chunk', 0, 'Three.'],
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { text: 'Three.' } });
    expect(events.map(({ data }) => apiDocument().schemaFault('ReplyStreamEventView', data))).toEqual(events.map(() => undefined));
  });

  it('without an end fails the turn', async () => {
    app.test.model.events([
      ...Array<ChatEvent>(3).fill({ type: 'reasoning', text: 'Hm. '.repeat(100_000) }),
      { type: 'delta', text: 'Three.' },
    ]);
    const events = await streamed((await app.newSession()).sessionId, {});
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: { code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('reasoning') },
    });
  });

  it.each([
    ['no message asks', {}, {}],
    ['the message declines what its channel asks for', { reasoning: true }, { reasoning: false }],
    ['the message says something else', {}, { reasoning: 'high' }],
  ])('is not streamed when %s', async (_why, ofChannel, ofMessage) => {
    app.test.model.events(THOUGHTS);
    const { sessionId, channelId } = await app.newSession();
    await api.patch(`${CHANNELS}/${channelId}`, { metadata: ofChannel });
    const events = await streamed(sessionId, { metadata: ofMessage });
    expect(events.map(({ event }) => event)).toEqual(['user_message', 'chunk', 'done']);
  });

  it('reaches streams and sockets of a channel on request', async () => {
    app.test.model.events(THOUGHTS);
    const { sessionId, channelId } = await app.newSession();
    expect((await api.patch(`${CHANNELS}/${channelId}`, { metadata: { reasoning: true } })).status).toBe(200);
    const client = await SocketClient.connect(app.test.url);
    await client.ask('join', { channelId });
    await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'How many?' });
    const heard = await client.waitFor('messageStreamReasoning');
    expect(heard).toMatchObject({ text: 'They want a number.', index: 0, channelId, messageId: heard['replyId'] });
    await client.waitFor('messageComplete');
    client.close();
    for await (const { event, data } of serverEvents(await fetch(`${app.test.url}${CHANNELS}/${channelId}/events?lastEventId=0`))) {
      if (event !== 'reasoning.chunk') continue;
      expect(data).toMatchObject({ text: 'They want a number.', index: 0, replyId: heard['replyId'] });
      break;
    }
  });

  it.each(['http', 'sse'])('that takes minutes keeps a client connected over %s until the reply arrives', async (transport) => {
    const { sessionId, channelId } = await app.newSession();
    const journal = app.test.app.get(Journal);
    async function* thinkForLong(): AsyncGenerator<ChatEvent> {
      for (let times = 0; times < 4; times += 1) {
        app.clock.advance(TURN_TIMEOUT_MS - 2000);
        const told = new Promise<void>((resolve) => {
          const end = journal.subscribeToChannel(channelId, ({ type }) => {
            if (type !== 'turn.progress') return;
            end();
            resolve();
          });
        });
        yield { type: 'reasoning', text: 'Hm. ' };
        app.clock.advance(1000);
        await told;
      }
      yield { type: 'delta', text: 'Three.' };
    }
    app.test.model.events(thinkForLong());
    if (transport === 'sse') {
      const events = await streamed(sessionId, {});
      expect(events.map(({ event }) => event)).toEqual(['user_message', 'chunk', 'done']);
      return;
    }
    const answer = await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'How many?', transport });
    expect(answer.body.data?.agentResponse?.text ?? answer.body).toBe('Three.');
  });
});
