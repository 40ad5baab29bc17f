import { IsIn, Matches } from 'class-validator';
import { IfPresent, IsUuidText } from '../../../core/http/index.js';
import { redact, redactText } from '../../../core/logging/index.js';
import { cutText } from '../../../core/text/index.js';
import { DELIVERY_STATUSES, type DeliveryDetails, type DeliveryStatus, type DeliverySummary } from './deliveries.types.js';

/** Longest body that is shown, characters. */
const MAX_BODY = 100_000;

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

/** The request of a webhook delivery. Secrets are hidden. */
export class DeliveryRequestView {
  method!: string;
  path!: string;
  query!: Record<string, unknown>;
  headers!: Record<string, unknown>;
  /** Its first 100,000 characters; null for a body that is not text. */
  body!: string | null;
  /** Bytes of the body. */
  size!: number;
}

/** A webhook delivery with its request. */
export class DeliveryDetailsView {
  delivery!: DeliveryView;
  /** Null for a delivery that was handled inline, and when the content was deleted because of its age. */
  request!: DeliveryRequestView | null;
}

export function presentDelivery({ delivery, request }: DeliveryDetails): DeliveryDetailsView {
  if (!request) return { delivery, request: null };
  const { method, path, query, headers, rawBody } = request;
  const body = textOf(rawBody);
  return {
    delivery,
    request: {
      method,
      path: redactText(path),
      query: redact(query) as Record<string, unknown>,
      headers: redact(headers) as Record<string, unknown>,
      body: body && cutText(redactText(body), MAX_BODY),
      size: rawBody.byteLength,
    },
  };
}

function textOf(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
