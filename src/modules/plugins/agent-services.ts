import { Injectable } from '@nestjs/common';
import { Clock, withTimeout } from '../../core/clock/index.js';
import type { AgentRuntime, ServiceClass, ServiceInstance } from '../../plugin-sdk/index.js';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

interface Running {
  readonly owner: object;
  readonly agentId: string;
  readonly type: string;
  /** The runtime that `start` received. */
  readonly runtime: AgentRuntime;
  readonly instance: ServiceInstance;
}

/** The running services of plugins, by agent. */
@Injectable()
export class AgentServices {
  private readonly running: Running[] = [];
  /** Runtimes whose service was stopped before it had started. */
  private readonly abandoned = new WeakSet<AgentRuntime>();
  private readonly waiting = new Set<{ agentId: string; type: string; resolve: (instance: ServiceInstance) => void }>();

  constructor(private readonly clock: Clock) {}

  /** The first service of a type is used, as in elizaOS. */
  find(agentId: string, type: string): ServiceInstance | null {
    return this.running.find((each) => each.agentId === agentId && each.type === type)?.instance ?? null;
  }

  /** Types of an agent's services, without duplicates. */
  types(agentId: string): string[] {
    return [...new Set(this.running.flatMap((each) => (each.agentId === agentId ? [each.type] : [])))];
  }

  /** Resolves when the agent has a service of the type. @throws the signal's reason */
  async whenStarted(agentId: string, type: string, signal: AbortSignal): Promise<ServiceInstance> {
    const found = this.find(agentId, type);
    if (found) return found;
    return new Promise((resolve, reject) => {
      const one = { agentId, type, resolve };
      this.waiting.add(one);
      signal.addEventListener('abort', () => void (this.waiting.delete(one) && reject(signal.reason as Error)), { once: true });
    });
  }

  /** Stops the service that was started with this runtime, now or as soon as it has started. */
  async stopByRuntime(runtime: AgentRuntime): Promise<{ type: string; error: unknown }[]> {
    this.abandoned.add(runtime);
    return this.stop({ runtime });
  }

  /** @throws the service's error, or Error after 30 s; a service that starts later is stopped */
  async start(owner: object, service: ServiceClass, runtime: AgentRuntime): Promise<void> {
    let late = false;
    const starting = Promise.resolve().then(() => service.start(runtime));
    try {
      const instance = await withTimeout(this.clock, START_LIMIT_MS, () => starting, { signal: runtime.abortSignal });
      const { agentId } = runtime;
      const type = service.serviceType;
      this.running.push({ owner, agentId, type, runtime, instance });
      if (this.abandoned.has(runtime)) return void (await this.stop({ runtime }));
      for (const one of this.waiting) {
        if (one.agentId === agentId && one.type === type && this.waiting.delete(one)) one.resolve(instance);
      }
    } catch (error) {
      late = true;
      throw error;
    } finally {
      if (late) void starting.then((instance) => instance.stop?.()).catch(() => undefined);
    }
  }

  /** Stops the services of an owner, an agent or a runtime, the last started first. @returns the failures */
  async stop(of: {
    readonly owner?: object;
    readonly agentId?: string;
    readonly runtime?: AgentRuntime;
  }): Promise<{ type: string; error: unknown }[]> {
    const failed: { type: string; error: unknown }[] = [];
    const { owner, agentId, runtime } = of;
    for (const each of this.running
      .filter((service) => service.owner === owner || service.agentId === agentId || service.runtime === runtime)
      .reverse()) {
      this.running.splice(this.running.indexOf(each), 1);
      try {
        await withTimeout(this.clock, STOP_LIMIT_MS, () => each.instance.stop?.());
      } catch (error) {
        failed.push({ type: each.type, error });
      }
    }
    return failed;
  }
}
