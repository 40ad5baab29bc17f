import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../core/database/index.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What else there has to be, or must no longer be, when an agent comes, stops or goes. Its statements are part of that unit. */
export interface AgentCompanion {
  /** For an agent that is created; runs behind the statement that does. */
  created?(agent: Named): Promise<Statement[]>;
  /** For an agent that no longer runs; also asked when it is deleted, before `deleted`. */
  stopped?(agent: Named, tx: Transaction): Promise<Statement[]>;
  /** For an agent that is deleted: what of it would be left behind. */
  deleted?(agent: Named, tx: Transaction): Promise<Statement[]>;
  /**
   * Deletes what may be much, in units of its own and before the agent itself, so that nobody else has to wait for long.
   * The agent is stopped already; what this leaves over, `deleted` has to delete.
   */
  purge?(agentId: string): Promise<void>;
}

/** Registry, owned here and filled by the modules above: agents come and go without this module knowing what they own there. */
@Injectable()
export class AgentCompanions {
  private readonly registered: AgentCompanion[] = [];

  register(companion: AgentCompanion): void {
    this.registered.push(companion);
  }

  async created(agent: Named): Promise<Statement[]> {
    return (await Promise.all(this.registered.map(async (companion) => (await companion.created?.(agent)) ?? []))).flat();
  }

  async stopped(agent: Named, tx: Transaction): Promise<Statement[]> {
    const statements: Statement[] = [];
    for (const companion of this.registered) statements.push(...((await companion.stopped?.(agent, tx)) ?? []));
    return statements;
  }

  async deleted(agent: Named, tx: Transaction): Promise<Statement[]> {
    const statements = await this.stopped(agent, tx);
    for (const companion of this.registered) statements.push(...((await companion.deleted?.(agent, tx)) ?? []));
    return statements;
  }

  async purge(agentId: string): Promise<void> {
    for (const companion of this.registered) await companion.purge?.(agentId);
  }
}
