/** Result of the liveness probe. */
export class AliveView {
  status!: 'ok';
  /** @format date-time */
  timestamp!: string;
}

/** Result of a ping. */
export class PingView {
  pong!: true;
  /** Epoch ms. */
  timestamp!: number;
}

export class HelloView {
  message!: string;
}

/** State of the dependencies. */
export class DependenciesView {
  agents!: 'healthy' | 'no_agents';
  /** `failing` while calls of a chat model of the server fail; the status tells why. */
  models!: 'healthy' | 'failing';
}

/** Health of the server. */
export class HealthView {
  /** `OK` while at least one agent is running and the chat models respond. */
  status!: 'OK' | 'DEGRADED';
  version!: string;
  /** @format date-time */
  timestamp!: string;
  /** Seconds since the server started. */
  uptime!: number;
  /** Number of running agents. */
  agentCount!: number;
  dependencies!: DependenciesView;
  /** Reports of the components, such as `database` and `models`; empty for callers without a required credential. */
  checks!: Record<string, unknown>;
}

export class AgentCountsView {
  total!: number;
  active!: number;
  inactive!: number;
}

/** Memory use of the process. */
export class MemoryUseView {
  /** Used heap, bytes. */
  used!: number;
  /** Total heap, bytes. */
  total!: number;
  /** Resident set size, bytes. */
  rss!: number;
  /** `used` as a percentage of `total`. */
  percentage!: number;
}

export class ModelInUseView {
  provider!: string;
  model!: string;
}

/** A failed call of a model. */
export class ModelFailureView {
  /** @format date-time */
  at!: string;
  code!: string;
  /** `key`, `quota`, `rate`, `model`, `address`, `timeout`, `service`, `response`, `context`, `request`, or null. */
  reason!: string | null;
  message!: string;
  /** What to do. */
  details!: string;
}

/** Something about a model that is no failure. */
export class ModelNoticeView {
  /** @format date-time */
  at!: string;
  message!: string;
  /** What to do. */
  details!: string;
}

/** How the latest calls of a model ended. */
export class ModelServiceView {
  kind!: 'chat' | 'embeddings';
  provider!: string;
  model!: string;
  /** Whether an agent's settings name the service or its key. */
  ofAgent!: boolean;
  /** Whether calls fail at present, for a reason that concerns every call. */
  failing!: boolean;
  /** Null without a success. @format date-time */
  lastSuccessAt!: string | null;
  /** The last failure; null after a success. */
  lastFailure!: ModelFailureView | null;
  /** What operators should know although the model responds, for an hour after it was seen last. */
  notice!: ModelNoticeView | null;
}

/** The default models of agents. */
export class ModelsInUseView {
  chat!: ModelInUseView;
  /** Null when recall uses words only. */
  embeddings!: ModelInUseView | null;
  /** The models of services that this process has called since it started, up to 256. */
  services!: ModelServiceView[];
}

export class EngineInUseView {
  provider!: string;
  engine!: string;
  /** BCP 47 primary subtags; absent when the engine accepts any language. */
  languages?: readonly string[];
}

/** The default speech engines of agents. */
export class SpeechInUseView {
  /** Null when disabled. */
  synthesis!: EngineInUseView | null;
  /** Null when disabled. */
  transcription!: EngineInUseView | null;
}

/** Status of the server. */
export class StatusView {
  status!: 'ok';
  /** Number of running agents. */
  agentCount!: number;
  /** @format date-time */
  timestamp!: string;
  agents!: AgentCountsView;
  memory!: MemoryUseView;
  /** Seconds since the server started. */
  uptime!: number;
  version!: string;
  models!: ModelsInUseView;
  /** Host of the service of the chat model, when it is compatible with the provider and not the provider's own; else null. */
  modelHost!: string | null;
  speech!: SpeechInUseView;
  /** Protocols of others that the server speaks, as the setting PROTOCOLS names them. */
  protocols!: readonly string[];
  /** Absolute path of the data folder; null for callers without administrator access. */
  dataFolder!: string | null;
  /** What the caller may do: `admin` includes `write`, and `write` includes `read`. Null without a credential. */
  scope!: 'read' | 'write' | 'admin' | null;
}

/** A present fault that an operator can do something about. */
export class ProblemView {
  /**
   * `plugin`: it is not loaded. `component`: a part of a plugin, such as an action or a tool server, does not work. `deliveries`: webhook
   * deliveries that are not tried again. `turns`: an agent's failed turns of the last hour. `model`: calls of a model fail. `storage`: the store of
   * uploaded files fails. `backup`: the scheduled backup failed or is overdue. `character`: a character file
   * defines no agent. `fault`: a fault of the server in the last day, of which a record
   * exists.
   */
  kind!: 'plugin' | 'component' | 'deliveries' | 'turns' | 'model' | 'storage' | 'backup' | 'character' | 'fault';
  /** Name of the plugin, agent or model that is concerned, the address of the store, the place of the backups, the character file, or the kind of a fault. */
  subject!: string;
  /** One sentence. */
  message!: string;
  /** The latest reason, or what to do. */
  details!: string;
  /** Number of failures, up to 1,000. */
  count!: number;
  /** Time of the latest failure, epoch ms; null when it is not known. */
  at!: number | null;
  plugin?: string;
  agentId?: string;
}

/** The present problems. */
export class ProblemsView {
  problems!: ProblemView[];
}

export class VersionView {
  version!: string;
  source!: 'server';
  /** @format date-time */
  timestamp!: string;
  environment!: string;
  /** Seconds since the server started. */
  uptime!: number;
}
