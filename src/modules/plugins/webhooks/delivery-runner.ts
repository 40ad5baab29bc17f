import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { withRequestId } from '../../../core/context/request-context.js';
import { STORE, type Store } from '../../../core/database/index.js';
import { Log } from '../../../core/logging/index.js';
import { afterFailure, Queue, type Lease } from '../../../core/queue/index.js';
import { errorType, readTraceContext, Tracer, type Span } from '../../../core/telemetry/index.js';
import { anySignal } from '../../../core/signals/index.js';
import type { RouteRequest, WebhookOptions } from '../../../plugin-sdk/index.js';
import { AgentsService } from '../../agents/index.js';
import type { LoadedPlugin } from '../loaded-plugin.js';
import { PluginHost } from '../plugin-host.js';
import { parseBody } from '../plugin-request.js';
import { createRuntime } from '../plugin-runtime.js';
import { callHandler } from './handler-call.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { ClaimedDelivery } from './deliveries.types.js';
import { routeLabel } from './route-label.js';

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
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

/** Handles acknowledged deliveries: several of each plugin concurrently, in the order of their due times. */
@Injectable()
export class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queue: Queue<DeliveryJob>;
  private readonly log = new Log('webhooks');

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly host: PluginHost,
    private readonly agents: AgentsService,
    private readonly tracer: Tracer,
    private readonly clock: Clock,
    @Inject(STORE) store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.queue = new Queue<DeliveryJob>(
      {
        table: repository.table,
        leaseMs: LEASE_MS,
        heartbeatMs: HEARTBEAT_MS,
        groupConcurrency: CONCURRENCY,
        groups: () => host.plugins().map(({ plugin }) => plugin.name),
        keyOf: ({ id }) => [id],
        groupOf: ({ plugin }) => plugin,
        compare: () => 0,
        find: (now, plugin, limit) => this.find(now, plugin, limit),
        run: (delivery, lease) => withRequestId(delivery.id, () => this.run(delivery, lease)),
        fieldsOf: ({ id, plugin }) => ({ plugin, delivery: id }),
        log: this.log,
      },
      clock,
      store,
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    // A reloaded plugin may have waiting deliveries.
    this.host.onLoad((plugin) => this.wake(plugin));
    await this.queue.recover();
  }

  /** Starts handling deliveries. Call it once the server listens, because handlers may call the server. */
  start(): void {
    this.queue.start();
  }

  /** Looks for due deliveries of a plugin. Call it after each commit that may have created one. */
  wake(plugin: string): void {
    void this.queue.lookUp(plugin);
  }

  /** Stops claiming, waits for running handlers within the grace time, and releases the rest for the next process. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.drain(this.config.shutdownGraceMs);
  }

  private loaded(name: string): LoadedPlugin | undefined {
    return this.host.plugins().find(({ plugin }) => plugin.name === name);
  }

  private async find(now: number, plugin: string, limit: number): Promise<{ jobs: DeliveryJob[]; nextDueAt?: number }> {
    if (!this.loaded(plugin)?.routes.some(({ route }) => route.webhook !== undefined)) return { jobs: [] };
    const ids = await this.repository.due(plugin, now, limit);
    const nextDueAt = await this.repository.nextDue(plugin, now);
    return { jobs: ids.map((id) => ({ id, plugin })), ...(nextDueAt === undefined ? {} : { nextDueAt }) };
  }

  private async run({ id, plugin }: DeliveryJob, lease: Lease): Promise<void> {
    const loaded = this.loaded(plugin);
    if (!loaded) return;
    const handling = this.repository.claim(id, lease.claim()).then((delivery) => delivery && this.trace(loaded, delivery, lease));
    loaded.inFlight.add(handling);
    await handling.finally(() => loaded.inFlight.delete(handling));
  }

  private trace(loaded: LoadedPlugin, delivery: ClaimedDelivery, lease: Lease): Promise<void> {
    const { id, plugin, route, agentId, attempts } = delivery;
    const attributes = {
      'parley.plugin': plugin,
      'http.route': route,
      'gen_ai.agent.id': agentId,
      'parley.delivery.id': id,
      'parley.delivery.attempt': attempts,
    };
    const parent = readTraceContext(delivery.traceContext);
    return this.tracer.span(`webhook ${route}`, attributes, (span) => this.handle(loaded, delivery, lease, span), {
      kind: 'consumer',
      parent,
    });
  }

  private async handle(loaded: LoadedPlugin, delivery: ClaimedDelivery, { owner, signal: stop }: Lease, span: Span): Promise<void> {
    const route = loaded.routes.find((candidate) => routeLabel(candidate) === delivery.route)?.route;
    const most = route?.webhook?.attempts ?? DEFAULT_ATTEMPTS;
    if (delivery.attempts > most) {
      await this.end(delivery, owner, 'dead', delivery.error ?? 'the process crashed in each attempt');
      return;
    }
    const agent = this.agents.find(delivery.agentId);
    const { handler, webhook } = route ?? {};
    if (!handler || !webhook) return this.failed(delivery, owner, 'the plugin no longer has this webhook', most);
    if (!agent) return this.failed(delivery, owner, 'the agent no longer exists', most);
    // The agent may start again, so the attempt does not count.
    if (agent.status !== 'active') return this.queue.release(delivery, this.clock.now() + WAITING_MS);

    const over = new AbortController();
    const signal = anySignal(over.signal, stop, loaded.unloading.signal);
    const call = callHandler(
      {
        handler,
        request: requestOf(delivery, signal),
        runtime: createRuntime(loaded.context, agent, signal),
        limitMs: route?.timeoutMs ?? DEFAULT_LIMIT_MS,
        awaitsAnswer: false,
      },
      this.clock,
    );
    const result = await Promise.race([call, aborted(stop)]);
    over.abort();
    if (result === undefined) throw stop.reason;
    if (result.error !== undefined) span.fail(failureOf(result));
    if (result.error === undefined) await this.end(delivery, owner, 'done');
    else await this.failed(delivery, owner, result.error, most, webhook, 'cause' in result ? result.cause : undefined);
  }

  private async failed(
    delivery: ClaimedDelivery,
    owner: string,
    error: string,
    attempts: number,
    webhook?: WebhookOptions,
    cause?: unknown,
  ): Promise<void> {
    const next = afterFailure(delivery.attempts, { attempts, backoffMs: webhook?.backoffMs ?? DEFAULT_BACKOFF_MS }, this.clock.now());
    if (next.status === 'dead') {
      await this.end(delivery, owner, 'dead', error, cause);
      return;
    }
    const { dueAt } = next;
    await this.storeOutcome(delivery, owner, 'failed', { error, dueAt });
    this.log.warn('an attempt to handle a delivery failed; it will be retried', { ...fieldsOf(delivery), error, dueAt });
  }

  private async end(delivery: ClaimedDelivery, owner: string, status: 'done' | 'dead', error?: string, cause?: unknown): Promise<void> {
    const held = await this.storeOutcome(delivery, owner, status, { error });
    if (!held) this.log.warn('another process took over a delivery during its handling', fieldsOf(delivery));
    else if (status === 'done') this.log.info('delivery handled', fieldsOf(delivery));
    else this.log.error('the last attempt to handle a delivery failed; it is dead', cause, { ...fieldsOf(delivery), error });
  }

  private storeOutcome(
    delivery: ClaimedDelivery,
    owner: string,
    status: 'done' | 'failed' | 'dead',
    rest: { error?: string; dueAt?: number },
  ): Promise<boolean> {
    return this.queue.storeEnd(delivery, () => this.repository.end(delivery, owner, status, this.clock.now(), rest));
  }
}

function requestOf({ id, attempts, request, rawBody }: ClaimedDelivery, signal: AbortSignal): RouteRequest {
  const contentType = request.headers['content-type'];
  return {
    ...request,
    rawBody,
    body: parseBody(String(contentType ?? ''), rawBody),
    files: [],
    signal,
    deliveryId: id,
    attempt: attempts,
  };
}

/** `error.type` of a failed call. */
function failureOf(result: Awaited<ReturnType<typeof callHandler>>): string {
  if ('answer' in result) return String(result.answer.statusCode);
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
