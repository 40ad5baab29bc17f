import { meter, Tracer, type FinishedSpan } from '../../src/core/telemetry/index.js';
import { newId } from '../../src/core/ids/index.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';

type Labels = Record<string, string>;

const ROUTE = '/api/messaging/sessions/:sessionId/messages';

describe('telemetry of a conversation', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp();
  });

  const post = async (path: string, body: object, requestId: string): Promise<Record<string, unknown>> => {
    const headers = { 'Content-Type': 'application/json', 'X-Request-Id': requestId };
    const answer = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  };

  /** Over all series with these labels: other files of this process may have added some. */
  const countOf = (name: string, labels: Labels): number =>
    (meter.snapshot().find((metric) => metric.name === name)?.series ?? [])
      .filter((each) => Object.entries(labels).every(([label, value]) => each.labels[label] === value))
      .reduce((sum, each) => sum + ('value' in each ? each.value : each.count), 0);

  /** How many more there are than now: what other files of this process did is counted too. */
  const countedSince = (): typeof countOf => {
    const before = new Map<string, number>();
    const expected: [string, Labels][] = [
      ['http.requests', { method: 'POST', route: ROUTE, status: '2xx' }],
      ['turns.started', {}],
      ['turns.finished', { outcome: 'completed' }],
      ['models.calls', { outcome: 'completed' }],
      ['journal.entries', { type: 'message.created' }],
      ['database.units', { outcome: 'committed' }],
    ];
    for (const [name, labels] of expected) before.set(name, countOf(name, labels));
    return (name, labels) => countOf(name, labels) - (before.get(name) ?? 0);
  };

  it('counts the request, the turn, the model call, entries and units, and traces the turn under its request', async () => {
    const spans: FinishedSpan[] = [];
    const counted = countedSince();
    const stop = app.app.get(Tracer).start({ propagates: false, samples: () => true, ended: (span) => spans.push(span) });
    app.model.reply('Hello too.');
    const { sessionId } = await post('/api/messaging/sessions', { agentId: ADA.id, userId: newId() }, 'telemetry-session');
    await post(`/api/messaging/sessions/${String(sessionId)}/messages`, { content: 'Hello', transport: 'http' }, 'telemetry-message');
    // Closing ends all work: a client may get its response earlier.
    await app.close();
    stop();

    expect(counted('http.requests', { method: 'POST', route: ROUTE, status: '2xx' })).toBe(1);
    expect(counted('turns.started', {})).toBe(1);
    expect(counted('turns.finished', { outcome: 'completed' })).toBe(1);
    expect(counted('models.calls', { outcome: 'completed' })).toBe(1);
    expect(counted('journal.entries', { type: 'message.created' })).toBe(2);
    expect(counted('database.units', { outcome: 'committed' })).toBeGreaterThan(2);

    const turn = spans.find(({ name }) => name === 'invoke_agent Ada')!;
    expect(turn.attributes).toMatchObject({
      'gen_ai.agent.id': ADA.id,
      'parley.request.id': 'telemetry-message',
      'parley.turn.outcome': 'completed',
    });
    expect(spans.find(({ context }) => context.spanId === turn.parent?.spanId)?.name).toBe(`POST ${ROUTE}`);
    for (const name of ['turn.context', 'turn.offer', 'chat scripted', 'turn.reply']) {
      expect(spans.find((span) => span.name === name)?.parent).toMatchObject({ spanId: turn.context.spanId });
    }
  });

  it('counts requests to unknown paths without a series per path', async () => {
    const unknown = { method: 'POST', route: '(none)', status: '4xx' };
    const before = countOf('http.requests', unknown);
    await post('/api/nothing-1', {}, 'one');
    await post('/api/nothing-2', {}, 'two');
    await app.close();
    expect(countOf('http.requests', unknown) - before).toBe(2);
  });
});
