/** A route of a plugin. */
export class PluginRouteView {
  type!: string;
  path!: string;
  name!: string | null;
  public!: boolean;
  /** Whether it accepts file uploads. */
  isMultipart!: boolean;
  /** All paths of the route. */
  paths!: string[];
  /** Built-in routes that this route replaces: newer operations and the page at `/`. */
  shadows!: string[];
  /** For `STATIC /`: routes that take precedence over it. */
  shadowedBy!: string[];
}

/** A component of a plugin that failed. */
export class PluginProblemView {
  plugin!: string;
  /** For example `service weather` or `action WEATHER`. */
  component!: string;
  /** Reason of the last failure. */
  reason!: string;
  /** Number of failures. */
  count!: number;
}

/** A part of a plugin that agents use. */
export class PluginComponentView {
  kind!: 'action' | 'provider' | 'evaluator' | 'toolSource' | 'service' | 'model';
  name!: string;
  description!: string;
}

/** A setting of a plugin: an environment variable, or a setting or secret of an agent. */
export class PluginSettingView {
  name!: string;
  description!: string;
  required!: boolean;
  secret!: boolean;
  /** Whether the environment or a default gives it a value. Agents can have values of their own. */
  set!: boolean;
}

/** A configured plugin. */
export class PluginView {
  name!: string;
  /** File, folder or package of the plugin. */
  source!: string;
  state!: 'loaded' | 'failed';
  routes!: PluginRouteView[];
  /** Present when the plugin is loaded. */
  description?: string;
  version?: string | null;
  problems?: PluginProblemView[];
  /** Actions, context providers, evaluators, tool sources, services and models. */
  components?: PluginComponentView[];
  settings?: PluginSettingView[];
  /** Why the plugin failed to load. */
  reason?: string;
}

export class PluginsView {
  plugins!: PluginView[];
}
