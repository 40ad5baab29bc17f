import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { newId } from '../../../core/ids/index.js';
import { Log } from '../../../core/logging/index.js';
import type { AgentRuntime, RouteRequest, RouteResponse, WebhookOptions } from '../../../plugin-sdk/index.js';
import { flatError } from '../plugin-answer.js';
import type { FoundRoute } from '../route-table.js';
import { attempt } from './attempt.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { NewDelivery } from './deliveries.types.js';
import { DeliveryRunner } from './delivery-runner.js';
import { routeLabel } from './route-label.js';
import { secretNames, secretsOf } from './secrets.js';
import { header, SIGNATURES } from './signatures.js';
import { VENDORS } from './vendors.js';

const DEFAULT_TOLERANCE_SECONDS = 300;
const LEASE_MARGIN_MS = 60_000;
/** Credentials for this server or a proxy before it: checked by then, and nothing to keep on disk. */
const NOT_KEPT = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/** A call of a webhook route. */
interface WebhookCall {
  readonly found: FoundRoute;
  readonly request: RouteRequest;
  readonly answer: RouteResponse;
  readonly runtime: AgentRuntime;
  /** The agent that the caller named, if it named one: the runtime's. */
  readonly askedAgent: unknown;
  readonly limitMs: number;
}

/** Lets in what a sender has signed, tells a new delivery from one that comes again, and sees that each is handled. */
@Injectable()
export class WebhookDoor {
  private readonly log = new Log('webhooks');
  /** How calls ended whose end could not be stored, by the delivery: it is stored before the sender's next call is looked at. */
  private readonly unstored = new Map<string, () => Promise<unknown>>();

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly runner: DeliveryRunner,
    private readonly clock: Clock,
  ) {}

  /** Answers a call in every case that has an answer. @throws Error when the webhook is not configured, or its own code fails */
  async receive(webhook: WebhookOptions, call: WebhookCall): Promise<void> {
    const { answer, request } = call;
    const refusal = await this.refusal(webhook, call);
    if (refusal !== undefined) {
      this.log.warn('a webhook call was refused', { ...fieldsOf(call), reason: refusal });
      answer.status(401).json(flatError(refusal));
      return;
    }
    if (request.body === undefined && request.rawBody.length > 0) {
      answer.status(400).json(flatError('The body is not valid JSON'));
      return;
    }
    const vendor = typeof webhook.verify === 'string' ? VENDORS[webhook.verify] : undefined;
    const handshake = vendor?.handshake?.(request);
    if (handshake) {
      answer.status(handshake.status);
      if (handshake.body === undefined) answer.end();
      else answer.json(handshake.body);
      return;
    }
    const senderId = senderIdOf(webhook, request);
    const delivery = deliveryOf(call, senderId);
    if (webhook.mode === 'ack') await this.acknowledge(call, delivery, vendor?.acknowledgedBy?.(request));
    else await this.handle(call, delivery);
  }

  /** Why a call is not let in; undefined when it is. */
  private async refusal(webhook: WebhookOptions, { request, runtime, found }: WebhookCall): Promise<string | undefined> {
    const secrets = secretsOf(webhook, runtime);
    const names = secretNames(webhook);
    if (secrets.length === 0 && (names.length > 0 || typeof webhook.verify === 'string')) {
      throw new Error(`setting ${names.join(' or ')} is not set, so nothing can be let in at webhook ${routeLabel(found.mounted)}`);
    }
    const context = { secrets, now: this.clock.now(), toleranceSeconds: webhook.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS };
    if (typeof webhook.verify === 'string') {
      const verdict = SIGNATURES[webhook.verify](request, context);
      return verdict === 'valid' ? undefined : verdict === 'stale' ? 'Timestamp outside the tolerance' : 'Invalid signature';
    }
    return (await webhook.verify(request, context)) === true ? undefined : 'Invalid signature';
  }

  private async acknowledge(call: WebhookCall, delivery: NewDelivery, status = 202): Promise<void> {
    const { answer, request } = call;
    const { method, path, url, params, query, ip, rawBody } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !NOT_KEPT.has(name)));
    const kept = await this.repository.store(delivery, { method, path, url, params, query, headers, ip, rawBody }, this.clock.now());
    if (kept.taken) this.runner.wake(delivery.plugin);
    this.log.info(kept.taken ? 'delivery stored' : 'a delivery came again', { ...fieldsOf(call), delivery: kept.id });
    if (status === 204) answer.status(204).end();
    else if (kept.taken) answer.status(status).json({ success: true, deliveryId: kept.id });
    else answer.status(200).json({ success: true, duplicate: true, deliveryId: kept.id });
  }

  private async handle(call: WebhookCall, delivery: NewDelivery): Promise<void> {
    const { answer, request, runtime, found, limitMs } = call;
    const owner = newId();
    const { dedupeKey } = delivery;
    await this.unstored.get(dedupeKey)?.();
    this.unstored.delete(dedupeKey);
    const now = this.clock.now();
    const claim = await this.repository.claimInline(delivery, owner, now, now + limitMs + LEASE_MARGIN_MS);
    if (!claim.taken) {
      this.log.info('a delivery came again', { ...fieldsOf(call), delivery: claim.id, status: claim.status });
      if (claim.status === 'done') answer.status(200).json({ success: true, duplicate: true, deliveryId: claim.id });
      else answer.status(409).set('Retry-After', 5).json(flatError('This delivery is being handled'));
      return;
    }
    const handler = found.mounted.route.handler ?? (() => undefined);
    const seen = { ...request, deliveryId: claim.id, attempt: claim.attempts };
    const result = await attempt({ handler, request: seen, runtime, limitMs, awaitsAnswer: true }, this.clock);
    const { error } = result;
    const handled = { ...delivery, id: claim.id, attempts: claim.attempts };
    const store = (): Promise<unknown> =>
      this.repository.end(handled, owner, error === undefined ? 'done' : 'failed', this.clock.now(), { error });
    try {
      await store();
    } catch (fault) {
      this.unstored.set(dedupeKey, store);
      throw fault;
    }
    // The sender hears of it when it is on disk: what it takes for handled is never handled again.
    if ('answer' in result) result.answer.sendTo(answer);
    else if ('cause' in result) throw result.cause;
  }
}

function senderIdOf({ dedupe, verify }: WebhookOptions, request: RouteRequest): string | undefined {
  if (typeof dedupe === 'string') return header(request.headers, dedupe.toLowerCase()) || undefined;
  if (dedupe !== undefined) return dedupe(request) || undefined;
  return typeof verify === 'string' ? VENDORS[verify].idOf(request) : undefined;
}

function deliveryOf({ found: { mounted, params }, runtime, askedAgent }: WebhookCall, senderId: string | undefined): NewDelivery {
  const id = newId();
  const route = routeLabel(mounted);
  // An agent that nobody asked for may be another one next time; the delivery is the same.
  const same = senderId === undefined ? [id] : [mounted.plugin, route, params, askedAgent === undefined ? '' : runtime.agentId, senderId];
  const dedupeKey = createHash('sha256').update(JSON.stringify(same)).digest('hex');
  return { id, plugin: mounted.plugin, route, agentId: runtime.agentId, dedupeKey, ...(senderId === undefined ? {} : { senderId }) };
}

function fieldsOf({ found: { mounted }, runtime }: WebhookCall): Record<string, unknown> {
  return { plugin: mounted.plugin, route: routeLabel(mounted), agentId: runtime.agentId };
}
