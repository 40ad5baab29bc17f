// What a limited caller sends costs no more than the same from an unlimited one, and nothing looks into what it need not look into.
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ADA } from '../support/create-test-app.js';
import { processorMs } from '../support/work-units.js';
import { guardedApp } from './support/guarded-app.js';

const FORMS = `const handler = (request, response) => response.json({ fields: JSON.stringify(request.body).length });
export default { name: 'forms', routes: [{ type: 'POST', path: '/form', handler, isMultipart: true }] };`;

const app = guardedApp({ plugins: { 'forms.mjs': FORMS } });
const { api } = app;
beforeAll(() => {
  app.test.model.always(() => 'Hello');
});

const BUFFERS = 10;
const LARGE = 990_000;

/** How many elements of binary data anything asks an object for while something goes on. */
async function bytesVisited(meanwhile: () => Promise<void>): Promise<number> {
  let visited = 0;
  const real = { entries: Object.entries, values: Object.values, keys: Object.keys };
  const spies = (['entries', 'values', 'keys'] as const).map((name) =>
    jest.spyOn(Object, name).mockImplementation(((value: object) => {
      if (ArrayBuffer.isView(value)) visited += value.byteLength;
      return (real[name] as (value: object) => unknown)(value);
    }) as never),
  );
  try {
    await meanwhile();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return visited;
}

describe('binary data on a socket', () => {
  const buffers = (): Buffer[] => Array.from({ length: BUFFERS }, () => Buffer.alloc(LARGE, 1));

  it('of ten times 990 kB, from any client with a session, does not block the server', async () => {
    const { token, channelId } = await app.session();
    const socket = await app.socket(token);
    const visited = await bytesVisited(async () => {
      const refused = socket.ask('join', { channelId, parts: buffers() });
      const health = fetch(`${app.test.url}/healthz`);
      expect(await refused).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('binary') } });
      expect((await health).status).toBe(200);
    });
    expect(visited).toBe(0);
    expect(await socket.ask('join', { channelId })).toMatchObject({ ok: true, channelId });
  });

  it.each<[string, (channelId: string, binary: Buffer) => unknown[]]>([
    ['1', (channelId, binary) => [{ channelId, deep: [{ in: [binary] }] }]],
    ['2', (channelId, binary) => [{ channelId, message: 'x', metadata: { binary } }]],
    ['message', (channelId, binary) => [{ type: 1, payload: { channelId, binary } }]],
    ['leave', (channelId, binary) => [{ channelId, binary }]],
    ['request-world-state', (channelId, binary) => [{ channelId, binary }]],
    ['update_log_filters', (_channelId, binary) => [binary]],
    ['join', (channelId, binary) => [{ channelId }, binary]],
    ['audioStart', (channelId, binary) => [{ channelId, metadata: { binary } }]],
    ['audioEnd', (_channelId, binary) => [binary]],
    ['audioCancel', (_channelId, binary) => [{ binary }]],
  ])('is refused in the event %s', async (name, payload) => {
    const { token, channelId } = await app.session();
    const socket = await app.socket(token);
    expect(await socket.socket.timeout(60_000).emitWithAck(name, ...payload(channelId, Buffer.alloc(100)))).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('binary'), details: expect.stringContaining('audioChunk') },
    });
  });

  it('is accepted as a chunk of audio, and not inspected there', async () => {
    const { token, channelId } = await app.session();
    const socket = await app.socket(token);
    const visited = await bytesVisited(async () => {
      const begun = socket.ask('audioStart', { channelId, encoding: 'pcm16', sampleRate: 16_000 });
      const chunk = Buffer.alloc(64_000);
      expect(await socket.ask('audioChunk', chunk)).toMatchObject({ ok: true, receivedBytes: 64_000 });
      expect(await socket.ask('audioChunk', { audio: chunk })).toMatchObject({ ok: true, receivedBytes: 128_000 });
      expect(await begun).toMatchObject({ ok: true, channelId });
      expect(await socket.ask('audioCancel')).toMatchObject({ ok: true });
    });
    expect(visited).toBe(0);
  });
});

describe('a restricted caller', () => {
  const ids = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`);
  const shapes: [string, () => unknown][] = [
    ['a list of 900,000', () => Array<number>(900_000).fill(0)],
    ['45,000 ids', () => ids(45_000)],
    ['many small objects', () => Array.from({ length: 200_000 }, () => ({ a: 1 }))],
  ];
  const spent = async (send: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) times.push(await processorMs(send));
    return Math.min(...times);
  };

  it.each(shapes)('pays for %s no more than the administrator', async (_name, make) => {
    const { token, sessionId } = await app.session();
    const key = await app.key({ scope: 'write', agents: [ADA.id] });
    // The guard runs before validation.
    const body = { content: 1, unknown: make() };
    const send = (as: ReturnType<typeof app.as>) => () => api.post(`/api/messaging/sessions/${sessionId}/messages`, body, as);
    const unlimited = await spent(send(app.as()));
    for (const limited of [token, key]) expect(await spent(send(app.as(limited)))).toBeLessThan(3 * unlimited + 300);
  });

  it('gets an error for a request with more values than the limit', async () => {
    const { token, sessionId } = await app.session();
    const send = (length: number): ReturnType<typeof api.post> =>
      api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'x', unknown: Array<number>(length).fill(0) }, app.as(token));
    expect((await send(90_000)).status).toBe(201);
    expect(await app.outcome(send(900_000))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('events', () => {
  it('pending by the thousand close their connection, and do not delay others', async () => {
    const { token, channelId } = await app.session();
    const [socket, other] = [await app.socket(token), await app.socket(token)];
    const cut = new Promise<string>((resolve) => socket.socket.once('disconnect', resolve));
    for (let count = 0; count < 20_000; count += 1) socket.socket.emit('join', { channelId });
    expect(await other.ask('join', { channelId })).toMatchObject({ ok: true });
    expect(await cut).toBe('io server disconnect');
    expect(socket.all('messageError').at(-1)).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect((await api.get('/healthz')).status).toBe(200);
  });
});

describe('a form for a plugin, from any client', () => {
  const post = async (type: string, body: string | Uint8Array): Promise<[number, unknown]> => {
    const { status, body: answer } = await api.send('POST', '/form', body, { headers: { 'content-type': type } });
    return [status, answer];
  };

  it('with one field half a million times is accepted', async () => {
    const [status] = await post('application/x-www-form-urlencoded', Array<string>(500_000).fill('a=1').join('&'));
    expect(status).toBe(200);
  });

  it.each([
    ['a list with four billion places', 'a[4000000000]'],
    ['objects in objects', `a${'[b]'.repeat(30)}`],
  ])('whose field names %s is refused', async (_what, name) => {
    const form = `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n--x--\r\n`;
    expect(await post('multipart/form-data; boundary=x', form)).toEqual([400, { success: false, error: expect.any(String) }]);
  });

  it('whose fields exceed the limit of its files is refused before all are stored', async () => {
    const part = `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'y'.repeat(9_000_000)}\r\n`;
    const [status] = await post('multipart/form-data; boundary=x', `${part.repeat(4)}--x--\r\n`);
    expect(status).toBe(413);
  });
});
