// Many deliveries at once while their handlers take long: none waits for a handler, and each is handled once.
import { afterEach, describe, expect, it } from '@jest/globals';
import { sign as signGithub } from '@octokit/webhooks-methods';
import { createWebhookApp, held, type WebhookApp } from '../support/webhook-app.js';

const SECRET = 'a secret of the tests';
const DELIVERIES = 200;

describe('acknowledged deliveries', () => {
  let app: WebhookApp;
  afterEach(() => app.close());

  it(`${DELIVERIES} at once are answered before a handler ends, and each is handled once`, async () => {
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
    const acknowledged = await Promise.all(bodies.map((body, index) => app.api.send('POST', '/ack', body, { headers: headers[index] })));
    expect(acknowledged.map(({ status }) => status)).toEqual(bodies.map(() => 202));

    // No handler has ended so far.
    gate.open();
    await app.handlers.called(DELIVERIES);
    const list = async (status: string): Promise<unknown[]> =>
      (await app.api.get(`/api/plugins/hooks/deliveries?status=${status}&limit=200`)).body.data.deliveries;
    while ((await list('done')).length < DELIVERIES);
    const handled = app.handlers.calls.map(({ request }) => request.headers['x-github-delivery']);
    expect(handled).toHaveLength(DELIVERIES);
    expect(new Set(handled).size).toBe(DELIVERIES);
  });
});
