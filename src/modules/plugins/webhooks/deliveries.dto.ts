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

  /** Id of a delivery; it and newer ones are left out. */
  @IfPresent()
  @IsUuidText()
  before?: string;
}

/** A delivery as it is listed. */
export class DeliveryView implements DeliverySummary {
  /** @format uuid */
  id!: string;
  plugin!: string;
  route!: string;
  /** @format uuid */
  agentId!: string;
  /** `inline`: the sender waits for the handler; `ack`: it is handled after the answer. */
  mode!: 'inline' | 'ack';
  /** The id that its sender gave it. */
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

/** A delivery that is handled once more. */
export class ReplayView {
  delivery!: DeliveryView;
}
