import type { ChatTool } from '../../providers/models/index.js';
import { argumentsValidator } from './action-arguments.js';
import type { Tool } from './tools.js';
import type { Component, ComponentOwner } from './turn-components.js';

export type OfferedTool = Component<Tool, ComponentOwner>;

/** The actions and tools of a turn, under names that models can call. */
export interface OfferedActions {
  readonly tools: readonly ChatTool[];
  /** Finds a tool by its tool name, else its action name, else a simile. Partial names do not match. */
  find(name: string): OfferedTool | undefined;
}

export const NO_ACTIONS: OfferedActions = { tools: [], find: () => undefined };

/** Builds the tools. When two share a name, the first is used. */
export function offerTools(actions: readonly OfferedTool[]): OfferedActions {
  const byTool = new Map<string, OfferedTool>();
  for (const action of actions) {
    const name = toolName(action.definition.name);
    if (!byTool.has(name)) byTool.set(name, action);
  }
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

function toolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '');
}
