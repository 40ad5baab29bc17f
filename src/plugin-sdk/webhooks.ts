import type { RouteRequest } from './requests.js';

/** Services with a built-in signature scheme. `standard` is that of standardwebhooks.com. */
export type WebhookVendor = 'github' | 'stripe' | 'slack' | 'discord' | 'standard';

/** Context of a custom verification. */
export interface VerifyContext {
  /** Values of the settings named in `secret`; empty when the route names none. */
  readonly secrets: readonly string[];
  /** Epoch ms. */
  readonly now: number;
  readonly toleranceSeconds: number;
}

/** Verifies the authenticity of a request. Use `request.rawBody`, and compare in constant time. */
export type CustomVerify = (request: RouteRequest, context: VerifyContext) => boolean | Promise<boolean>;

interface Delivering {
  /**
   * Identifies a delivery, so that a repeated one is not handled again: a header name, or a function of the request. By default the
   * vendor's own id. Deliveries without an id are always handled.
   */
  readonly dedupe?: string | ((request: RouteRequest) => string | undefined);
  /**
   * `inline` (default): the handler responds to the sender. A repeated delivery gets the stored response without the handler; a failed one
   * (status 400 or more, an exception, a timeout) is handled again when the sender repeats it. The response is sent as a whole when the
   * handler has ended it.
   *
   * `ack`: the delivery is stored and acknowledged immediately, and handled afterwards, with retries. The handler's response only decides
   * success: a status below 400 or no response is a success; 400 or more and exceptions are failures.
   *
   * In both modes a delivery is handled exactly once unless the process crashes during the handler; then it is handled again. A handler that
   * must not act twice stores `request.deliveryId` together with its result.
   */
  readonly mode?: 'inline' | 'ack';
  /** Maximum difference between the signature's timestamp and now, seconds; 300 by default. */
  readonly toleranceSeconds?: number;
  /** `ack` only: attempts before a delivery becomes a dead letter; 5 by default. */
  readonly attempts?: number;
  /** `ack` only: pause before the second attempt, ms; each further pause is four times as long, up to an hour. 2000 by default. */
  readonly backoffMs?: number;
}

/** Options of a webhook route: only signed requests reach the handler, and each delivery is handled once. */
export type WebhookOptions = Delivering &
  (
    | {
        readonly verify: WebhookVendor;
        /**
         * Name of the setting with the signing secret (Discord: the application's public key), or several names. During a rotation, a value may
         * contain several secrets, separated by commas or line breaks, each of at least 8 characters.
         */
        readonly secret: string | readonly string[];
      }
    | { readonly verify: CustomVerify; readonly secret?: string | readonly string[] }
  );
