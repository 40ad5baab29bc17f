import type { Action, Evaluator, ModelHandler, Provider, ServiceClass } from './components.js';
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

/** What a plugin file exports, as its default export or as its only one. */
export interface Plugin {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  /** Range of Parley versions that it works with, such as `>=0.1.0`. */
  readonly compatibility?: string;
  /** Values, or fields; each name is also an environment variable that the plugin may read. */
  readonly config?: Readonly<Record<string, ConfigValue | ConfigField | undefined>>;
  /** Names of plugins that have to be loaded before. */
  readonly dependencies?: readonly string[];
  /** Higher ones are loaded first. */
  readonly priority?: number;
  readonly routes?: readonly Route[];
  /** Offered to the model as tools. Like providers and evaluators for agents whose character lists the plugin; for all, when none does. */
  readonly actions?: readonly Action[];
  readonly providers?: readonly Provider[];
  readonly evaluators?: readonly Evaluator[];
  readonly services?: readonly ServiceClass[];
  /** Handlers by the name of the event. */
  readonly events?: Readonly<Record<string, readonly EventHandler[]>>;
  /** What `useModel` asks, by type; the plugin with the highest `priority` answers. */
  readonly models?: Readonly<Record<string, ModelHandler>>;
  /** Runs once for each running agent when the plugin is loaded. */
  init?(config: Record<string, string>, runtime: AgentRuntime): unknown;
  /** Runs when the plugin is unloaded or the server stops. */
  dispose?(): unknown;
}

/** Gives a plugin its type; returns it as it is. */
export function definePlugin<T extends Plugin>(plugin: T): T {
  return plugin;
}
