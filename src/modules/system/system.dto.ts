/** That the process answers. */
export class AliveView {
  status!: 'ok';
  /** @format date-time */
  timestamp!: string;
}

/** That the server answers. */
export class PingView {
  pong!: true;
  /** Epoch ms. */
  timestamp!: number;
}

export class HelloView {
  message!: string;
}

/** What the server depends on. */
export class DependenciesView {
  agents!: 'healthy' | 'no_agents';
}

/** Whether the server can do its work. */
export class HealthView {
  /** `OK` while at least one agent runs. */
  status!: 'OK' | 'DEGRADED';
  version!: string;
  /** @format date-time */
  timestamp!: string;
  /** Seconds since the server started. */
  uptime!: number;
  /** Running agents. */
  agentCount!: number;
  dependencies!: DependenciesView;
  /** What each part says of itself, `database` and `models` among them; empty for callers without a credential where one is needed. */
  checks!: Record<string, unknown>;
}

export class AgentCountsView {
  total!: number;
  active!: number;
  inactive!: number;
}

/** Memory of the process. */
export class MemoryUseView {
  /** Bytes of the heap in use. */
  used!: number;
  /** Bytes of the heap. */
  total!: number;
  /** Bytes of the whole process. */
  rss!: number;
  /** `used` of `total`, percent. */
  percentage!: number;
}

export class ModelInUseView {
  provider!: string;
  model!: string;
}

/** The models that agents use unless their characters say otherwise. */
export class ModelsInUseView {
  chat!: ModelInUseView;
  /** Null when recall goes by words alone. */
  embeddings!: ModelInUseView | null;
}

export class EngineInUseView {
  provider!: string;
  engine!: string;
  /** BCP 47 primary subtags; absent when it takes any language. */
  languages?: readonly string[];
}

/** The engines that agents speak and listen with unless their characters say otherwise. */
export class SpeechInUseView {
  /** Null when there is none. */
  synthesis!: EngineInUseView | null;
  /** Null when there is none. */
  transcription!: EngineInUseView | null;
}

/** What the server is doing and with what. */
export class StatusView {
  status!: 'ok';
  /** Running agents. */
  agentCount!: number;
  /** @format date-time */
  timestamp!: string;
  agents!: AgentCountsView;
  memory!: MemoryUseView;
  /** Seconds since the server started. */
  uptime!: number;
  version!: string;
  models!: ModelsInUseView;
  speech!: SpeechInUseView;
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
