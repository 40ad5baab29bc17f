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
  /** Finds a tool that the caller runs. */
  findOfCaller(name: string): ChatTool | undefined;
}

const NO_ACTIONS: OfferedActions = { tools: [], find: () => undefined, findOfCaller: () => undefined };

/**
 * Builds the tools from actions without a common tool name.
 *
 * @param ofCaller tools that the caller runs; they replace actions of the same name
 */
export function offerTools(actions: readonly OfferedTool[], ofCaller: readonly ChatTool[] = []): OfferedActions {
  if (actions.length === 0 && ofCaller.length === 0) return NO_ACTIONS;
  const callers = new Map(ofCaller.map((tool) => [tool.name, tool]));
  const own = actions.map((action) => [toolName(action.definition.name), action] as const).filter(([name]) => !callers.has(name));
  const byTool = new Map(own);
  const tools = [...byTool].map(([name, { definition }]) => ({
    name,
    description: definition.description,
    parameters: argumentsValidator(definition.parameters).schema,
  }));
  return {
    tools: [...tools, ...ofCaller],
    findOfCaller: (name) => callers.get(name) ?? (byTool.has(name) ? undefined : ofCaller.find((tool) => plain(tool.name) === plain(name))),
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
