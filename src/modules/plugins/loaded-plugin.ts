import type { Plugin } from '../../plugin-sdk/index.js';
import type { RuntimeContext } from './plugin-runtime.js';
import type { PluginSource } from './plugin-source.js';
import type { MountedRoute } from './route-table.js';

/** A loaded plugin. */
export interface LoadedPlugin {
  readonly plugin: Plugin;
  readonly source: PluginSource;
  readonly routes: readonly MountedRoute[];
  /** Root folder of each STATIC route. */
  readonly roots: ReadonlyMap<MountedRoute, { root: string; file?: string }>;
  readonly context: RuntimeContext;
  readonly unloading: AbortController;
  /** Requests in progress. */
  readonly inFlight: Set<Promise<unknown>>;
}

/** A plugin that failed to load. */
export interface FailedPlugin {
  readonly name: string;
  readonly source: string;
  readonly reason: string;
}
