import type { Action, AgentRuntime, HandlerCallback, HandlerOptions, Memory, State } from '../../plugin-sdk/index.js';

/** A function that a model may call in one turn: a plugin's action, or a tool found at run time. */
export interface Tool extends Pick<Action, 'name' | 'similes' | 'description' | 'parameters'> {
  /**
   * @param options the validated arguments, the signal of the time limit, and an idempotency key that stays the same after a crash
   * @param say posts a message as the agent
   * @returns an `ActionResult`, text, or a boolean; an exception becomes a failed result for the model
   */
  call(options: HandlerOptions, say: HandlerCallback): unknown;
}

/** The agent of a turn. Its character has no secrets. */
export interface ToolAgent {
  readonly id: string;
  readonly name: string;
  readonly character: { readonly settings?: Readonly<Record<string, unknown>> };
}

/** The turn for which a source provides tools. */
export interface ToolContext<A extends ToolAgent = ToolAgent> {
  readonly agent: A;
  readonly message: Memory;
  readonly state: State;
  /** Aborts when the time limit expires or the turn is cancelled. */
  readonly signal: AbortSignal;
}

/** Provides tools that are known only at run time, such as those of an MCP server. A module adds it as a hook `toolSources`. */
export interface ToolSource<A extends ToolAgent = ToolAgent> {
  readonly name: string;
  /**
   * Called once per attempt at a turn, before the model. The limits are two seconds and 100 tools; a source that fails or exceeds them is
   * reported and omitted from the turn. An action takes precedence over a tool of the same name, and the first of two tools is used.
   */
  tools(context: ToolContext<A>): readonly Tool[] | Promise<readonly Tool[]>;
}

/** Converts an action to a tool. @param runtime creates the runtime of a call from the signal of its time limit */
export function toTool(action: Action, runtime: (signal: AbortSignal) => AgentRuntime, message: Memory, state: State): Tool {
  const { name, similes, description, parameters } = action;
  return {
    name,
    similes,
    description,
    parameters,
    call: (options, say) => action.handler(runtime(options.abortSignal), message, state, options, say, []),
  };
}

declare module '../../core/hooks/hook-kinds.js' {
  interface HookKinds {
    toolSources: ToolSource;
  }
}
