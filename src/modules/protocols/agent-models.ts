import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { canAccessAgent, type Caller } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { AgentsService, comparableName, type Agent } from '../agents/index.js';

/** An agent as a model of a protocol. */
export interface AgentModel {
  /** What the field `model` of requests should have: the agent's name, or its id if the name does not identify it. */
  readonly id: string;
  readonly agent: Agent;
}

// What a person can type and a client shows in one line.
const USABLE_NAME = /^[^\p{C}\p{Z}](?:[^\p{Cc}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u;

/**
 * The agents as models. Protocols name a model in requests where Parley has an agent; the id of an agent, its name, and its name in other
 * letter case are accepted, as long as they mean one agent. Agents that a caller may not access do not exist for it.
 */
@Injectable()
export class AgentModels {
  constructor(private readonly agents: AgentsService) {}

  /** The agents that a caller may access, running ones first. */
  list(caller: Caller): AgentModel[] {
    const visible = this.visible(caller);
    const uses = new Map<string, number>();
    for (const { name } of visible) uses.set(comparableName(name), (uses.get(comparableName(name)) ?? 0) + 1);
    return visible.map((agent) => {
      const { id, name } = agent;
      const identifies = uses.get(comparableName(name)) === 1 && USABLE_NAME.test(name) && !isUuid(name);
      return { id: identifies ? name : id, agent };
    });
  }

  /** The agent that `model` names; of several with this name the first one that runs, by creation. It may be stopped. */
  find(caller: Caller, model: string): Agent | undefined {
    if (isUuid(model)) {
      const agent = this.agents.find(model);
      if (agent && canAccessAgent(caller, agent.id)) return agent;
    }
    const visible = this.visible(caller);
    const exact = visible.filter(({ name }) => name === model);
    if (exact.length > 0) return firstOf(exact);
    const asked = comparableName(model);
    const similar = visible.filter(({ name }) => comparableName(name) === asked);
    return new Set(similar.map(({ name }) => name)).size === 1 ? firstOf(similar) : undefined;
  }

  /** @throws AppError AGENT_NOT_FOUND, also for an agent that the caller may not access */
  require(caller: Caller, model: string): Agent {
    const agent = this.find(caller, model);
    if (agent) return agent;
    throw new AppError(
      'AGENT_NOT_FOUND',
      `There is no model "${model}".`,
      'The models are the agents of this server: GET /v1/models lists what the field model may be.',
    );
  }

  /** @throws AppError AGENT_NOT_FOUND, also for an agent that the caller may not access; AGENT_STOPPED */
  requireRunning(caller: Caller, model: string): Agent {
    const agent = this.require(caller, model);
    if (agent.status === 'active') return agent;
    throw new AppError(
      'AGENT_STOPPED',
      `The agent ${agent.name} is not running.`,
      `POST /api/agents/${agent.id}/start starts it, and so does its page in the console.`,
    );
  }

  /** The first running agent that a caller may access, by creation; for names that mean an engine of the server. @throws AppError AGENT_STOPPED */
  anyRunning(caller: Caller): Agent {
    const agent = firstOf(this.visible(caller));
    if (agent?.status === 'active') return agent;
    throw new AppError('AGENT_STOPPED', 'No agent is running.', 'POST /api/agents/{agentId}/start starts one.');
  }

  private visible(caller: Caller): Agent[] {
    return this.agents.list().filter(({ id }) => canAccessAgent(caller, id));
  }
}

function firstOf(agents: readonly Agent[]): Agent | undefined {
  const [first] = [...agents].sort(
    (one, other) =>
      Number(other.status === 'active') - Number(one.status === 'active') ||
      one.createdAt - other.createdAt ||
      (one.id < other.id ? -1 : 1),
  );
  return first;
}
