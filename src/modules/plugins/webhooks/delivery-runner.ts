import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { withRequestId } from '../../../core/context/request-context.js';
import { AppError } from '../../../core/errors/index.js';
import { Log } from '../../../core/logging/index.js';
import {
  JobEnvironment,
  JobRunner,
  LeaseLost,
  type FailedEnd,
  type JobFailure,
  type Lease,
  type RetryPolicy,
} from '../../../core/queue/index.js';
import { errorType, readTraceContext, Tracer, type Span } from '../../../core/telemetry/index.js';
import { anySignal } from '../../../core/signals/index.js';
import type { RouteRequest, WebhookOptions } from '../../../plugin-sdk/index.js';
import { webhookBody } from '../../../plugin-sdk/webhooks/payload.js';
import { AgentsService } from '../../agents/index.js';
import type { LoadedPlugin } from '../loaded-plugin.js';
import { PluginHost } from '../plugin-host.js';
import { parseBody } from '../plugin-request.js';
import { createRuntime } from '../plugin-runtime.js';
import { callHandler } from './handler-call.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { ClaimedDelivery } from './deliveries.types.js';
import { routeLabel } from './route-label.js';

// Per plugin, so that hanging handlers of one plugin do not block the others.
const CONCURRENCY = 32;
const DEFAULT_LIMIT_MS = 30_000;
const DEFAULT_ATTEMPTS = 5;
const DEFAULT_BACKOFF_MS = 2000;
const WAITING_MS = 30_000;

interface DeliveryJob {
  readonly id: string;
  readonly plugin: string;
}

type Job = ClaimedDelivery & { readonly loaded: LoadedPlugin };

/** A handler that did not handle a delivery. */
class HandlingFailed extends Error {
  /** @param cause what the handler threw, if anything */
  constructor(
    message: string,
    readonly retry: RetryPolicy | undefined,
    override readonly cause?: unknown,
  ) {
    super(message);
  }
}

/** Handles acknowledged deliveries: several of each plugin concurrently, in the order of their due times. */
@Injectable()
export class DeliveryRunner extends JobRunner<DeliveryJob, Job> {
  constructor(
    environment: JobEnvironment,
    private readonly repository: DeliveriesRepository,
    private readonly host: PluginHost,
    private readonly agents: AgentsService,
    private readonly tracer: Tracer,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(environment, {
      table: repository.table,
      groupConcurrency: CONCURRENCY,
      groups: () => host.plugins().map(({ plugin }) => plugin.name),
      groupOf: ({ plugin }) => plugin,
      keyOf: ({ id }) => [id],
      fieldsOf: ({ id, plugin }) => ({ plugin, delivery: id }),
      log: new Log('webhooks'),
      failure: 'a delivery could not be handled',
    });
  }

  override async onApplicationBootstrap(): Promise<void> {
    // A reloaded plugin may have waiting deliveries.
    this.host.onLoad((plugin) => this.wake(plugin));
    await this.queue.recover();
  }

  /** Starts handling deliveries. Call it once the server listens, because handlers may call the server. */
  start(): void {
    this.queue.start();
  }

  /** Stops claiming, waits for running handlers within the grace time, and releases the rest for the next process. */
  override async beforeApplicationShutdown(): Promise<void> {
    await this.queue.drain(this.config.shutdownGraceMs);
  }

  private loaded(name: string): LoadedPlugin | undefined {
    return this.host.plugins().find(({ plugin }) => plugin.name === name);
  }

  protected override async find(now: number, plugin: string, limit: number): Promise<{ jobs: DeliveryJob[]; nextDueAt?: number }> {
    if (!this.loaded(plugin)?.routes.some(({ route }) => route.webhook !== undefined)) return { jobs: [] };
    const ids = await this.repository.due(plugin, now, limit);
    const nextDueAt = await this.repository.nextDue(plugin, now);
    return { jobs: ids.map((id) => ({ id, plugin })), ...(nextDueAt === undefined ? {} : { nextDueAt }) };
  }

  protected override async claim({ id, plugin }: DeliveryJob, { claim }: Lease): Promise<Job | undefined> {
    const loaded = this.loaded(plugin);
    const delivery = loaded && (await this.repository.claim(id, claim()));
    return delivery && { ...delivery, loaded };
  }

  protected override async run(due: DeliveryJob, lease: Lease): Promise<void> {
    const loaded = this.loaded(due.plugin);
    if (!loaded) return;
    const handling = withRequestId(due.id, () => super.run(due, lease));
    loaded.inFlight.add(handling);
    await handling.finally(() => loaded.inFlight.delete(handling));
  }

  protected override async process(delivery: Job, lease: Lease): Promise<(() => Promise<void>) | undefined> {
    const { id, plugin, route, agentId, attempts } = delivery;
    const attributes = {
      'parley.plugin': plugin,
      'http.route': route,
      'gen_ai.agent.id': agentId,
      'parley.delivery.id': id,
      'parley.delivery.attempt': attempts,
    };
    const parent = readTraceContext(delivery.traceContext);
    const options = { kind: 'consumer', parent } as const;
    const outcome = await this.tracer.span(`webhook ${route}`, attributes, (span) => this.handle(delivery, lease, span), options);
    if (outcome instanceof HandlingFailed) throw outcome;
    return outcome;
  }

  protected override failureOf(error: unknown): JobFailure | undefined {
    if (!(error instanceof HandlingFailed)) return undefined;
    return { error: new AppError('INTERNAL_ERROR', error.message, '', error.cause), retry: error.retry };
  }

  protected override errorText({ message }: AppError): string {
    return message;
  }

  protected override async storeFailed(delivery: ClaimedDelivery, owner: string, { status, error, dueAt, at }: FailedEnd): Promise<void> {
    const rest = { error, ...(dueAt === null ? {} : { dueAt }) };
    this.assertHeld(delivery, await this.repository.end(delivery, owner, status as 'failed' | 'dead', at, rest));
  }

  protected override report(_due: DeliveryJob, delivery: Job, { error }: JobFailure, { dueAt }: FailedEnd): void {
    const fields = { ...fieldsOf(delivery), error: error.message };
    if (dueAt === null) this.log.error('the last attempt to handle a delivery failed; it is dead', error.cause, fields);
    else this.log.warn('an attempt to handle a delivery failed; it will be retried', { ...fields, dueAt });
  }

  private async handle(
    delivery: Job,
    { owner, signal: stop }: Lease,
    span: Span,
  ): Promise<HandlingFailed | (() => Promise<void>) | undefined> {
    const { loaded } = delivery;
    const route = loaded.routes.find((candidate) => routeLabel(candidate) === delivery.route)?.route;
    const { handler, webhook } = route ?? {};
    const retry = { attempts: webhook?.attempts ?? DEFAULT_ATTEMPTS, backoffMs: webhook?.backoffMs ?? DEFAULT_BACKOFF_MS };
    if (delivery.attempts > retry.attempts) {
      return new HandlingFailed(delivery.error ?? 'the process crashed in each attempt', undefined);
    }
    const agent = this.agents.find(delivery.agentId);
    if (!handler || !webhook) return new HandlingFailed('the plugin no longer has this webhook', retry);
    if (!agent) return new HandlingFailed('the agent no longer exists', retry);
    // The agent may start again, so the attempt does not count.
    if (agent.status !== 'active') {
      await this.queue.release(delivery, this.environment.clock.now() + WAITING_MS);
      return undefined;
    }
    const over = new AbortController();
    const signal = anySignal(over.signal, stop, loaded.unloading.signal);
    const call = callHandler(
      {
        handler,
        request: requestOf(delivery, webhook, signal),
        runtime: createRuntime(loaded.context, agent, signal),
        limitMs: route?.timeoutMs ?? DEFAULT_LIMIT_MS,
        awaitsResponse: false,
      },
      this.environment.clock,
    );
    const result = await Promise.race([call, aborted(stop)]);
    over.abort();
    if (result === undefined) throw stop.reason;
    if (result.error === undefined) return () => this.endHandled(delivery, owner);
    span.fail(failureOf(result));
    return new HandlingFailed(result.error, retry, 'cause' in result ? result.cause : undefined);
  }

  private async endHandled(delivery: ClaimedDelivery, owner: string): Promise<void> {
    this.assertHeld(delivery, await this.repository.end(delivery, owner, 'done', this.environment.clock.now()));
    this.log.info('delivery handled', fieldsOf(delivery));
  }

  private assertHeld(delivery: ClaimedDelivery, isHeld: boolean): void {
    if (isHeld) return;
    this.log.warn('another process took over a delivery during its handling', fieldsOf(delivery));
    throw new LeaseLost();
  }
}

function requestOf({ id, attempts, request, rawBody }: ClaimedDelivery, webhook: WebhookOptions, signal: AbortSignal): RouteRequest {
  const { headers } = request;
  return {
    ...request,
    rawBody,
    body: webhookBody(webhook, { headers, body: parseBody(String(headers['content-type'] ?? ''), rawBody) }),
    files: [],
    signal,
    deliveryId: id,
    attempt: attempts,
  };
}

/** `error.type` of a failed call. */
function failureOf(result: Awaited<ReturnType<typeof callHandler>>): string {
  if ('response' in result) return String(result.response.statusCode);
  return 'cause' in result ? errorType(result.cause) : 'timeout';
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function fieldsOf({ id, plugin, route, senderId, attempts }: ClaimedDelivery): Record<string, unknown> {
  return { plugin, route, delivery: id, senderId, attempt: attempts };
}
