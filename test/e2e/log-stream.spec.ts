// The server's log over socket.io.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { io, type Socket } from 'socket.io-client';
import { Log } from '../../src/core/logging/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';

const KEY = 'a-key-of-the-tests';

type Payload = Record<string, unknown>;

describe('the log stream', () => {
  let test: TestApp;
  const log = new Log('tests');
  const open = new Set<Socket>();

  beforeAll(async () => {
    test = await createTestApp({ env: { API_KEY: KEY } });
  });
  afterAll(async () => {
    for (const socket of open) socket.disconnect();
    await test.close();
  });

  async function connect(
    apiKey = KEY,
  ): Promise<{ socket: Socket; heard: Payload[]; ask: (name: string, payload?: object) => Promise<Payload> }> {
    const socket = io(test.url, { transports: ['websocket'], auth: { apiKey }, reconnection: false });
    open.add(socket);
    const heard: Payload[] = [];
    socket.on('log_stream', ({ type, payload }: { type: string; payload: Payload }) => {
      expect(type).toBe('log_entry');
      if (payload['part'] === 'tests') heard.push(payload);
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    return { socket, heard, ask: (name, payload = {}) => socket.emitWithAck(name, payload) as Promise<Payload> };
  }

  it('reaches subscribers until they unsubscribe', async () => {
    const { socket, heard, ask } = await connect();
    const confirmed: Payload[] = [];
    socket.on('log_subscription_confirmed', (payload: Payload) => confirmed.push(payload));
    log.info('before');
    expect(await ask('subscribe_logs')).toMatchObject({ ok: true, subscribed: true });
    log.info('during', { agentId: ADA.id, token: 'x-1' });
    expect(await ask('unsubscribe_logs')).toMatchObject({ ok: true, subscribed: false });
    log.info('after');
    await ask('unsubscribe_logs');
    expect(heard).toEqual([
      expect.objectContaining({
        msg: 'during',
        level: 30,
        time: expect.any(Number),
        agentId: ADA.id,
        agentName: ADA.name,
        token: '[hidden]',
      }),
    ]);
    expect(confirmed.map(({ subscribed }) => subscribed)).toEqual([true, false, false]);
  });

  it('is filtered by minimum level and agent', async () => {
    const { heard, ask } = await connect();
    expect(await ask('update_log_filters', { level: 'warn' })).toMatchObject({ success: false, error: 'Not subscribed to log stream' });
    await ask('subscribe_logs');
    expect(await ask('update_log_filters', { level: 'WARN', agentName: ADA.name })).toMatchObject({
      success: true,
      filters: { level: 'warn', agentName: ADA.name },
    });
    log.info('too low', { agentId: ADA.id });
    log.warn('heard', { agentId: ADA.id });
    log.error('somebody else', undefined, { agentId: BOB.id });
    log.error('nobody');
    await ask('update_log_filters', { agentName: 'all', level: 'no such level' });
    log.error('beyond every level');
    await ask('update_log_filters', { level: 'all' });
    log.info('everything');
    await ask('unsubscribe_logs');
    expect(heard.map(({ msg }) => msg)).toEqual(['heard', 'everything']);
  });

  it('requires an administrator', async () => {
    await expect(connect('wrong')).rejects.toThrow('API');
    const api = new ApiClient(() => test.url);
    const created = await api.post('/api/keys', { name: 'reader', scope: 'read' }, { headers: { 'x-api-key': KEY } });
    expect(created.status).toBe(201);
    const { ask, heard } = await connect(created.body.data.token);
    expect(await ask('subscribe_logs')).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
    log.info('not for you');
    await ask('unsubscribe_logs');
    expect(heard).toEqual([]);
  });
});
