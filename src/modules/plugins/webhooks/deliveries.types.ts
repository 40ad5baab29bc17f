import type { RouteRequest } from '../../../plugin-sdk/index.js';

/**
 * `failed`: an acknowledged delivery waits for its next attempt, an inline one for a retry by the sender. `dead`: no further automatic
 * attempts.
 */
export const DELIVERY_STATUSES = ['received', 'running', 'done', 'failed', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Identity and target of a delivery. */
export interface Delivery {
  readonly id: string;
  readonly plugin: string;
  readonly route: string;
  readonly agentId: string;
  readonly senderId?: string | null;
}

/** An incoming delivery with its deduplication key. */
export interface NewDelivery extends Delivery {
  readonly dedupeKey: string;
}

/** The stored part of a request that is handled later; the other fields are derived from it. */
export type StoredRequest = Pick<RouteRequest, 'method' | 'path' | 'url' | 'params' | 'query' | 'headers' | 'ip'> & {
  readonly rawBody?: Buffer;
};

/** A delivery without its content. Instants are epoch ms. */
export interface DeliverySummary {
  readonly id: string;
  readonly plugin: string;
  readonly route: string;
  readonly agentId: string;
  readonly mode: 'inline' | 'ack';
  /** The delivery id that the sender assigned. */
  readonly senderId: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: number | null;
  readonly error: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A stored delivery that this process has claimed. */
export interface ClaimedDelivery extends DeliverySummary {
  readonly request: StoredRequest;
  readonly rawBody: Buffer;
  /** Where it belongs in a trace (`readTraceContext`). */
  readonly traceContext: string | null;
}

/** A delivery with the request as it came, unless that is not stored. */
export interface DeliveryDetails {
  readonly delivery: DeliverySummary;
  readonly request: (StoredRequest & { readonly rawBody: Buffer }) | undefined;
}
