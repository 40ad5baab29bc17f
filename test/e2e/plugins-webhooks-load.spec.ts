// Many deliveries at once while their handlers take long: each is acknowledged promptly and handled once.
import { afterEach, describe, expect, it } from '@jest/globals';
import { sign as signGithub } from '@octokit/webhooks-methods';
import { createWebhookApp, held, type WebhookApp } from '../support/webhook-app.js';

const SECRET = 'a secret of the tests';
const DELIVERIES = 200;

describe('acknowledged deliveries', () => {
  let app: WebhookApp;
  afterEach(() => app.close());

  it(`${DELIVERIES} at once are acknowledged about as fast as by an empty route, and each is handled once`, async () => {
    app = await createWebhookApp({ '/ack': { verify: 'github', secret: 'SECRET_OF_TESTS', mode: 'ack' } }, { SECRET_OF_TESTS: SECRET });
    const bodies = Array.from({ length: DELIVERIES }, (_, index) => JSON.stringify({ index, padding: 'x'.repeat(5000) }));
    const headers = await Promise.all(
      bodies.map(async (body, index) => ({
        'content-type': 'application/json',
        'x-github-delivery': `delivery-${index}`,
        'x-hub-signature-256': await signGithub(SECRET, body),
      })),
    );
    const gate = held(200);
    app.handlers.otherwise = () => gate.reaction;
    const burst = (path: string): Promise<{ status: number; ms: number }[]> =>
      Promise.all(
        bodies.map(async (body, index) => {
          const began = performance.now();
          const { status } = await app.api.send('POST', path, body, { headers: headers[index] });
          return { status, ms: performance.now() - began };
        }),
      );
    // Connections and compiled code are there before anything is measured.
    await burst('/empty');
    const empty = await burst('/empty');
    const acknowledged = await burst('/ack');
    expect(acknowledged.map(({ status }) => status)).toEqual(bodies.map(() => 202));
    const p99 = (answers: { ms: number }[]): number => answers.map(({ ms }) => ms).sort((a, b) => a - b)[Math.ceil(DELIVERIES * 0.99) - 1]!;
    process.stdout.write(`acknowledged: p99 ${p99(acknowledged).toFixed(1)} ms, an empty route ${p99(empty).toFixed(1)} ms\n`);
    // No handler had ended by then. The bound is loose: other tests run on this machine at the same time.
    expect(p99(acknowledged)).toBeLessThan(20 * p99(empty));

    gate.open();
    await app.handlers.called(DELIVERIES);
    const list = async (status: string): Promise<unknown[]> =>
      (await app.api.get(`/api/plugins/hooks/deliveries?status=${status}&limit=200`)).body.data.deliveries;
    while ((await list('done')).length < DELIVERIES);
    const handled = app.handlers.calls.map(({ request }) => request.headers['x-github-delivery']);
    expect(handled).toHaveLength(DELIVERIES);
    expect(new Set(handled).size).toBe(DELIVERIES);
  }, 60_000);
});
