import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, type Cancel } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { withRequestId } from '../../../core/context/request-context.js';
import { STORE, type Store } from '../../../core/database/index.js';
import { newId } from '../../../core/ids/index.js';
import { Log } from '../../../core/logging/index.js';
import { anySignal } from '../../../core/signals/index.js';
import type { RouteRequest, WebhookOptions } from '../../../plugin-sdk/index.js';
import { AgentsService } from '../../agents/index.js';
import { PluginHost, type LoadedPlugin } from '../plugin-host.js';
import { parsedBody } from '../plugin-request.js';
import { runtimeFor } from '../plugin-runtime.js';
import { attempt } from './attempt.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { TakenDelivery } from './deliveries.types.js';
import { routeLabel } from './route-label.js';

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
// Per plugin, so that one whose handlers hang does not hold up the others.
const CONCURRENCY = 32;
const DEFAULT_LIMIT_MS = 30_000;
const DEFAULT_ATTEMPTS = 5;
const DEFAULT_BACKOFF_MS = 2000;
const LONGEST_BACKOFF_MS = 3_600_000;
const WAITING_MS = 30_000;

const HOUR_MS = 3_600_000;
const CONTENT_KEPT_MS = 24 * HOUR_MS;
const DONE_KEPT_MS = 7 * 24 * HOUR_MS;
const DEAD_KEPT_MS = 30 * 24 * HOUR_MS;

/** Why an attempt cannot even begin. `counts`: trying again later is not bound to help. */
interface Hindrance {
  readonly hindrance: string;
  readonly counts: boolean;
}

/**
 * Works through the deliveries that were acknowledged and not handled yet. The table is the queue; a lease in it says who handles
 * what, so that the deliveries of a process that died are taken up again.
 */
@Injectable()
export class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Name of this process in leases. */
  private readonly owner = newId();
  private readonly running = new Map<string, { plugin: string; stop: AbortController; done: Promise<void> }>();
  /** What is still to be stored of deliveries that this process holds and does not run: that they were handled, or that they were not. */
  private readonly unstored = new Map<string, () => Promise<unknown>>();
  private readonly timers = new Map<string, Cancel>();
  private readonly pumping = new Map<string, { again: boolean }>();
  private readonly passes = new Set<Promise<void>>();
  private started = false;
  private stopping = false;
  private cancelHeartbeat: Cancel = () => undefined;
  private sweptAt = 0;
  private readonly log = new Log('webhooks');

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly host: PluginHost,
    private readonly agents: AgentsService,
    private readonly clock: Clock,
    @Inject(STORE) private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // What waits for a plugin that was away does not wait any longer.
    this.host.onLoad((plugin) => this.wake(plugin));
    // Only one process can have a SQLite file open, so whatever is leased there was leased by a process that is gone.
    if (this.store.reading.options.type === 'sqlite') await this.repository.voidLeases();
  }

  /** Begins to work. Handlers may call this server, so it listens by then. */
  start(): void {
    if (this.started || this.stopping) return;
    this.started = true;
    for (const { plugin } of this.host.plugins()) this.wake(plugin.name);
    this.heartbeat();
  }

  /** Looks for due deliveries of a plugin; called after each commit that may have made one. */
  wake(plugin: string): void {
    if (!this.started || this.stopping) return;
    const current = this.pumping.get(plugin);
    if (current) {
      current.again = true;
      return;
    }
    const pass = this.pumpWhileAsked(plugin).finally(() => this.passes.delete(pass));
    this.passes.add(pass);
  }

  /** Takes nothing up any more, gives what runs time to end, and puts the rest back for the next process. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.cancelHeartbeat();
    for (const cancel of this.timers.values()) cancel();
    await Promise.all(this.passes);
    if (this.config.shutdownGraceMs > 0) await this.graceFor([...this.running.values()].map(({ done }) => done));
    for (const { stop } of this.running.values()) stop.abort();
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private async graceFor(work: readonly Promise<void>[]): Promise<void> {
    let cancel: Cancel = () => undefined;
    const grace = new Promise<void>((resolve) => {
      cancel = this.clock.after(this.config.shutdownGraceMs, resolve);
    });
    await Promise.race([Promise.all(work), grace]);
    cancel();
  }

  private async pumpWhileAsked(plugin: string): Promise<void> {
    const state = { again: true };
    this.pumping.set(plugin, state);
    try {
      while (state.again && !this.stopping) {
        state.again = false;
        await this.pump(plugin);
      }
    } catch (error) {
      this.log.error('due deliveries could not be looked up; trying again', error, { plugin });
    } finally {
      this.pumping.delete(plugin);
    }
  }

  private async pump(plugin: string): Promise<void> {
    const loaded = this.host.plugins().find((candidate) => candidate.plugin.name === plugin);
    if (!loaded?.routes.some(({ route }) => route.webhook !== undefined)) return;
    const own = [...this.running.values()].filter((entry) => entry.plugin === plugin).length;
    const now = this.clock.now();
    const free = CONCURRENCY - own;
    // Ours are not due while their lease holds; asking for so many more makes up for a heartbeat that came late.
    const due = free <= 0 ? [] : await this.repository.due(plugin, now, free + own + this.unstored.size);
    const isOurs = (id: string): boolean => this.running.has(id) || this.unstored.has(id);
    for (const id of due.filter((candidate) => !isOurs(candidate)).slice(0, free)) this.begin(loaded, id);
    const next = await this.repository.nextDue(plugin, now);
    this.timers.get(plugin)?.();
    this.timers.delete(plugin);
    if (next !== undefined && !this.stopping) {
      this.timers.set(
        plugin,
        this.clock.at(next, () => this.wake(plugin)),
      );
    }
  }

  private begin(loaded: LoadedPlugin, id: string): void {
    const plugin = loaded.plugin.name;
    const stop = new AbortController();
    const done = withRequestId(id, () => this.run(loaded, id, stop))
      .catch((error: unknown) => {
        // The database failed, or we have a bug. How it ended is stored later; when it did not even begin, it may be ours all the same.
        if (!this.unstored.has(id)) this.unstored.set(id, () => this.repository.release(id, this.owner, this.clock.now()));
        this.log.error('a delivery could not be ended; it will be tried again', error, { plugin, delivery: id });
      })
      .finally(() => {
        this.running.delete(id);
        loaded.inFlight.delete(done);
        this.wake(plugin);
      });
    this.running.set(id, { plugin, stop, done });
    loaded.inFlight.add(done);
  }

  private async run(loaded: LoadedPlugin, id: string, stop: AbortController): Promise<void> {
    const now = this.clock.now();
    const delivery = await this.repository.take(id, this.owner, now, now + LEASE_MS);
    if (!delivery) return;
    const route = loaded.routes.find((candidate) => routeLabel(candidate) === delivery.route)?.route;
    const most = route?.webhook?.attempts ?? DEFAULT_ATTEMPTS;
    if (delivery.attempts > most) {
      await this.end(delivery, 'dead', delivery.error ?? 'the process ended in each attempt');
      return;
    }
    const agent = this.agents.find(delivery.agentId);
    const { handler, webhook } = route ?? {};
    if (!handler || !webhook) return this.hindered(delivery, { hindrance: 'the plugin has no such webhook any more', counts: true }, most);
    if (!agent) return this.hindered(delivery, { hindrance: 'the agent no longer exists', counts: true }, most);
    if (agent.status !== 'active') return this.hindered(delivery, { hindrance: 'the agent is stopped', counts: false }, most);

    const over = new AbortController();
    const signal = anySignal(over.signal, stop.signal, loaded.unloading.signal);
    const call = attempt(
      {
        handler,
        request: requestOf(delivery, signal),
        runtime: runtimeFor(loaded.parts, agent, signal),
        limitMs: route?.timeoutMs ?? DEFAULT_LIMIT_MS,
        awaitsAnswer: false,
      },
      this.clock,
    );
    const result = await Promise.race([call, aborted(stop.signal)]);
    over.abort();
    if (result === undefined) await this.repository.release(id, this.owner, this.clock.now());
    else if (result.error === undefined) await this.end(delivery, 'done');
    else await this.failed(delivery, result.error, most, webhook, 'cause' in result ? result.cause : undefined);
  }

  private async hindered(delivery: TakenDelivery, { hindrance, counts }: Hindrance, most: number): Promise<void> {
    if (counts) await this.failed(delivery, hindrance, most);
    else await this.repository.release(delivery.id, this.owner, this.clock.now() + WAITING_MS);
  }

  private async failed(delivery: TakenDelivery, error: string, most: number, webhook?: WebhookOptions, cause?: unknown): Promise<void> {
    if (delivery.attempts >= most) {
      await this.end(delivery, 'dead', error, cause);
      return;
    }
    const full = Math.min((webhook?.backoffMs ?? DEFAULT_BACKOFF_MS) * 4 ** (delivery.attempts - 1), LONGEST_BACKOFF_MS);
    // Half of it is left to chance, so that what failed together is not tried together.
    const dueAt = this.clock.now() + Math.ceil(full / 2 + (full / 2) * Math.random());
    await this.storeEnd(delivery, 'failed', { error, dueAt });
    this.log.warn('a delivery was not handled; it will be tried again', { ...fieldsOf(delivery), error, dueAt });
  }

  private async end(delivery: TakenDelivery, status: 'done' | 'dead', error?: string, cause?: unknown): Promise<void> {
    const held = await this.storeEnd(delivery, status, { error });
    if (!held) this.log.warn('a delivery was taken over by another process while it was handled', fieldsOf(delivery));
    else if (status === 'done') this.log.info('delivery handled', fieldsOf(delivery));
    else this.log.error('a delivery is dead: its last attempt failed', cause, { ...fieldsOf(delivery), error });
  }

  private async storeEnd(
    delivery: TakenDelivery,
    status: 'done' | 'failed' | 'dead',
    rest: { error?: string; dueAt?: number },
  ): Promise<boolean> {
    const store = (): Promise<boolean> => this.repository.end(delivery, this.owner, status, this.clock.now(), rest);
    try {
      return await store();
    } catch (error) {
      this.unstored.set(delivery.id, store);
      throw error;
    }
  }

  /** Keeps this process's leases alive, looks for deliveries that another one let go of, and removes old ones. */
  private heartbeat(): void {
    this.cancelHeartbeat = this.clock.after(HEARTBEAT_MS, () => {
      const beat = this.beat().finally(() => {
        this.passes.delete(beat);
        if (!this.stopping) this.heartbeat();
      });
      this.passes.add(beat);
    });
  }

  private async beat(): Promise<void> {
    const now = this.clock.now();
    try {
      if (this.running.size + this.unstored.size > 0) await this.repository.extendLeases(this.owner, now + LEASE_MS);
      for (const [id, store] of this.unstored) {
        await store();
        this.unstored.delete(id);
      }
      for (const { plugin } of this.host.plugins()) this.wake(plugin.name);
      if (now - this.sweptAt < HOUR_MS) return;
      this.sweptAt = now;
      const limits = { contentBefore: now - CONTENT_KEPT_MS, doneBefore: now - DONE_KEPT_MS, deadBefore: now - DEAD_KEPT_MS };
      while (!this.stopping && (await this.repository.sweep(limits)));
    } catch (error) {
      this.log.error('deliveries could not be looked after; trying again', error);
    }
  }
}

function requestOf({ id, attempts, request, rawBody }: TakenDelivery, signal: AbortSignal): RouteRequest {
  const contentType = request.headers['content-type'];
  return {
    ...request,
    rawBody,
    body: parsedBody(String(contentType ?? ''), rawBody),
    files: [],
    signal,
    deliveryId: id,
    attempt: attempts,
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function fieldsOf({ id, plugin, route, senderId, attempts }: TakenDelivery): Record<string, unknown> {
  return { plugin, route, delivery: id, senderId, attempt: attempts };
}
