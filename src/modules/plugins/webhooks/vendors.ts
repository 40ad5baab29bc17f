// Vendor specifics: the location of the delivery id, and handshakes that verify the URL.
import type { RouteRequest, WebhookVendor } from '../../../plugin-sdk/index.js';
import { header } from '../../../plugin-sdk/webhooks/signatures.js';

interface Handshake {
  readonly status: number;
  readonly body?: unknown;
}

interface Vendor {
  /** The delivery id, which stays the same when the vendor resends the delivery. */
  idOf(request: RouteRequest): string | undefined;
  /** The response to a call that only verifies the URL; such calls never reach a handler. */
  handshake?(request: RouteRequest): Handshake | undefined;
  /** The status that acknowledges a delivery, for vendors that require a specific one. */
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
      // A webhook ping has type 0; an interaction ping has type 1, like events.
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
