// Metrics as Prometheus reads them, from a real port.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { FakeClock } from '../support/fake-clock.js';
import { Gate } from '../support/scripted-model.js';
import { SocketClient } from '../support/socket-client.js';

const ADMIN = 'the administrator of the tests';
const TOKEN = 'a-token-for-scrapers';
const USER = '11111111-1111-1111-1111-111111111111';
const SAMPLE = /^[a-z_]+(\{([a-z_]+="([^"\\\n]|\\["\\n])*",?)+\})? (-?[\d.]+(e[+-]?\d+)?|[+-]Inf|NaN)$/;
const PLUGIN = `export default {
  name: 'quoting',
  routes: [
    { type: 'GET', path: '/metrics', name: 'shadow', public: true, handler: async (request, answer) => { answer.json({ shadow: true }); } },
    { type: 'GET', path: '/quoting/:what', name: 'what', public: true, handler: async (request, answer) => { answer.json({}); } },
  ],
  actions: [{
    name: 'SAY "IT"\\\\NOW', similes: [], description: 'Says it.', validate: async () => true,
    handler: async () => ({ success: true, text: 'said' }), examples: [],
  }],
};`;

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

const answerOf = async (response: Response): Promise<ApiResponse> => ({
  status: response.status,
  headers: response.headers,
  body: await response.json(),
});

const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

function samplesIn(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return line.startsWith('#') || line === '' ? [] : [{ name, labels, value: Number(value.replace('Inf', 'Infinity')) }];
  });
}

/** The sum over the series of a metric whose labels contain these. */
const sumOf = (samples: readonly Sample[], name: string, ...labels: string[]): number =>
  samples
    .filter((sample) => sample.name === name && labels.every((label) => sample.labels.includes(label)))
    .reduce((sum, { value }) => sum + value, 0);

describe('metrics', () => {
  const clock = new FakeClock();
  const api = new ApiClient(() => test.url);
  const as = (token: string): { headers: Record<string, string> } => ({ headers: { 'x-api-key': token } });
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({
      clock,
      env: {
        METRICS: 'on',
        METRICS_TOKEN: TOKEN,
        API_KEY: ADMIN,
        RATE_LIMIT_REQUESTS: '5',
        // One of these is the token for metrics, where it opens nothing.
        RATE_LIMIT_CREDENTIALS: '4',
        MODEL_PRICES: JSON.stringify({ scripted: { input: 2, output: 10 } }),
      },
      plugins: { 'quoting.mjs': PLUGIN },
    });
  });
  afterAll(() => test.close());

  const scrape = (init: RequestInit = bearer(TOKEN)): Promise<Response> => fetch(`${test.url}/metrics`, init);
  const read = async (): Promise<Sample[]> => samplesIn(await (await scrape()).text());
  /** The values after those that a scrape would still give from before. */
  const readAnew = (): Promise<Sample[]> => {
    clock.advance(5000);
    return read();
  };
  const session = async (): Promise<{ sessionId: string; channelId: string }> =>
    (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER }, as(ADMIN))).body.data;
  const say = (sessionId: string, transport: string): ReturnType<typeof api.post> =>
    api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello', transport }, as(ADMIN));

  it('are valid Prometheus text: each line is valid, and each series unique', async () => {
    const answer = await scrape();
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.filter((line) => !line.startsWith('# ') && !SAMPLE.test(line))).toEqual([]);
    const series = samplesIn(text).map(({ name, labels }) => `${name}{${labels}}`);
    expect(series.filter((each, index) => series.indexOf(each) !== index)).toEqual([]);
    const families = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2] ?? '');
    expect(new Set(families).size).toBe(families.length);
    expect(families.filter((name) => !/^(parley|process)_/.test(name))).toEqual([]);
    expect(series).toContain(`parley_build_info{version="${test.config.version}",node="${process.versions.node}"}`);
  });

  it('respond to HEAD without a body, and have no paths below', async () => {
    const head = await scrape({ ...bearer(TOKEN), method: 'HEAD' });
    expect([head.status, await head.text(), Number(head.headers.get('content-length')) > 1000]).toEqual([200, '', true]);
    expect((await fetch(`${test.url}/metrics/more`, bearer(ADMIN))).status).toBe(404);
  });

  it('change with a conversation: the request, the turn and its stages, tokens, cost and an action with quotes in its name', async () => {
    const before = await readAnew();
    const { sessionId } = await session();
    test.model.usage = { inputTokens: 1000, outputTokens: 200 };
    test.model.calls([{ name: 'SAY__IT__NOW', input: {} }]).reply('Said.');
    expect((await say(sessionId, 'http')).status).toBe(201);
    const after = await readAnew();
    const moved = (name: string, ...labels: string[]): number =>
      Math.round((sumOf(after, name, ...labels) - sumOf(before, name, ...labels)) * 1e9) / 1e9;

    const route = 'route="/api/messaging/sessions/:sessionId/messages"';
    expect(moved('parley_http_request_duration_seconds_count', 'method="POST"', route, 'status="2xx"')).toBe(1);
    expect(moved('parley_turn_duration_seconds_count', 'outcome="completed"')).toBe(1);
    for (const [stage, count] of Object.entries({ waiting: 1, context: 1, recall: 1, model: 2, action: 1, storing: 1 })) {
      expect([stage, moved('parley_turn_stage_duration_seconds_count', `stage="${stage}"`)]).toEqual([stage, count]);
    }
    expect(moved('parley_turn_first_token_seconds_count')).toBe(1);
    expect(moved('parley_model_first_token_seconds_count', 'provider="scripted"')).toBe(2);
    expect(moved('parley_model_call_duration_seconds_count', 'outcome="completed"')).toBe(2);
    expect(moved('parley_model_tokens_total', 'model="scripted"', 'direction="input"')).toBe(2000);
    expect(moved('parley_model_tokens_total', 'model="scripted"', 'direction="output"')).toBe(400);
    expect(moved('parley_model_cost_usd_total', 'model="scripted"')).toBe(0.008);
    expect(moved('parley_recall_duration_seconds_count')).toBe(1);
    expect(moved('parley_recall_searches_total', 'search="words"')).toBe(1);
    expect(moved('parley_journal_entries_total', 'type="message.created"')).toBe(2);
    expect(moved('parley_database_unit_duration_seconds_count', 'outcome="committed"')).toBeGreaterThan(3);
    expect(moved('parley_database_write_wait_seconds_count')).toBeGreaterThan(3);
    expect(moved('parley_database_write_hold_seconds_count')).toBeGreaterThan(3);
    const grouped = moved('parley_database_commit_units_sum');
    expect(grouped).toBeGreaterThanOrEqual(moved('parley_database_commit_units_count'));
    expect(moved('parley_action_duration_seconds_count', 'plugin="quoting"', 'action="SAY \\"IT\\"\\\\NOW"', 'outcome="completed"')).toBe(
      1,
    );
    expect(sumOf(after, 'parley_journal_lag_entries')).toBe(0);
  });

  it('report how many jobs wait, and for how long the oldest does', async () => {
    const { sessionId } = await session();
    const gate = new Gate();
    const asked = test.model.requests.length;
    test.model.deltas(['One.'], { gate }).reply('Two.');
    await say(sessionId, 'websocket');
    await test.model.called(asked + 1);
    await say(sessionId, 'websocket');
    clock.advance(7000);
    const held = await read();
    const jobs = (samples: readonly Sample[], state: string): number =>
      sumOf(samples, 'parley_queue_jobs', 'queue="turns"', `state="${state}"`);
    expect([jobs(held, 'due'), jobs(held, 'running')]).toEqual([1, 1]);
    expect(sumOf(held, 'parley_queue_oldest_age_seconds', 'queue="turns"')).toBe(7);
    gate.open();
    await test.model.called(asked + 2);
    const queues = new Set(held.filter(({ name }) => name === 'parley_queue_oldest_age_seconds').map(({ labels }) => labels));
    expect([...queues].sort()).toEqual(
      ['backups', 'documents', 'forget_requests', 'profiles', 'summaries', 'turns', 'webhook_deliveries'].map(
        (queue) => `queue="${queue}"`,
      ),
    );
  });

  it('count open event streams, sockets and requests to plugin routes', async () => {
    const before = await readAnew();
    const { channelId } = await session();
    const stop = new AbortController();
    const stream = await fetch(`${test.url}/api/messaging/channels/${channelId}/events`, { ...as(ADMIN), signal: stop.signal });
    expect(stream.status).toBe(200);
    const socket = await SocketClient.connect(test.url, { auth: { apiKey: ADMIN } });
    await (await fetch(`${test.url}/quoting/one`)).text();
    await (await fetch(`${test.url}/quoting/two`)).text();
    const after = await readAnew();
    expect(sumOf(after, 'parley_http_event_streams') - sumOf(before, 'parley_http_event_streams')).toBe(1);
    expect(sumOf(after, 'parley_sockets_open') - sumOf(before, 'parley_sockets_open')).toBe(1);
    const labels = ['plugin="quoting"', 'route="GET /quoting/:what"', 'status="2xx"'];
    expect(sumOf(after, 'parley_plugin_route_duration_seconds_count', ...labels)).toBe(2);
    stop.abort();
    socket.close();
  });

  describe('can be read', () => {
    it('by an administrator, with a read key, and with the scraper token, which permits nothing else', async () => {
      const key = (await api.post('/api/keys', { name: 'reader', scope: 'read' }, as(ADMIN))).body.data;
      for (const init of [as(ADMIN), as(key.token), bearer(key.token), bearer(TOKEN)]) expect((await scrape(init)).status).toBe(200);
      expect((await fetch(`${test.url}/api/agents`, bearer(TOKEN))).status).toBe(401);
    });

    it('by no anonymous caller, no session and no key of one agent', async () => {
      const stranger = await scrape({});
      expectError(await answerOf(stranger), 401, 'UNAUTHORIZED');
      expect(stranger.headers.get('www-authenticate')).toBe('Bearer');
      const { token } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: newId() }, as(ADMIN))).body.data;
      const key = (await api.post('/api/keys', { name: 'of Bob', scope: 'admin', agents: [BOB.id] }, as(ADMIN))).body.data;
      for (const each of [token, key.token]) {
        expectError(await answerOf(await scrape(bearer(each))), 403, 'FORBIDDEN');
      }
    });

    it('as often as a scraper needs, but guessing keys is limited', async () => {
      const key = (await api.post('/api/keys', { name: 'scraper', scope: 'read' }, as(ADMIN))).body.data;
      const answers = await Promise.all(Array.from({ length: 12 }, () => scrape(bearer(key.token))));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
      clock.advance(900_000);
      const wrong = [];
      for (let attempt = 0; attempt < 5; attempt += 1) wrong.push((await scrape(bearer(`wrong-${attempt}`))).status);
      expect(wrong).toEqual([401, 401, 401, 429, 429]);
      expect((await scrape()).status).toBe(200);
    });

    it("without counting a scrape as a client's request", async () => {
      const count = async (): Promise<number> => sumOf(await read(), 'parley_http_request_duration_seconds_count');
      expect((await count()) - (await count())).toBe(0);
    });
  });
});

describe('a server without METRICS', () => {
  it('has no such path, which plugins may use', async () => {
    const [plain, taken] = await Promise.all([createTestApp(), createTestApp({ plugins: { 'quoting.mjs': PLUGIN } })]);
    expectError(await answerOf(await fetch(`${plain.url}/metrics`)), 404, 'NOT_FOUND');
    expect(await (await fetch(`${taken.url}/metrics`)).json()).toEqual({ shadow: true });
    await Promise.all([plain.close(), taken.close()]);
  });
});

describe('a server without API_KEY', () => {
  it('shows its metrics to every caller, unless it has a metrics token', async () => {
    const [open, closed] = await Promise.all([
      createTestApp({ env: { METRICS: 'on' } }),
      createTestApp({ env: { METRICS: 'on', METRICS_TOKEN: TOKEN } }),
    ]);
    const statuses = [];
    for (const init of [{}, bearer('wrong'), bearer(TOKEN)]) statuses.push((await fetch(`${closed.url}/metrics`, init)).status);
    expect([(await fetch(`${open.url}/metrics`)).status, ...statuses]).toEqual([200, 401, 401, 200]);
    await Promise.all([open.close(), closed.close()]);
  });
});
