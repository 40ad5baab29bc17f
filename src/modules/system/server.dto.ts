/** A message server in the overview. */
export class ServerEntryView {
  /** @format uuid */
  id!: string;
  name!: string;
  /** Always `active`. */
  status!: string;
  /** Ids of its agents. */
  agents!: string[];
  sourceType!: string;
  sourceId!: string | null;
  metadata!: Record<string, unknown>;
  /** ISO 8601. */
  createdAt!: string;
  /** ISO 8601. */
  updatedAt!: string;
}

export class ServersView {
  servers!: ServerEntryView[];
  count!: number;
}

/** An agent in the overview. */
export class RuntimeAgentView {
  /** @format uuid */
  id!: string;
  name!: string;
  status!: 'active' | 'inactive';
}

/** The runtime of the server. */
export class RuntimeView {
  version!: string;
  /** Version of Node.js. */
  node!: string;
  platform!: string;
  /** Seconds. */
  uptime!: number;
  agents!: RuntimeAgentView[];
  /** Number of running agents. */
  activeAgents!: number;
  /** Open HTTP and socket connections. */
  connections!: number;
  /** Memory by kind, bytes: `rss` of the process, `heapUsed` and others. */
  memory!: Record<string, number>;
}

/** The configuration, without secrets. */
export class ServerEnvironmentView {
  /** `sqlite` or `postgres`. */
  database!: string;
  /** The models in use. */
  models!: Record<string, unknown>;
  /** Names of the set variables. */
  configured!: string[];
}

export class DebugView extends ServersView {
  runtime!: RuntimeView;
  environment!: ServerEnvironmentView;
}

export class StoppingView {
  success!: boolean;
  message!: string;
}

export class ServerConfigView {
  /** Whether operations need an API key. */
  requiresAuth!: boolean;
}
