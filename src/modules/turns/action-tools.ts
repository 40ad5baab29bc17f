import type { Action } from '../../plugin-sdk/index.js';
import type { ChatTool } from '../../providers/models/index.js';
import { argumentsOf } from './action-arguments.js';
import type { Component } from './turn-components.js';

/** The actions that a turn offers, under the names that models can call. */
export interface OfferedActions {
  readonly tools: readonly ChatTool[];
  /** By the name of the tool or of the action; failing that by a simile. Never by a part of a name. */
  find(name: string): Component<Action> | undefined;
}

export const NO_ACTIONS: OfferedActions = { tools: [], find: () => undefined };

/** Of two actions with the same name the first counts. */
export function offered(actions: readonly Component<Action>[]): OfferedActions {
  const byTool = new Map<string, Component<Action>>();
  for (const action of actions) {
    const name = toolName(action.it.name);
    if (!byTool.has(name)) byTool.set(name, action);
  }
  const tools = [...byTool].map(([name, { it }]) => ({ name, description: it.description, parameters: argumentsOf(it.parameters).schema }));
  return {
    tools,
    find: (name) => {
      const wanted = plain(name);
      const known = [...byTool.values()];
      return (
        byTool.get(name) ??
        known.find(({ it }) => plain(it.name) === wanted) ??
        known.find(({ it }) => it.similes?.some((simile) => plain(simile) === wanted) === true)
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
