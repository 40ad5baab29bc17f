import { IsIn, Matches } from 'class-validator';
import { IfPresent, IsUuidText } from '../../../core/http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus, type DeliverySummary } from './deliveries.types.js';

/** Query of `GET /api/plugins/{name}/deliveries`. */
export class DeliveriesQuery {
  @IfPresent()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @IfPresent()
  @Matches(/^([1-9]\d?|1\d\d|200)$/, { message: 'limit must be a whole number from 1 to 200' })
  limit?: string;

  /** Id of a delivery; only older deliveries are returned. */
  @IfPresent()
  @IsUuidText()
  before?: string;
}

/** A webhook delivery. */
export class DeliveryView implements DeliverySummary {
  /** @format uuid */
  id!: string;
  plugin!: string;
  route!: string;
  /** @format uuid */
  agentId!: string;
  /** `inline`: the sender waits for the handler; `ack`: the delivery is handled after the response. */
  mode!: 'inline' | 'ack';
  /** The delivery id that the sender assigned. */
  senderId!: string | null;
  status!: DeliveryStatus;
  attempts!: number;
  /** Epoch ms. */
  nextAttemptAt!: number | null;
  /** Why the last attempt failed. */
  error!: string | null;
  /** Epoch ms. */
  createdAt!: number;
  /** Epoch ms. */
  updatedAt!: number;
}

/** Newest first. */
export class DeliveriesView {
  deliveries!: DeliveryView[];
}

/** A delivery that is handled again. */
export class ReplayView {
  delivery!: DeliveryView;
}
