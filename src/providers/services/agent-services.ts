/** The external services for which an agent's settings may name another address and key: the names of these settings. */
export const AGENT_SERVICES = {
  openai: { address: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY' },
  anthropic: { address: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_API_KEY' },
  ollama: { address: 'OLLAMA_BASE_URL', key: undefined },
  openaiAudio: { address: 'OPENAI_AUDIO_BASE_URL', key: 'OPENAI_API_KEY' },
  elevenlabs: { address: 'ELEVENLABS_BASE_URL', key: 'ELEVENLABS_API_KEY' },
} as const;

/** An agent's own address and key for one service; at least one of the two is set. */
export interface ServiceOverride {
  /** Base address. Without one, the key is used with the operator's address. */
  readonly address?: string;
  /** Without one, requests to the agent's address carry no key. */
  readonly key?: string;
}

/** An agent's overrides by service. */
export type ServiceOverrides = Readonly<Partial<Record<keyof typeof AGENT_SERVICES, ServiceOverride>>>;
