import { Injectable } from '@nestjs/common';
import { Clock, limited } from '../../core/clock/index.js';
import type { AgentRuntime, ServiceClass, ServiceInstance } from '../../plugin-sdk/index.js';

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

interface Running {
  readonly owner: object;
  readonly agentId: string;
  readonly type: string;
  readonly instance: ServiceInstance;
}

/** The services of plugins that run, for each agent. */
@Injectable()
export class AgentServices {
  private readonly running: Running[] = [];

  constructor(private readonly clock: Clock) {}

  /** The first of a type wins, as it does among plugins of other servers. */
  find(agentId: string, type: string): ServiceInstance | null {
    return this.running.find((each) => each.agentId === agentId && each.type === type)?.instance ?? null;
  }

  /** @throws what it fails with, or Error after 30 s; what starts after that is stopped again */
  async start(owner: object, service: ServiceClass, runtime: AgentRuntime): Promise<void> {
    let late = false;
    const starting = Promise.resolve().then(() => service.start(runtime));
    try {
      const instance = await limited(this.clock, START_LIMIT_MS, runtime.abortSignal, () => starting);
      this.running.push({ owner, agentId: runtime.agentId, type: service.serviceType, instance });
    } catch (error) {
      late = true;
      throw error;
    } finally {
      if (late) void starting.then((instance) => instance.stop?.()).catch(() => undefined);
    }
  }

  /** Stops the services of an owner, or of an agent, the last started first. @returns what failed, by type */
  async stop(of: { readonly owner: object } | { readonly agentId: string }): Promise<{ type: string; error: unknown }[]> {
    const failed: { type: string; error: unknown }[] = [];
    for (const each of this.running
      .filter((service) => ('owner' in of ? service.owner === of.owner : service.agentId === of.agentId))
      .reverse()) {
      this.running.splice(this.running.indexOf(each), 1);
      try {
        await limited(this.clock, STOP_LIMIT_MS, new AbortController().signal, () => each.instance.stop?.());
      } catch (error) {
        failed.push({ type: each.type, error });
      }
    }
    return failed;
  }
}
