/** A message server in an overview. */
export class ServerEntryView {
  /** @format uuid */
  id!: string;
  name!: string;
  /** Always `active`. */
  status!: string;
  /** Ids of the agents that belong to it. */
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

/** An agent in an overview. */
export class RuntimeAgentView {
  /** @format uuid */
  id!: string;
  name!: string;
  status!: 'active' | 'inactive';
}

/** What the server runs on. */
export class RuntimeView {
  version!: string;
  /** Version of Node.js. */
  node!: string;
  platform!: string;
  /** Seconds. */
  uptime!: number;
  agents!: RuntimeAgentView[];
  /** How many of them run. */
  activeAgents!: number;
  /** Open connections, of HTTP and of sockets. */
  connections!: number;
  /** Bytes, by kind: `rss` of the whole process, `heapUsed` and others within it. */
  memory!: Record<string, number>;
}

/** How the server is set up; no secrets. */
export class ServerEnvironmentView {
  /** `sqlite` or `postgres`. */
  database!: string;
  /** Which models answer. */
  models!: Record<string, unknown>;
  /** Names of the variables that are set. */
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
