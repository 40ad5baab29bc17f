/** A route of a plugin. */
export class PluginRouteView {
  type!: string;
  path!: string;
  name!: string | null;
  public!: boolean;
  /** Whether it accepts file uploads. */
  isMultipart!: boolean;
  /** Every path that leads to it. */
  paths!: string[];
  /** What the server would answer without it: its newer interfaces and its page at `/`. */
  shadows!: string[];
  /** Of `STATIC /`: what answers in its place. */
  shadowedBy!: string[];
}

/** A part of a plugin that has failed. */
export class PluginProblemView {
  plugin!: string;
  /** Such as `service weather` or `action WEATHER`. */
  component!: string;
  /** Of the last time. */
  reason!: string;
  /** How often it has failed. */
  count!: number;
}

/** A plugin that was asked for. */
export class PluginView {
  name!: string;
  /** Where it came from. */
  source!: string;
  state!: 'loaded' | 'failed';
  routes!: PluginRouteView[];
  /** Of one that is loaded. */
  description?: string;
  version?: string | null;
  problems?: PluginProblemView[];
  /** Why it could not be loaded. */
  reason?: string;
}

export class PluginsView {
  plugins!: PluginView[];
}
