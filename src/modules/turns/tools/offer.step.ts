import { Injectable } from '@nestjs/common';
import { Clock, withTimeout } from '../../../core/clock/index.js';
import { errorMessage } from '../../../core/errors/index.js';
import { redactText } from '../../../core/logging/index.js';
import type { Action, Memory, State } from '../../../plugin-sdk/index.js';
import { toTool, type Tool } from '../../../providers/tools/index.js';
import type { Agent } from '../../agents/index.js';
import { toolName, type OfferedTool } from './offered-tools.js';
import { ToolSourcesStep } from './tool-sources.step.js';
import { TurnComponents, type Component } from '../turn-components.js';

const VALIDATE_LIMIT_MS = 1000;

/** Why an action is not offered: the agent does not have its plugin, its condition did not hold or failed, or its name is taken. */
type RefusalReason = 'plugin' | 'condition' | 'failed' | 'name';

/** An action or a tool of a tool source, and whether the model may call it. */
export interface AskedTool extends OfferedTool {
  readonly kind: 'action' | 'tool';
  /** Undefined when it is offered. `details` are absent when a condition just did not hold, which runs record for each turn. */
  readonly refusal?: { readonly reason: RefusalReason; readonly details?: string };
}

/** Finds the actions and tools for a message: actions whose `validate` passes within a second, followed by the tools of the tool sources. */
@Injectable()
export class OfferStep {
  constructor(
    private readonly components: TurnComponents,
    private readonly toolSources: ToolSourcesStep,
    private readonly clock: Clock,
  ) {}

  /** All actions and tools of an agent. When two share a name, the first that is not refused is offered. @throws only the signal's reason */
  async ask(agent: Agent, message: Memory, state: State, signal: AbortSignal): Promise<AskedTool[]> {
    const [actions, tools] = await Promise.all([
      Promise.all(this.components.actionsOf(agent).map((action) => this.askAction(action, agent, message, state, signal))),
      this.toolSources.find({ agent, message, state, signal }),
    ]);
    const owners = new Map<string, string>();
    return [...actions, ...tools.map((tool) => ({ ...tool, kind: 'tool' as const }))].map((asked: AskedTool) => {
      if (asked.refusal) return asked;
      const name = toolName(asked.definition.name);
      const owner = owners.get(name);
      if (owner !== undefined) return refused(asked, 'name', `${owner} has an action or tool of this name.`);
      owners.set(name, asked.owner);
      return asked;
    });
  }

  /** The actions of plugins that the agent does not have. */
  others(agent: Agent, message: Memory, state: State): AskedTool[] {
    return this.components
      .actionsOfOthers(agent)
      .map((action) => refused(this.toAsked(action, agent, message, state), 'plugin', `The agent does not list plugin ${action.owner}.`));
  }

  private async askAction(action: Component<Action>, agent: Agent, message: Memory, state: State, signal: AbortSignal): Promise<AskedTool> {
    const { definition, set } = action;
    const asked = this.toAsked(action, agent, message, state);
    if (!definition.validate) return asked;
    let lacked: string | undefined;
    try {
      const ask = async (own: AbortSignal): Promise<boolean> => {
        const runtime = set.runtime(agent, own);
        const valid = (await definition.validate!(runtime, message, state)) !== false;
        lacked = set.onAsked?.(`action ${definition.name}`, runtime, valid);
        return valid;
      };
      if (await withTimeout(this.clock, VALIDATE_LIMIT_MS, ask, { signal })) return asked;
      return refused(asked, 'condition', lacked);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      this.components.report('action', action, error);
      return refused(asked, 'failed', redactText(`Its condition (\`validate\`) failed: ${errorMessage(error)}`));
    }
  }

  private toAsked({ definition, owner, set }: Component<Action>, agent: Agent, message: Memory, state: State): AskedTool {
    const tool: Tool = toTool(definition, (own) => set.runtime(agent, own), message, state);
    return { kind: 'action', definition: tool, owner, set };
  }
}

/** Why an action is not offered, in a sentence. */
export function refusalText({ details }: NonNullable<AskedTool['refusal']>): string {
  return details ?? 'Its condition (`validate`) does not hold for this message.';
}

function refused(asked: AskedTool, reason: RefusalReason, details?: string): AskedTool {
  return { ...asked, refusal: { reason, ...(details !== undefined && { details }) } };
}
