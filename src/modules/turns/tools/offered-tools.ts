import { cutText } from '../../../core/text/index.js';
import type { ChatTool } from '../../../providers/models/index.js';
import type { Tool } from '../../../providers/tools/index.js';
import { argumentsValidator } from './action-arguments.js';
import type { Component, ComponentOwner } from '../turn-components.js';

export type OfferedTool = Component<Tool, ComponentOwner>;

/** The actions and tools of a turn, under names that models can call. */
export interface OfferedActions {
  readonly tools: readonly ChatTool[];
  /** Finds a tool by its tool name, else its action name, else a simile. Partial names do not match. */
  find(name: string): OfferedTool | undefined;
}

const NO_ACTIONS: OfferedActions = { tools: [], find: () => undefined };

/** Builds the tools from actions without a common tool name. */
export function offerTools(actions: readonly OfferedTool[]): OfferedActions {
  if (actions.length === 0) return NO_ACTIONS;
  const byTool = new Map(actions.map((action) => [toolName(action.definition.name), action]));
  const tools = [...byTool].map(([name, { definition }]) => ({
    name,
    description: definition.description,
    parameters: argumentsValidator(definition.parameters).schema,
  }));
  return {
    tools,
    find: (name) => {
      const wanted = plain(name);
      const known = [...byTool.values()];
      return (
        byTool.get(name) ??
        known.find(({ definition }) => plain(definition.name) === wanted) ??
        known.find(({ definition }) => definition.similes?.some((simile) => plain(simile) === wanted) === true)
      );
    },
  };
}

/** The name under which models call an action. */
export function toolName(name: string): string {
  return cutText(name.replace(/[^\w-]/g, '_'), 64);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '');
}
