// Signature schemes of the vendors. They verify the raw bytes against a given time, because the vendors' libraries take text and read the
// wall clock (test/e2e/plugins-webhooks.spec.ts compares both).
import { createHmac, createPublicKey, verify as verifySignature } from 'node:crypto';
import type { RouteRequest } from '../requests.js';
import { sameSecret } from '../secrets.js';
import type { VerifyContext, WebhookVendor } from '../webhooks.js';

/** `stale`: a valid signature with a timestamp outside the tolerance. */
type Verdict = 'valid' | 'invalid' | 'stale';

type Verify = (request: RouteRequest, context: VerifyContext) => Verdict;

/** DER prefix of an Ed25519 public key. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export const SIGNATURES: Record<WebhookVendor, Verify> = {
  github: ({ headers, rawBody }, { secrets }) =>
    verdict(matches([header(headers, 'x-hub-signature-256')], secrets, (secret) => `sha256=${hmac(secret, rawBody).toString('hex')}`)),

  stripe: ({ headers, rawBody }, context) => {
    const parts = header(headers, 'stripe-signature')
      .split(',')
      .map((part) => part.trim().split('='));
    const valuesOf = (name: string): string[] => parts.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []));
    const [timestamp = ''] = valuesOf('t');
    const signed = matches(valuesOf('v1'), context.secrets, (secret) => hmac(secret, `${timestamp}.`, rawBody).toString('hex'));
    return verdict(signed, timestamp, context);
  },

  slack: ({ headers, rawBody }, context) => {
    const timestamp = header(headers, 'x-slack-request-timestamp');
    const signed = matches(
      [header(headers, 'x-slack-signature')],
      context.secrets,
      (secret) => `v0=${hmac(secret, `v0:${timestamp}:`, rawBody).toString('hex')}`,
    );
    return verdict(signed, timestamp, context);
  },

  discord: ({ headers, rawBody }, context) => {
    const timestamp = header(headers, 'x-signature-timestamp');
    const signature = Buffer.from(header(headers, 'x-signature-ed25519'), 'hex');
    const message = Buffer.concat([Buffer.from(timestamp), rawBody]);
    const signed = context.secrets.filter((key) => signedBy(key, message, signature)).length > 0;
    return verdict(signed, timestamp, context);
  },

  standard: ({ headers, rawBody }, context) => {
    const [id, timestamp] = [header(headers, 'webhook-id'), header(headers, 'webhook-timestamp')];
    const signatures = header(headers, 'webhook-signature').split(' ');
    const signed = matches(
      signatures,
      context.secrets,
      (secret) => `v1,${hmac(standardKey(secret), `${id}.${timestamp}.`, rawBody).toString('base64')}`,
    );
    return verdict(signed && id !== '', timestamp, context);
  },
};

function verdict(signed: boolean, timestamp?: string, context?: VerifyContext): Verdict {
  if (!signed) return 'invalid';
  if (timestamp === undefined || context === undefined) return 'valid';
  if (!/^\d{1,12}$/.test(timestamp)) return 'invalid';
  return Math.abs(context.now / 1000 - Number(timestamp)) <= context.toleranceSeconds ? 'valid' : 'stale';
}

/** Compares every candidate with the signature of every secret, so that the timing reveals nothing. */
function matches(candidates: readonly string[], secrets: readonly string[], sign: (secret: string) => string): boolean {
  const expected = secrets.map(sign);
  return candidates.filter((one) => expected.filter((other) => sameSecret(one, other)).length > 0).length > 0;
}

export function hmac(key: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  const result = createHmac('sha256', key);
  for (const part of parts) result.update(part);
  return result.digest();
}

/** The key in a secret of Standard Webhooks. */
export function standardKey(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

function signedBy(publicKey: string, message: Buffer, signature: Buffer): boolean {
  const bytes = Buffer.from(publicKey, 'hex');
  if (bytes.length !== 32 || signature.length !== 64) return false;
  const key = createPublicKey({ key: Buffer.concat([ED25519_PREFIX, bytes]), format: 'der', type: 'spki' });
  return verifySignature(null, message, key, signature);
}

export function header(headers: RouteRequest['headers'], name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
