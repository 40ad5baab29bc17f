import { IsString } from 'class-validator';
import { IfPresent, MaxCharacters } from '../../../core/http/index.js';
import { argumentsValidator } from './action-arguments.js';
import { refusalText, type AskedTool } from './offer.step.js';

const MAX_TEXT = 10_000;

/** Query of `GET /api/agents/{agentId}/actions`. */
export class ActionsQuery {
  /** The message for which the conditions are asked; empty by default. */
  @IfPresent()
  @IsString()
  @MaxCharacters(MAX_TEXT)
  text?: string;
}

/** An action of a plugin, or a tool of a tool source. */
export class AgentActionView {
  name!: string;
  kind!: 'action' | 'tool';
  plugin!: string;
  description!: string;
  /** Other names by which a model may call it. */
  similes!: string[];
  /** JSON Schema of the arguments. */
  parameters!: Record<string, unknown>;
  /** Whether the model could call it. */
  offered!: boolean;
  /**
   * Null when it is offered. `plugin`: the agent does not have the plugin. `condition`: its condition does not hold. `failed`: its condition
   * failed. `name`: another action has its name.
   */
  reason!: 'plugin' | 'condition' | 'failed' | 'name' | null;
  /** Why it is not offered, in a sentence; null when it is. */
  details!: string | null;
}

export class AgentActionsView {
  actions!: AgentActionView[];
}

export function presentActions(asked: readonly AskedTool[]): AgentActionsView {
  return {
    actions: asked.map(({ kind, owner, definition, refusal }) => ({
      ...{ name: definition.name, kind, plugin: owner, description: definition.description, similes: [...(definition.similes ?? [])] },
      parameters: { ...argumentsValidator(definition.parameters).schema },
      ...{ offered: !refusal, reason: refusal?.reason ?? null, details: refusal ? refusalText(refusal) : null },
    })),
  };
}
