import type { RouteRequest } from './requests.js';

/** Services whose way to sign is built in. `standard` is the scheme of standardwebhooks.com. */
export type WebhookVendor = 'github' | 'stripe' | 'slack' | 'discord' | 'standard';

/** What a verification of one's own gets beside the request. */
export interface VerifyContext {
  /** What the settings named in `secret` hold; empty when the route names none. */
  readonly secrets: readonly string[];
  /** Epoch ms. */
  readonly now: number;
  readonly toleranceSeconds: number;
}

/** Says whether a request is what it claims to be; look at `request.rawBody`, and compare in constant time. */
export type CustomVerify = (request: RouteRequest, context: VerifyContext) => boolean | Promise<boolean>;

interface Delivering {
  /**
   * What names a delivery, so that one that is sent again is not handled again: a header, or a function of the request. Absent: the
   * vendor's own id. Deliveries for which there is none are all taken for new.
   */
  readonly dedupe?: string | ((request: RouteRequest) => string | undefined);
  /**
   * `inline` (default): the handler answers the sender. A delivery that was handled is answered without the handler when it comes
   * again; one that failed (an answer of 400 or more, a throw, no answer in time) is handled again when it is sent again. The answer
   * leaves as a whole when the handler has ended it.
   *
   * `ack`: the delivery is stored and answered at once, and handled afterwards, with retries. What the handler answers only says
   * whether it succeeded: below 400, or no answer at all, is success; 400 or more and a throw are failures.
   *
   * Either way a delivery is handled once as long as the process lives. When it dies in the middle of a handler the delivery is handled
   * again: a handler that must not do a thing twice keeps `request.deliveryId` with what it did.
   */
  readonly mode?: 'inline' | 'ack';
  /** How far the sender's time of signing may be from now; 300 when absent. */
  readonly toleranceSeconds?: number;
  /** `ack` only: how often a delivery is tried before it is dead; 5 when absent. */
  readonly attempts?: number;
  /** `ack` only: wait before the second try, ms; each further one is four times as long, up to an hour. 2000 when absent. */
  readonly backoffMs?: number;
}

/** Makes a route a webhook: only what its sender has signed reaches the handler, and each delivery once. */
export type WebhookOptions = Delivering &
  (
    | {
        readonly verify: WebhookVendor;
        /**
         * Name of the setting that holds the signing secret (Discord: the application's public key), or several names. While a secret
         * is being replaced a value may hold several, separated by commas or line breaks; each has at least 8 characters.
         */
        readonly secret: string | readonly string[];
      }
    | { readonly verify: CustomVerify; readonly secret?: string | readonly string[] }
  );
