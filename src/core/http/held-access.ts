import { anySignal } from '../signals/index.js';
import { disconnectSignal } from './disconnect-signal.js';
import type { HttpRequest, HttpResponse } from './express.js';

/** A caller's right to hear of a channel, which it may lose while a response or a subscription is open. */
export interface HeldAccess {
  /** Aborts when the right is lost. The reason is the error that a new request would get. */
  readonly signal: AbortSignal;
  /** Must be called when the right is no longer needed. */
  release(): void;
}

/** @param params resources that the caller must be able to read, by the names of path parameters; those of the request's path by default */
export type HoldAccess = (channelId: string, params?: Readonly<Record<string, unknown>>) => HeldAccess;

const HOLD = Symbol('hold access');

/** Called by the module that checks access. */
export function setHoldAccess(request: HttpRequest, hold: HoldAccess): void {
  (request as { [HOLD]?: HoldAccess })[HOLD] = hold;
}

/** A signal that aborts when the caller disconnects or may no longer hear of a channel. */
export function hearingSignal(request: HttpRequest, response: HttpResponse, ...about: Parameters<HoldAccess>): AbortSignal {
  const gone = disconnectSignal(response);
  const held = gone.aborted ? undefined : (request as { [HOLD]?: HoldAccess })[HOLD]?.(...about);
  if (!held) return gone;
  response.once('close', () => held.release());
  return anySignal(gone, held.signal);
}
