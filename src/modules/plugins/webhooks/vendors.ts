// What else is particular to a vendor: where a delivery's id stands, and the calls by which it tries an address out.
import type { RouteRequest, WebhookVendor } from '../../../plugin-sdk/index.js';
import { header } from './signatures.js';

interface Handshake {
  readonly status: number;
  readonly body?: unknown;
}

interface Vendor {
  /** The id that the vendor gives a delivery and keeps when it sends it again. */
  idOf(request: RouteRequest): string | undefined;
  /** The answer to a call that only tries the address out; such calls never reach a handler. */
  handshake?(request: RouteRequest): Handshake | undefined;
  /** Status that says that a delivery was stored, for vendors that insist on one. */
  acknowledgedBy?(request: RouteRequest): number | undefined;
}

export const VENDORS: Record<WebhookVendor, Vendor> = {
  github: { idOf: ({ headers }) => filled(header(headers, 'x-github-delivery')) },
  stripe: { idOf: ({ body }) => filled(field(body, 'id')) },
  slack: {
    idOf: ({ body }) => filled(field(body, 'event_id')),
    handshake: ({ body }) =>
      field(body, 'type') === 'url_verification' ? { status: 200, body: { challenge: field(body, 'challenge') } } : undefined,
  },
  discord: {
    idOf: ({ body }) => filled(field(body, 'id')),
    handshake: ({ body }) => {
      // Webhook events ask with type 0; an interaction's ping is type 1, and an event has type 1 too.
      if (field(body, 'type') === 0) return { status: 204 };
      return field(body, 'type') === 1 && field(body, 'event') === undefined ? { status: 200, body: { type: 1 } } : undefined;
    },
    acknowledgedBy: ({ body }) => (field(body, 'event') === undefined ? undefined : 204),
  },
  standard: { idOf: ({ headers }) => filled(header(headers, 'webhook-id')) },
};

function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
