import type { Action, Evaluator, ModelHandler, Provider, ServiceClass } from './components.js';
import type { Memory, State } from './conversation.js';
import type { Route } from './routes.js';
import type { AgentRuntime, EventHandler } from './runtime.js';

type ConfigValue = string | number | boolean | null;

/** A field of a plugin's configuration. Its value comes from the environment variable of the same name. */
export interface ConfigField {
  readonly description?: string;
  readonly default?: ConfigValue;
  readonly required?: boolean;
  readonly secret?: boolean;
  readonly type?: 'string' | 'number' | 'boolean';
}

/** A plugin: the default export of a plugin file, or its only export. */
export interface Plugin {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  /** Range of supported Parley versions, such as `>=0.1.0`. */
  readonly compatibility?: string;
  /** Default values or fields by name. Each name is also an environment variable that the plugin may read. */
  readonly config?: Readonly<Record<string, ConfigValue | ConfigField | undefined>>;
  /** Names of plugins that must be loaded before. */
  readonly dependencies?: readonly string[];
  /** Plugins with a higher priority are loaded first. */
  readonly priority?: number;
  readonly routes?: readonly Route[];
  /**
   * Offered to the model as tools. Actions, providers and evaluators apply to agents whose character lists the plugin, or to all agents when
   * no character lists it.
   */
  readonly actions?: readonly Action[];
  readonly providers?: readonly Provider[];
  readonly evaluators?: readonly Evaluator[];
  /**
   * Tools that are known only at run time, such as those of an external service. Each source is called when a turn starts; it has two
   * seconds and may return 100 tools, which are called like actions. A source that fails or is late is skipped for the turn. An action takes
   * precedence over a tool of the same name.
   */
  readonly toolSources?: readonly {
    readonly name: string;
    tools(runtime: AgentRuntime, message: Memory, state: State): readonly Action[] | Promise<readonly Action[]>;
  }[];
  readonly services?: readonly ServiceClass[];
  /** Handlers by event name. */
  readonly events?: Readonly<Record<string, readonly EventHandler[]>>;
  /** Handlers of `useModel` by type; the plugin with the highest `priority` is used. */
  readonly models?: Readonly<Record<string, ModelHandler>>;
  /** Called for each running agent when the plugin is loaded. */
  init?(config: Record<string, string>, runtime: AgentRuntime): unknown;
  /** Called when the plugin is unloaded or the server stops. */
  dispose?(): unknown;
}

/** Types a plugin, so that the compiler refuses members that do not exist; returns it unchanged. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}
