import { sign, type KeyObject } from 'node:crypto';
import type { Plugin } from './plugin.js';
import type { TestRequest } from './testing-types.js';
import { contentOf } from './testing/content.js';
import { routeFor } from './testing/match.js';
import type { WebhookVendor } from './webhooks.js';
import { hmac, standardKey } from './webhooks/signatures.js';

/** How a service signs. */
export interface TestSignature {
  /** The shared secret; for Discord a private Ed25519 key, whose public key is the value of the setting. */
  readonly secret: string | KeyObject;
  /** Id of the delivery, where the service puts it into a header (GitHub, Standard Webhooks); a fixed one by default. */
  readonly id?: string;
  /** Time of the signature, epoch ms; now by default. GitHub signs no time. */
  readonly at?: number;
}

interface Signed {
  readonly rawBody: Buffer;
  readonly secret: string;
  readonly key: string | KeyObject;
  readonly id: string;
  /** Epoch seconds. */
  readonly time: string;
}

const SIGNERS: Readonly<Record<WebhookVendor, (signed: Signed) => Record<string, string>>> = {
  github: ({ rawBody, secret, id }) => ({
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${hmac(secret, rawBody).toString('hex')}`,
  }),
  stripe: ({ rawBody, secret, time }) => ({ 'stripe-signature': `t=${time},v1=${hmac(secret, `${time}.`, rawBody).toString('hex')}` }),
  slack: ({ rawBody, secret, time }) => ({
    'x-slack-request-timestamp': time,
    'x-slack-signature': `v0=${hmac(secret, `v0:${time}:`, rawBody).toString('hex')}`,
  }),
  discord: ({ rawBody, key, time }) => ({
    'x-signature-timestamp': time,
    'x-signature-ed25519': sign(null, Buffer.concat([Buffer.from(time), rawBody]), key).toString('hex'),
  }),
  standard: ({ rawBody, secret, id, time }) => ({
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${hmac(standardKey(secret), `${id}.${time}.`, rawBody).toString('base64')}`,
  }),
};

/**
 * Signs a request as the service does that the webhook names in `verify`: for `callRoute` with the secret among its `settings`, or for a
 * running server.
 *
 * @returns the request with the bytes that are signed as its body, and the headers of the signature
 * @throws Error when the plugin has no such route, or the route is no webhook or verifies with a function of its own
 */
export function signRequest(
  plugin: Plugin,
  request: TestRequest,
  { secret, id = 'delivery-1', at = Date.now() }: TestSignature,
): TestRequest {
  const [path = '/'] = request.path.split('?', 1);
  const method = (request.method ?? 'GET').toUpperCase();
  const verify = routeFor(plugin, method, path).route.webhook?.verify;
  if (typeof verify !== 'string') {
    throw new Error(
      `route ${method} ${path} ${verify ? 'verifies with a function of its own: sign as its service does' : 'is no webhook: it needs no signature'}`,
    );
  }
  const { headers, rawBody } = contentOf(request);
  const time = String(Math.floor(at / 1000));
  const signature = SIGNERS[verify]({ rawBody, secret: typeof secret === 'string' ? secret : '', key: secret, id, time });
  return { ...request, headers: { ...headers, ...signature }, body: rawBody };
}
