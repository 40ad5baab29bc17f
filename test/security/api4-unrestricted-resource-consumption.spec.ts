// OWASP API4:2023. How much one request, one socket and one caller may cost. What would take for ever ends the test by its time limit.
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ADA, BOB } from '../support/create-test-app.js';
import { form } from '../support/uploads.js';
import { ADMIN, guardedApp, USER } from './support/guarded-app.js';
import { bodyOf, rawRequest, sendRaw, statusOf } from './support/raw-http.js';

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('one request', () => {
  const app = guardedApp();
  const { api } = app;
  const json = { headers: { 'x-api-key': ADMIN, 'content-type': 'application/json' } };
  const submit = (metadata: string): string =>
    `{"channel_id":"${USER}","author_id":"${ADA.id}","content":"x","metadata":${metadata},"raw_message":${metadata}}`;

  it.each<[string, string, number, string]>([
    ['objects in objects, beyond any stack', submit(nested(100_000)), 400, 'VALIDATION_ERROR'],
    ['lists in lists, beyond any stack', submit(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`), 400, 'VALIDATION_ERROR'],
    ['nothing but brackets', '['.repeat(1_000_000), 400, 'VALIDATION_ERROR'],
    ['nothing but some brackets', '['.repeat(50_000), 400, 'INVALID_JSON'],
    ['a list of a million', `[${'0,'.repeat(999_999)}0]`, 400, 'VALIDATION_ERROR'],
    ['lists of hundreds of thousands in its fields', submit(`{"a":[${'0,'.repeat(450_000)}0]}`), 400, 'VALIDATION_ERROR'],
    ['lists of tens of thousands in its fields', submit(`{"a":[${'0,'.repeat(49_000)}0]}`), 404, 'CHANNEL_NOT_FOUND'],
    [
      'hundreds of thousands of fields',
      `{${Array.from({ length: 180_000 }, (_, index) => `"f${index}":0`).join(',')}}`,
      400,
      'VALIDATION_ERROR',
    ],
    ['more than a body may have', `{"content":"${'x'.repeat(3_000_000)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
    ['a number with a million digits', `{"channel_id":${'9'.repeat(1_000_000)}}`, 400, 'VALIDATION_ERROR'],
    ['one field a hundred thousand times', `{${'"content":"x",'.repeat(100_000)}"content":"y"}`, 400, 'VALIDATION_ERROR'],
  ])('with %s is refused', async (_what, body, status, code) => {
    expect(await app.outcome(api.send('POST', '/api/messaging/submit', body, json))).toEqual([status, code]);
  });

  it('with more participants than a channel may have is refused', async () => {
    const participants = Array.from({ length: 30_000 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);
    for (const field of ['participants', 'participantCentralUserIds']) {
      expect(await app.outcome(api.post('/api/messaging/channels', { name: 'x', [field]: participants }, app.as()))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    }
  });

  it.each(['gzip', 'deflate', 'br'])('that grows on decompression is cut at the limit of a body (%s)', async (encoding) => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, 0x20));
    const head = rawRequest('POST /api/messaging/submit', [
      `X-API-KEY: ${ADMIN}`,
      'Content-Type: application/json',
      `Content-Encoding: ${encoding}`,
      `Content-Length: ${bomb.length}`,
    ]);
    const answer = await sendRaw(app.test.url, Buffer.concat([Buffer.from(head), bomb]));
    expect([encoding, encoding === 'gzip' ? [413] : [400, 413, 415]]).toEqual([encoding, expect.arrayContaining([statusOf(answer)])]);
    expect(JSON.parse(bodyOf(answer)).success).toBe(false);
  });

  it.each([
    '/api/agents?limit=1000000000',
    `/api/agents/${ADA.id}/memories?limit=1e9`,
    `/api/agents/${ADA.id}/rooms?limit=99999999`,
    `/api/agents/${ADA.id}/runs?limit=99999999`,
    `/api/messaging/message-servers/00000000-0000-0000-0000-000000000000/channels?limit=99999999`,
  ])('for an endless page, %s, gets an error or a page', async (path) => {
    const { status, body } = await api.get(path, app.as());
    expect([200, 400]).toContain(status);
    expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
  });

  it('does not grow metadata without limit over several changes', async () => {
    const channelId = await app.channel(ADA.id, USER);
    const room = app.data(await api.post(`/api/agents/${ADA.id}/rooms`, { name: 'x' }, app.as()));
    const { world } = app.data(await api.post(`/api/agents/${ADA.id}/worlds`, { name: 'x' }, app.as()));
    for (const path of [
      `/api/messaging/channels/${channelId}?metadata=merge`,
      `/api/agents/${ADA.id}/rooms/${room.id}`,
      `/api/agents/${ADA.id}/worlds/${world.id}`,
    ]) {
      const statuses: number[] = [];
      for (let turn = 0; turn < 12; turn += 1) {
        statuses.push((await api.patch(path, { metadata: { [`field ${turn}`]: 'x'.repeat(99_000) } }, app.as())).status);
      }
      expect([path, statuses]).toEqual([path, [...Array<number>(10).fill(200), 400, 400]]);
    }
  });

  it('with text that is slow for patterns gets a response', async () => {
    const hard = [
      'a'.repeat(50_000),
      '"'.repeat(1000),
      ' '.repeat(900),
      `${'a '.repeat(400)}!`,
      `${'"a" '.repeat(200)}`,
      '%'.repeat(900),
      '_'.repeat(900),
      '('.repeat(900),
      `${'é\u0301'.repeat(300)}`,
    ];
    for (const text of hard) {
      const answers = [
        api.post('/api/messaging/messages/search', { query: text.slice(0, 1000) }, app.as()),
        api.get(`/api/agents/${ADA.id}/memories?search=${encodeURIComponent(text.slice(0, 1000))}`, app.as()),
        api.post('/api/keys', { name: 'x', expiresAt: `2027-01-01T00:00:00.${'0'.repeat(50_000)}!` }, app.as()),
        api.post('/api/messaging/sessions', { agentId: text, userId: USER }, app.as()),
        api.post('/api/messaging/channels', { name: text, type: text }, app.as()),
        api.get(`/api/agents/${ADA.id}/memories?before=${encodeURIComponent(text.slice(0, 3000))}`, app.as()),
        api.get('/api/agents', {
          headers: { authorization: `Bearer ${' '.repeat(7000)}${text.slice(0, 1000).replaceAll(/[^ -~]/g, 'x')}` },
        }),
      ];
      for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(500);
    }
  });

  it.each<[string, () => FormData]>([
    ['a thousand fields', () => many(form('x', 'a.txt'), 1000)],
    ['a field of a megabyte', () => withField(form('x', 'a.txt'), 'x'.repeat(1_000_000))],
    ['a hundred files', () => manyFiles(100)],
    ['a file larger than uploads may be', () => form(new Uint8Array(2_000_000), 'a.bin')],
  ])('with %s in a form is refused, and nothing is stored', async (_what, make) => {
    const { status } = await api.post(`/api/media/agents/${ADA.id}/upload-media`, make(), app.as());
    expect([400, 413, 415]).toContain(status);
    const recording = await api.post(`/api/audio/${ADA.id}/transcriptions`, make(), app.as());
    expect([400, 413, 415]).toContain(recording.status);
  });

  it('whose client disconnects midway does not affect others', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () => {
        const sent = httpRequest(`${app.test.url}/api/messaging/submit`, {
          method: 'POST',
          headers: { 'x-api-key': ADMIN, 'content-type': 'application/json', 'content-length': '1000000' },
        });
        return new Promise<void>((resolve) => {
          sent.once('error', () => resolve());
          sent.write('{"content":"', () => sent.destroy(new Error('gone')));
        });
      }),
    );
    expect((await api.get('/healthz')).status).toBe(200);
  });
});

describe('one socket', () => {
  const app = guardedApp();

  it.each([300, 20_000])('gets an error for a payload of %i levels, and continues', async (levels) => {
    const channelId = await app.channel(ADA.id, BOB.id, USER);
    const [socket, listener] = [await app.socket(ADMIN, { entityId: USER }), await app.socket(ADMIN)];
    await listener.ask('join', { channelId });
    const deep = JSON.parse(nested(levels)) as unknown;
    for (const payload of [{ channelId, message: 'x', metadata: deep }, { channelId, message: 'x', attachments: [deep] }, deep]) {
      // 20,000 levels are more than a client can write: it is sent as it would be.
      const text = `42${JSON.stringify(levels)}["2",${JSON.stringify({ channelId, message: 'x' }).slice(0, -1)},"metadata":${nested(levels)}}]`;
      if (levels > 1000) socket.socket.io.engine.write(text.slice(1));
      else expect(await socket.ask('2', payload)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
    }
    if (levels > 1000) expect(await socket.waitFor('messageError')).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await socket.ask('2', { channelId, message: 'flat' })).ok).toBe(true);
    await listener.waitFor('messageBroadcast', ({ text }) => text === 'flat');
    expect(listener.all('messageBroadcast')).toHaveLength(1);
  });

  it('is cut when it exceeds the limit of a frame', async () => {
    const socket = await app.socket(ADMIN, { entityId: USER });
    const cut = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    socket.socket.emit('2', { message: 'x'.repeat(2_000_000) });
    await cut;
    expect((await app.api.get('/healthz')).status).toBe(200);
  });
});

describe('one caller', () => {
  const LIMITS = { RATE_LIMIT: 'on', RATE_LIMIT_WINDOW_SECONDS: '600', RATE_LIMIT_REQUESTS: '4', RATE_LIMIT_UPLOADS: '1' };
  const app = guardedApp({ env: LIMITS });

  it('has a limit of requests and uploads, over HTTP, sockets and plugin paths together, and gets an error beyond', async () => {
    const key = await app.key({ scope: 'write' });
    const upload = (): ReturnType<typeof app.api.post> =>
      app.api.post(`/api/media/agents/${ADA.id}/upload-media`, form('x', 'a.txt'), app.as(key));
    expect([(await upload()).status, (await upload()).status]).toEqual([200, 429]);
    const socket = await app.socket(key);
    for (let turn = 0; turn < 2; turn += 1) expect((await socket.ask('join', { channelId: USER })).ok).toBe(true);
    expect([(await app.api.get('/api/agents', app.as(key))).status, (await app.api.get('/api/agents', app.as(key))).status]).toEqual([
      200, 200,
    ]);
    const over = await app.api.get('/api/agents', app.as(key));
    expect([over.status, over.headers.get('ratelimit-remaining'), Number(over.headers.get('retry-after')) > 0]).toEqual([429, '0', true]);
    expect(await socket.ask('2', { channelId: USER, message: 'x' })).toMatchObject({ ok: false, error: { code: 'RATE_LIMIT_EXCEEDED' } });
  });

  it('has a limit of events, including invalid ones', async () => {
    const socket = await app.socket(await app.key({ scope: 'write' }));
    const codes: string[] = [];
    for (const [name, payload] of [['join'], ['leave', { channelId: 7 }], ['2', Buffer.alloc(10)], ['message', null], ['leave']] as const) {
      codes.push((await socket.ask(name, payload)).error.code);
    }
    expect(codes).toEqual([...Array<string>(4).fill('VALIDATION_ERROR'), 'RATE_LIMIT_EXCEEDED']);
  });
});

function many(data: FormData, count: number): FormData {
  for (let index = 0; index < count; index += 1) data.append(`f${index}`, 'x');
  return data;
}

function withField(data: FormData, text: string): FormData {
  data.append('metadata', text);
  return data;
}

function manyFiles(count: number): FormData {
  const data = new FormData();
  for (let index = 0; index < count; index += 1) data.append('file', new Blob(['x']), 'a.txt');
  return data;
}
