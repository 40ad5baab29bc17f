import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, SESSIONS, USER } from './support/contract-app.js';

const app = contractApp();
const { api } = app;

/** A session whose question the model is answering. */
async function answering(): Promise<{ session: string; channel: string; messageId: string; replyId: string }> {
  const { sessionId, channelId } = await app.newSession();
  app.test.model.stall();
  const calls = app.test.model.requests.length + 1;
  const { body } = await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'What now?' });
  await app.test.model.called(calls);
  return { session: `${SESSIONS}/${sessionId}`, channel: channelId, messageId: body.id, replyId: body.replyId };
}

describe('stopping a reply', () => {
  it.each(['channel', 'session'] as const)('ends the turn, by the path of the %s', async (place) => {
    const { session, channel, messageId, replyId } = await answering();
    const path = place === 'session' ? session : `${CHANNELS}/${channel}`;
    const { status, body } = await api.post(`${path}/messages/${messageId}/cancel`);
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: { messageId, cancelled: [{ agentId: ADA.id, replyId }] },
    });
    const entry = await app.entry(channel, 'turn.cancelled');
    expect(entry.payload).toMatchObject({ messageId, replyId, error: { code: 'TURN_CANCELLED' } });
    expect((await app.messages(channel)).map(({ id }) => id)).toEqual([messageId]);
  });

  it('frees the channel for the next question', async () => {
    const { session, channel, messageId } = await answering();
    await api.post(`${session}/messages/${messageId}/cancel`);
    app.test.model.reply('At once.');
    const { body } = await api.post(`${session}/messages`, { content: 'And now?', transport: 'http' });
    expect(body.agentResponse.text).toBe('At once.');
    expect(await app.messages(channel)).toHaveLength(3);
  });

  it('changes nothing once the reply has ended', async () => {
    const { sessionId, channelId } = await app.newSession();
    app.test.model.reply('Here.');
    const { body } = await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Where?', transport: 'http' });
    const cancelled = await api.post(`${CHANNELS}/${channelId}/messages/${body.id}/cancel`);
    expect({ status: cancelled.status, data: cancelled.body.data }).toEqual({ status: 200, data: { messageId: body.id, cancelled: [] } });
    expect(await app.messages(channelId)).toHaveLength(2);
  });

  it.each([
    ['a channel that does not exist', (): string => `${CHANNELS}/${NOBODY}/messages/${NOBODY}/cancel`, 404, 'CHANNEL_NOT_FOUND'],
    ['a session that does not exist', (): string => `${SESSIONS}/${NOBODY}/messages/${NOBODY}/cancel`, 404, 'SESSION_NOT_FOUND'],
    ['a channel that is no id', (): string => `${CHANNELS}/x/messages/${NOBODY}/cancel`, 400, 'INVALID_ID'],
  ] as const)('refuses %s', async (_, path, status, code) => {
    expectError(await api.post(path()), status, code);
  });

  it('refuses a message of another channel, and an unknown one', async () => {
    const room = await app.newChannel({ participants: [USER] });
    const { id } = await app.say(room.id, 'Hello.');
    const other = await app.newChannel({ participants: [USER] });
    for (const messageId of [id, NOBODY]) {
      expectError(await api.post(`${CHANNELS}/${other.id}/messages/${messageId}/cancel`), 404, 'MESSAGE_NOT_FOUND');
    }
  });
});
