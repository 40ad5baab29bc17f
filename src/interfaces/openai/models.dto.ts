import type { AgentModel } from '../../modules/protocols/index.js';

/** The agent behind a model. */
export class OpenAiModelAgentView {
  /** @format uuid */
  agentId!: string;
  name!: string;
  /** Only active agents reply. */
  status!: 'active' | 'inactive';
}

/** An agent as a model of OpenAI's protocol. */
export class OpenAiModelView {
  /** The agent's name; its id when another agent has the same name. Requests may have either. */
  id!: string;
  object!: 'model';
  /** When the agent was created, epoch seconds. */
  created!: number;
  owned_by!: 'parley';
  parley!: OpenAiModelAgentView;
}

/** All agents that the caller may access, as models of OpenAI's protocol. */
export class OpenAiModelsView {
  object!: 'list';
  data!: OpenAiModelView[];
  /** The same as `data`, for clients that look for it here. */
  models!: OpenAiModelView[];
}

/** An agent as a model of Anthropic's protocol. */
export class AnthropicModelView {
  type!: 'model';
  /** The agent's name; its id when another agent has the same name. Requests may have either. */
  id!: string;
  display_name!: string;
  /** When the agent was created. @format date-time */
  created_at!: string;
}

/** All agents that the caller may access, as models of Anthropic's protocol. */
export class AnthropicModelsView {
  data!: AnthropicModelView[];
  /** Always false. */
  has_more!: boolean;
  first_id!: string | null;
  last_id!: string | null;
}

export function presentModel({ id, agent }: AgentModel): OpenAiModelView {
  const { id: agentId, name, status, createdAt } = agent;
  return { id, object: 'model', created: Math.floor(createdAt / 1000), owned_by: 'parley', parley: { agentId, name, status } };
}

export function presentModels(models: readonly AgentModel[]): OpenAiModelsView {
  const data = models.map(presentModel);
  return { object: 'list', data, models: data };
}

export function presentAnthropicModel({ id, agent }: AgentModel): AnthropicModelView {
  return { type: 'model', id, display_name: agent.name, created_at: new Date(agent.createdAt).toISOString() };
}

export function presentAnthropicModels(models: readonly AgentModel[]): AnthropicModelsView {
  const data = models.map(presentAnthropicModel);
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
