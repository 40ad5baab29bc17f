import type { RouteRequest } from '../../../plugin-sdk/index.js';

/** `failed`: an acknowledged one waits for its next try, an inline one for its sender. `dead`: nobody will try it again unasked. */
export const DELIVERY_STATUSES = ['received', 'running', 'done', 'failed', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What names a delivery, and where it goes. */
export interface Delivery {
  readonly id: string;
  readonly plugin: string;
  readonly route: string;
  readonly agentId: string;
  readonly senderId?: string | null;
}

/** One that comes in, and what tells whether it came before. */
export interface NewDelivery extends Delivery {
  readonly dedupeKey: string;
}

/** What is kept of a request that is handled later: everything that cannot be made from it again. */
export type StoredRequest = Pick<RouteRequest, 'method' | 'path' | 'url' | 'params' | 'query' | 'headers' | 'ip'> & {
  readonly rawBody?: Buffer;
};

/** A delivery as it is listed. Instants are epoch ms. */
export interface DeliverySummary {
  readonly id: string;
  readonly plugin: string;
  readonly route: string;
  readonly agentId: string;
  readonly mode: 'inline' | 'ack';
  /** The id that its sender gave it. */
  readonly senderId: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: number | null;
  readonly error: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A stored delivery that this process is to handle. */
export interface TakenDelivery extends DeliverySummary {
  readonly request: StoredRequest;
  readonly rawBody: Buffer;
}
