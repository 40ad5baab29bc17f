import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { newId } from '../../../core/ids/index.js';
import { Log } from '../../../core/logging/index.js';
import type { AgentRuntime, RouteRequest, RouteResponse, WebhookOptions } from '../../../plugin-sdk/index.js';
import { webhookSecretNames, webhookSecrets } from '../../../plugin-sdk/webhooks/secrets.js';
import { webhookBody } from '../../../plugin-sdk/webhooks/payload.js';
import { header, SIGNATURES } from '../../../plugin-sdk/webhooks/signatures.js';
import { flatError } from '../plugin-response.js';
import type { RouteMatch } from '../route-table.js';
import { callHandler } from './handler-call.js';
import { DeliveriesRepository, type ClaimResult } from './deliveries.repository.js';
import type { NewDelivery } from './deliveries.types.js';
import { DeliveryRunner } from './delivery-runner.js';
import { routeLabel } from './route-label.js';
import { VENDORS } from './vendors.js';

const DEFAULT_TOLERANCE_SECONDS = 300;
const LEASE_MARGIN_MS = 60_000;
/** Headers with credentials for this server or a proxy: already checked, and never stored. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/** A call to a webhook route. */
interface WebhookCall {
  readonly found: RouteMatch;
  readonly request: RouteRequest;
  readonly response: RouteResponse;
  readonly runtime: AgentRuntime;
  readonly limitMs: number;
}

/** Verifies webhook calls, detects duplicate deliveries, and stores or handles each delivery. */
@Injectable()
export class WebhookReceiver {
  private readonly log = new Log('webhooks');
  /** Results that could not be stored, by deduplication key; stored before the sender's next call is processed. */
  private readonly pendingResults = new Map<string, () => Promise<unknown>>();
  /** Deduplication keys of the deliveries that this process handles now. */
  private readonly handling = new Set<string>();

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly runner: DeliveryRunner,
    private readonly clock: Clock,
  ) {}

  /** Handles a call and responds. @throws Error when the webhook is not configured or its own code fails */
  async receive(webhook: WebhookOptions, given: WebhookCall): Promise<void> {
    const call = { ...given, request: { ...given.request, body: webhookBody(webhook, given.request) } };
    const { response, request } = call;
    const rejectionReason = await this.rejectionReason(webhook, given);
    if (rejectionReason !== undefined) {
      this.log.warn('webhook call rejected', { ...fieldsOf(call), reason: rejectionReason });
      response.status(401).json(flatError(rejectionReason));
      return;
    }
    if (request.body === undefined && request.rawBody.length > 0) {
      response.status(400).json(flatError('The body is not what its Content-Type says: send valid JSON, or a form, in UTF-8'));
      return;
    }
    const vendor = typeof webhook.verify === 'string' ? VENDORS[webhook.verify] : undefined;
    const handshake = vendor?.handshake?.(request);
    if (handshake) {
      response.status(handshake.status);
      if (handshake.body === undefined) response.end();
      else response.json(handshake.body);
      return;
    }
    const senderId = senderIdOf(webhook, request);
    const delivery = deliveryOf(call, webhookSecrets(webhook, call.runtime), senderId);
    if (webhook.mode === 'ack') await this.acknowledge(call, delivery, vendor?.acknowledgedBy?.(request));
    else await this.handleOnce(call, delivery);
  }

  /** Why a call is rejected; undefined when it is accepted. */
  private async rejectionReason(webhook: WebhookOptions, { request, runtime, found }: WebhookCall): Promise<string | undefined> {
    const secrets = webhookSecrets(webhook, runtime);
    const names = webhookSecretNames(webhook);
    if (secrets.length === 0 && (names.length > 0 || typeof webhook.verify === 'string')) {
      throw new Error(`setting ${names.join(' or ')} is not set; webhook ${routeLabel(found.mounted)} cannot accept calls`);
    }
    const context = { secrets, now: this.clock.now(), toleranceSeconds: webhook.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS };
    if (typeof webhook.verify === 'string') {
      const verdict = SIGNATURES[webhook.verify](request, context);
      return verdict === 'valid' ? undefined : verdict === 'stale' ? 'Timestamp outside the tolerance' : 'Invalid signature';
    }
    return (await webhook.verify(request, context)) === true ? undefined : 'Invalid signature';
  }

  private async acknowledge(call: WebhookCall, delivery: NewDelivery, status = 202): Promise<void> {
    const { response, request } = call;
    const { method, path, url, params, query, ip, rawBody } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !CREDENTIAL_HEADERS.has(name)));
    const kept = await this.repository.store(delivery, { method, path, url, params, query, headers, ip, rawBody }, this.clock.now());
    if (kept.claimed) this.runner.wake(delivery.plugin);
    this.log.info(kept.claimed ? 'delivery stored' : 'duplicate delivery', { ...fieldsOf(call), delivery: kept.id });
    if (status === 204) response.status(204).end();
    else if (kept.claimed) response.status(status).json({ success: true, deliveryId: kept.id });
    else response.status(200).json({ success: true, duplicate: true, deliveryId: kept.id });
  }

  /** The lease follows the wall clock: when that jumps, only the process itself knows that it is still handling the delivery. */
  private async handleOnce(call: WebhookCall, delivery: NewDelivery): Promise<void> {
    const { dedupeKey } = delivery;
    if (this.handling.has(dedupeKey)) {
      this.respondToDuplicate(call, (await this.repository.findByKey(dedupeKey)) ?? { id: delivery.id, status: 'running' });
      return;
    }
    this.handling.add(dedupeKey);
    try {
      await this.handle(call, delivery);
    } finally {
      this.handling.delete(dedupeKey);
    }
  }

  private async handle(call: WebhookCall, delivery: NewDelivery): Promise<void> {
    const { response, request, runtime, found, limitMs } = call;
    const owner = newId();
    const { dedupeKey } = delivery;
    await this.pendingResults.get(dedupeKey)?.();
    this.pendingResults.delete(dedupeKey);
    const now = this.clock.now();
    const claim = await this.repository.claimInline(delivery, owner, now, now + limitMs + LEASE_MARGIN_MS);
    if (!claim.claimed) {
      this.respondToDuplicate(call, claim);
      return;
    }
    const handler = found.mounted.route.handler ?? (() => undefined);
    const seen = { ...request, deliveryId: claim.id, attempt: claim.attempts };
    const result = await callHandler({ handler, request: seen, runtime, limitMs, awaitsResponse: true }, this.clock);
    const { error } = result;
    const handled = { ...delivery, id: claim.id, attempts: claim.attempts };
    const store = (): Promise<unknown> =>
      this.repository.end(handled, owner, error === undefined ? 'done' : 'failed', this.clock.now(), { error });
    try {
      await store();
    } catch (fault) {
      this.pendingResults.set(dedupeKey, store);
      throw fault;
    }
    // Respond only after the result is stored, so that a delivery that was reported as handled is never handled again.
    if ('response' in result) result.response.sendTo(response);
    else if ('cause' in result) throw result.cause;
    else {
      this.log.warn('a webhook handler timed out', { ...fieldsOf(call), limitMs });
      response.status(504).json(flatError(`No answer within ${limitMs} ms`));
    }
  }

  private respondToDuplicate(call: WebhookCall, { id, status }: Pick<ClaimResult, 'id' | 'status'>): void {
    const { response } = call;
    this.log.info('duplicate delivery', { ...fieldsOf(call), delivery: id, status });
    if (status === 'done') response.status(200).json({ success: true, duplicate: true, deliveryId: id });
    else response.status(409).set('Retry-After', 5).json(flatError('This delivery is being handled'));
  }
}

function senderIdOf({ dedupe, verify }: WebhookOptions, request: RouteRequest): string | undefined {
  if (typeof dedupe === 'string') return header(request.headers, dedupe.toLowerCase()) || undefined;
  if (dedupe !== undefined) return dedupe(request) || undefined;
  return typeof verify === 'string' ? VENDORS[verify].idOf(request) : undefined;
}

/** @param secrets those that verify the call */
function deliveryOf({ found: { mounted, params }, runtime }: WebhookCall, secrets: readonly string[], senderId?: string): NewDelivery {
  const id = newId();
  const route = routeLabel(mounted);
  // The URL names the agent and is not signed, so a captured call could be sent to another agent. Agents with secrets of their own have
  // deliveries of their own.
  const same = senderId === undefined ? [id] : [mounted.plugin, route, params, digestOf(secrets), senderId];
  return {
    id,
    plugin: mounted.plugin,
    route,
    agentId: runtime.agentId,
    dedupeKey: digestOf(same),
    ...(senderId === undefined ? {} : { senderId }),
  };
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function fieldsOf({ found: { mounted }, runtime }: WebhookCall): Record<string, unknown> {
  return { plugin: mounted.plugin, route: routeLabel(mounted), agentId: runtime.agentId };
}
