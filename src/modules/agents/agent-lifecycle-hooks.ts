import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../core/database/index.js';
import { HookChain, Hooks, type Hook } from '../../core/hooks/index.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Lets a module act when an agent is created, stopped or deleted. The statements run in the same transaction. */
export interface AgentLifecycleHook extends Hook {
  /** Statements that run after the one that creates the agent. */
  onAgentCreated?(agent: Named): Promise<Statement[]>;
  /** Runs when an agent stops, and when it is deleted, before `onAgentDeleted`. */
  onAgentStopped?(agent: Named, tx: Transaction): Promise<Statement[]>;
  /** Statements that delete the agent's remaining data. */
  onAgentDeleted?(agent: Named, tx: Transaction): Promise<Statement[]>;
  /**
   * Deletes large amounts of the agent's data in transactions of bounded size, before the agent itself is deleted. The agent is already
   * stopped; `onAgentDeleted` deletes the rest.
   */
  purgeAgent?(agentId: string): Promise<void>;
}

/** The chain of `AgentLifecycleHook`s. */
@Injectable()
export class AgentLifecycleHooks extends HookChain<AgentLifecycleHook> {
  constructor(hooks: Hooks) {
    super(() => hooks.of('agentLifecycle'));
  }

  async onAgentCreated(agent: Named): Promise<Statement[]> {
    return (await Promise.all(this.all().map(async (hook) => (await hook.onAgentCreated?.(agent)) ?? []))).flat();
  }

  async onAgentStopped(agent: Named, tx: Transaction): Promise<Statement[]> {
    const statements: Statement[] = [];
    for (const hook of this.all()) statements.push(...((await hook.onAgentStopped?.(agent, tx)) ?? []));
    return statements;
  }

  async onAgentDeleted(agent: Named, tx: Transaction): Promise<Statement[]> {
    const statements = await this.onAgentStopped(agent, tx);
    for (const hook of this.all()) statements.push(...((await hook.onAgentDeleted?.(agent, tx)) ?? []));
    return statements;
  }

  async purgeAgent(agentId: string): Promise<void> {
    for (const hook of this.all()) await hook.purgeAgent?.(agentId);
  }
}

declare module '../../core/hooks/hook-kinds.js' {
  interface HookKinds {
    agentLifecycle: AgentLifecycleHook;
  }
}
