// Webhooks of plugins: what is let in, and that the same delivery is handled once. The vendors' own libraries sign.
import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sign as signGithub } from '@octokit/webhooks-methods';
import slack from '@slack/bolt';
import { verifyKey } from 'discord-interactions';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { createWebhookApp, type WebhookApp } from '../support/webhook-app.js';

const SECRET = 'a secret of the tests';
const REFUSED = { status: 401, body: { success: false, error: 'Invalid signature' } };
const STALE = { status: 401, body: { success: false, error: 'Timestamp outside the tolerance' } };

let app: WebhookApp;
afterEach(() => app.close());

/** Sends bytes as JSON. */
function deliver(path: string, body: string | Uint8Array, headers: Record<string, string>): Promise<ApiResponse> {
  return app.api.send('POST', path, body, { headers: { 'content-type': 'application/json', ...headers } });
}

/** The bodies of GitHub's API that its maintainers publish. */
async function examples(): Promise<string[]> {
  // Its types say CommonJS with a default export; it is a JSON file.
  const module: unknown = await import('@octokit/webhooks-examples', { with: { type: 'json' } });
  const { default: definitions } = module as { default: { examples: unknown[] }[] };
  return definitions.flatMap((each) => each.examples).map((example) => JSON.stringify(example));
}

describe('GitHub', () => {
  const path = '/hooks/github';
  const github = async (body: string, delivery: string, secret = SECRET): Promise<Record<string, string>> => ({
    'x-github-event': 'test',
    'x-github-delivery': delivery,
    'x-hub-signature-256': await signGithub(secret, body),
  });

  it('every example of its API is handled once, refused when a byte changes, and not repeated', async () => {
    app = await createWebhookApp({ [path]: { verify: 'github', secret: 'GITHUB_SECRET' } }, { GITHUB_SECRET: SECRET });
    const payloads = await examples();
    expect(payloads).toHaveLength(329);
    const faults: unknown[] = [];
    for (const [index, payload] of payloads.entries()) {
      const headers = await github(payload, `delivery-${index}`);
      const bytes = Buffer.from(payload);
      const place = (index * 7919) % bytes.length;
      bytes[place] = bytes[place]! ^ 1;
      const tampered = await deliver(path, bytes, headers);
      const before = app.handlers.calls.length;
      const first = await deliver(path, payload, headers);
      const again = await deliver(path, payload, headers);
      const calls = app.handlers.calls.slice(before);
      const fine =
        tampered.status === 401 &&
        before === index &&
        first.status === 200 &&
        again.status === 200 &&
        again.body.duplicate === true &&
        calls.length === 1 &&
        calls[0]!.request.rawBody.toString() === payload &&
        JSON.stringify(calls[0]!.request.body) === payload;
      if (!fine) faults.push({ index, tampered, first, again, calls: calls.length });
    }
    expect(faults).toEqual([]);
    expect(app.handlers.calls).toHaveLength(329);
  }, 120_000);

  it.each(['inline', 'ack'] as const)(
    'every example as a form, its default, reaches the handler as JSON: %s',
    async (mode) => {
      app = await createWebhookApp({ [path]: { verify: 'github', secret: 'GITHUB_SECRET', mode } }, { GITHUB_SECRET: SECRET });
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      // In ack mode each is a row that is handled later, so a part of them is enough.
      const payloads = (await examples()).filter((_example, index) => mode === 'inline' || index % 20 === 0);
      const statuses = new Set<number>();
      for (const [index, payload] of payloads.entries()) {
        const body = new URLSearchParams({ payload }).toString();
        const headers = { ...form, ...(await github(body, `form-${index}`)) };
        expect((await deliver(path, body.replace('%22', '%20'), headers)).status).toBe(401);
        statuses.add((await deliver(path, body, headers)).status);
      }
      await app.handlers.called(payloads.length);
      expect([...statuses]).toEqual([mode === 'ack' ? 202 : 200]);
      const bodies = app.handlers.calls.map(({ request }) => JSON.stringify(request.body));
      expect(bodies.toSorted()).toEqual(payloads.toSorted());
      expect(app.handlers.calls[0]!.request.rawBody.toString()).toMatch(/^payload=%7B/);
    },
    120_000,
  );

  it('a form that is signed and no text is 400, and one without JSON has its fields', async () => {
    app = await createWebhookApp({ [path]: { verify: 'github', secret: 'GITHUB_SECRET' } }, { GITHUB_SECRET: SECRET });
    const send = async (body: string, id: string): Promise<ApiResponse> =>
      deliver(path, body, { 'content-type': 'application/x-www-form-urlencoded', ...(await github(body, id)) });
    expect(await send('payload=%E9', 'one')).toMatchObject({ status: 400, body: { success: false } });
    expect(await deliver(path, 'payload=%E9', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject(REFUSED);
    expect((await send('payload=no+JSON&a=1', 'two')).status).toBe(200);
    expect(app.handlers.calls.map(({ request }) => request.body)).toEqual([{ payload: 'no JSON', a: '1' }]);
  });

  it('a delivery needs a valid signature, for any body [webhooks.signatures]', async () => {
    app = await createWebhookApp({ [path]: { verify: 'github', secret: 'GITHUB_SECRET' } }, { GITHUB_SECRET: SECRET });
    const body = '{ "b":1.0,"a" : "é" }';
    const headers = await github(body, 'one');
    for (const wrong of [
      '',
      'sha256=',
      'sha256=00',
      headers['x-hub-signature-256']!.toUpperCase(),
      headers['x-hub-signature-256']!.slice(0, -1),
    ]) {
      expect(await deliver(path, body, { ...headers, 'x-hub-signature-256': wrong })).toMatchObject(REFUSED);
    }
    expect(await deliver(path, body, { 'x-github-delivery': 'one' })).toMatchObject(REFUSED);
    expect(await deliver(path, body, await github(body, 'one', 'another secret'))).toMatchObject(REFUSED);
    expect(await deliver(path, body, headers)).toMatchObject({ status: 200, body: { success: true, call: path } });
    // Rightly signed and no JSON: let in, and then no use.
    expect(await deliver(path, '{ "cut', await github('{ "cut', 'two'))).toMatchObject({ status: 400, body: { success: false } });
    expect(await deliver(path, '{ "cut', headers)).toMatchObject(REFUSED);
    const form = 'payload=%7B%7D';
    const answer = await app.api.send('POST', path, form, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...(await github(form, 'three')) },
    });
    expect(answer.status).toBe(200);
    expect(app.handlers.calls.map(({ request }) => request.body)).toEqual([{ a: 'é', b: 1 }, {}]);
  });

  it('a signature with any of several secrets is valid during their rotation', async () => {
    const settings = { ROTATING: 'the old secret, the new secret', OTHER: 'third secret\nfourth secret', COMMA: 'a secret, yes' };
    app = await createWebhookApp(
      {
        '/rotating': { verify: 'github', secret: ['ROTATING', 'OTHER', 'UNSET'] },
        '/comma': { verify: 'github', secret: 'COMMA' },
      },
      settings,
    );
    const known = ['the old secret', 'the new secret', 'third secret', 'fourth secret'];
    for (const secret of known) expect((await deliver('/rotating', '{}', await github('{}', secret, secret))).status).toBe(200);
    for (const secret of ['the old secret, the new secret', 'UNSET', 'a fifth one']) {
      expect((await deliver('/rotating', '{}', await github('{}', secret, secret))).status).toBe(401);
    }
    // Too short to be a secret of its own: the comma belongs to the secret.
    expect((await deliver('/comma', '{}', await github('{}', '1', 'yes'))).status).toBe(401);
    expect((await deliver('/comma', '{}', await github('{}', '2', 'a secret, yes'))).status).toBe(200);
  });

  it('a delivery is refused while no secret is set [webhooks.signatures]', async () => {
    app = await createWebhookApp({ [path]: { verify: 'github', secret: 'UNSET' } }, {});
    const failed = { status: 500, body: { success: false, error: 'Internal error' } };
    expect(await deliver(path, '{}', await github('{}', '1'))).toMatchObject(failed);
    expect(await deliver(path, '{}', await github('{}', '1', ''.padEnd(1)))).toMatchObject(failed);
    expect(await deliver(path, '{}', {})).toMatchObject(failed);
    expect(app.handlers.calls).toEqual([]);
  });

  it('the same delivery is handled once for two agents, unless one has its own secret', async () => {
    app = await createWebhookApp({ [path]: { verify: 'github', secret: 'GITHUB_SECRET' } }, { GITHUB_SECRET: SECRET });
    const headers = await github('{}', 'one');
    const duplicates: unknown[] = [];
    for (const query of ['', `?agentId=${ADA.id}`, `?agentId=${BOB.id}`]) {
      duplicates.push((await deliver(path + query, '{}', headers)).body.duplicate);
    }
    expect([duplicates, app.handlers.calls.length]).toEqual([[undefined, true, true], 1]);
    const own = 'a secret that only Bob has';
    expect((await app.api.patch(`/api/agents/${BOB.id}`, { settings: { secrets: { GITHUB_SECRET: own } } })).status).toBe(200);
    expect(await deliver(`${path}?agentId=${BOB.id}`, '{}', headers)).toMatchObject(REFUSED);
    expect((await deliver(`${path}?agentId=${BOB.id}`, '{}', await github('{}', 'one', own))).body.duplicate).toBeUndefined();
    expect(app.handlers.calls.at(-1)?.agentId).toBe(BOB.id);
  });
});

describe('Stripe', () => {
  const path = '/hooks/stripe';
  const sender = new Stripe('sk_test_none');
  const event = (id: string): string => JSON.stringify({ id, object: 'event', type: 'invoice.paid', data: { object: {} } }, undefined, 2);

  it('signatures of its own library are valid', async () => {
    const clock = new FakeClock();
    app = await createWebhookApp(
      { [path]: { verify: 'stripe', secret: 'STRIPE' } },
      { STRIPE: 'whsec_first111,whsec_second22' },
      { clock },
    );
    const signed = (payload: string, secret: string, ageSeconds = 0): Record<string, string> => ({
      'stripe-signature': sender.webhooks.generateTestHeaderString({ payload, secret, timestamp: clock.now() / 1000 - ageSeconds }),
    });
    const first = event('evt_1');
    expect(await deliver(path, first, signed(first, 'whsec_first111'))).toMatchObject({ status: 200 });
    expect(await deliver(path, first, signed(first, 'whsec_second22', 10))).toMatchObject({ status: 200, body: { duplicate: true } });
    const second = event('evt_2');
    const both = [signed(second, 'whsec_elsewhere'), signed(second, 'whsec_second22')].map((headers) => headers['stripe-signature']!);
    expect(await deliver(path, second, { 'stripe-signature': `${both[0]},${both[1]!.split(',')[1]}` })).toMatchObject({ status: 200 });
    expect(await deliver(path, second.replace('paid', 'void'), signed(second, 'whsec_first111'))).toMatchObject(REFUSED);
    expect(await deliver(path, second, signed(second, 'whsec_third333'))).toMatchObject(REFUSED);
    expect(await deliver(path, second, signed(second, 'whsec_first111', 301))).toMatchObject(STALE);
    expect(await deliver(path, second, signed(second, 'whsec_first111', -301))).toMatchObject(STALE);
    expect(await deliver(path, event('evt_3'), signed(event('evt_3'), 'whsec_first111', 299))).toMatchObject({ status: 200 });
    for (const wrong of ['', 't=', 't=1', 'v1=00', 't=,v1=', '=', 't=1,t=2,v1=zz']) {
      expect(await deliver(path, second, { 'stripe-signature': wrong })).toMatchObject(REFUSED);
    }
    expect(app.handlers.calls.map(({ request }) => (request.body as { id: string }).id)).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });
});

describe('Standard Webhooks', () => {
  const path = '/hooks/standard';
  const secret = `whsec_${Buffer.from('a key of the standard of tests').toString('base64')}`;

  it('signatures of its own library are valid', async () => {
    const clock = new FakeClock();
    app = await createWebhookApp(
      { [path]: { verify: 'standard', secret: 'STANDARD', toleranceSeconds: 60 } },
      { STANDARD: secret },
      { clock },
    );
    const sender = new Webhook(secret);
    const signed = (id: string, body: string, ageSeconds = 0): Record<string, string> => {
      const at = new Date(clock.now() - ageSeconds * 1000);
      return { 'webhook-id': id, 'webhook-timestamp': String(at.getTime() / 1000), 'webhook-signature': sender.sign(id, at, body) };
    };
    const body = '{"type":"contact.created"}';
    expect(await deliver(path, body, signed('msg_1', body))).toMatchObject({ status: 200 });
    expect(await deliver(path, body, signed('msg_1', body, 30))).toMatchObject({ status: 200, body: { duplicate: true } });
    const rotated = signed('msg_2', body);
    expect(
      await deliver(path, body, { ...rotated, 'webhook-signature': `v1,AAAA v1a,BBBB ${rotated['webhook-signature']}` }),
    ).toMatchObject({ status: 200 });
    expect(await deliver(path, body, { ...signed('msg_3', body), 'webhook-id': 'msg_4' })).toMatchObject(REFUSED);
    expect(await deliver(path, `${body} `, signed('msg_3', body))).toMatchObject(REFUSED);
    expect(await deliver(path, body, { ...signed('msg_3', body), 'webhook-signature': '' })).toMatchObject(REFUSED);
    expect(await deliver(path, body, signed('msg_3', body, 61))).toMatchObject(STALE);
    expect(app.handlers.calls).toHaveLength(2);
  });
});

describe('Slack', () => {
  const path = '/hooks/slack';

  it('a delivery is verified as by its own library', async () => {
    // The example of https://api.slack.com/authentication/verifying-requests-from-slack
    const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
      '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands' +
      '%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    };
    const clock = new FakeClock(1_531_420_618_000);
    app = await createWebhookApp({ [path]: { verify: 'slack', secret: 'SLACK' } }, { SLACK: signingSecret }, { clock });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const cases = [
      [200, body, headers],
      [401, `${body}x`, headers],
      [401, body, { ...headers, 'x-slack-request-timestamp': '1531420619' }],
      [401, body, { ...headers, 'x-slack-signature': headers['x-slack-signature'].replace('v0', 'v1') }],
      [401, body, { ...headers, 'x-slack-signature': '' }],
    ] as const;
    for (const [status, text, given] of cases) {
      expect((await app.api.send('POST', path, text, { headers: { ...type, ...given } })).status).toBe(status);
      const library = (): void =>
        slack.verifySlackRequest({ signingSecret, body: text, headers: given as never, nowMilliseconds: clock.now() });
      if (status === 200) expect(library).not.toThrow();
      else expect(library).toThrow();
    }
    expect(app.handlers.calls[0]!.request.body).toMatchObject({ command: '/webhook-collect', text: '' });
    const interaction = new URLSearchParams({ payload: '{"type":"block_actions"}' }).toString();
    const time = String(clock.now() / 1000);
    const hash = createHmac('sha256', signingSecret).update(`v0:${time}:${interaction}`).digest('hex');
    const signed = { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${hash}` };
    expect((await app.api.send('POST', path, interaction, { headers: { ...type, ...signed } })).status).toBe(200);
    expect(app.handlers.calls[1]!.request.body).toEqual({ type: 'block_actions' });
    clock.advance(301_000);
    expect(await app.api.send('POST', path, body, { headers: { ...type, ...headers } })).toMatchObject(STALE);
  });
});

describe('Discord', () => {
  const path = '/hooks/discord';

  it('a delivery is verified with a key pair; pings are acknowledged without the handler', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    const clock = new FakeClock();
    app = await createWebhookApp({ [path]: { verify: 'discord', secret: 'DISCORD' } }, { DISCORD: key }, { clock });
    const signed = (body: string): Record<string, string> => {
      const timestamp = String(clock.now() / 1000);
      const signature = signBytes(null, Buffer.from(timestamp + body), privateKey).toString('hex');
      return { 'x-signature-timestamp': timestamp, 'x-signature-ed25519': signature };
    };
    const interaction = '{"id":"1","type":2}';
    const headers = signed(interaction);
    expect(await verifyKey(interaction, headers['x-signature-ed25519']!, headers['x-signature-timestamp']!, key)).toBe(true);
    expect(await deliver(path, '{"id":"0","type":1}', signed('{"id":"0","type":1}'))).toMatchObject({ status: 200, body: { type: 1 } });
    expect((await deliver(path, '{"type":0}', signed('{"type":0}'))).status).toBe(204);
    expect(await deliver(path, '{"id":"0","type":1}', headers)).toMatchObject(REFUSED);
    expect(app.handlers.calls).toEqual([]);
    expect(await deliver(path, interaction, headers)).toMatchObject({ status: 200 });
    expect(await deliver(path, interaction, headers)).toMatchObject({ status: 200, body: { duplicate: true } });
    for (const signature of ['', 'zz', headers['x-signature-ed25519']!.slice(2), 'ff'.repeat(64)]) {
      expect(await deliver(path, interaction, { ...headers, 'x-signature-ed25519': signature })).toMatchObject(REFUSED);
    }
    clock.advance(301_000);
    expect(await deliver(path, interaction, headers)).toMatchObject(STALE);
    expect(app.handlers.calls).toHaveLength(1);
  });
});
