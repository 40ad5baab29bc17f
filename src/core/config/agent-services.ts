/** The services for which an agent's settings may name an address and a key of its own. */
export const AGENT_SERVICES = {
  openai: { address: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY' },
  anthropic: { address: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_API_KEY' },
  ollama: { address: 'OLLAMA_BASE_URL', key: undefined },
  openaiAudio: { address: 'OPENAI_AUDIO_BASE_URL', key: 'OPENAI_API_KEY' },
  elevenlabs: { address: 'ELEVENLABS_BASE_URL', key: 'ELEVENLABS_API_KEY' },
} as const;

/** What an agent names for one service; at least one of the two. */
export interface OwnService {
  /** Base address; without one the key is for the operator's address. */
  readonly address?: string;
  /** Without one the agent's address is asked without a key. */
  readonly key?: string;
}

/** The services of which an agent names something. */
export type OwnServices = Readonly<Partial<Record<keyof typeof AGENT_SERVICES, OwnService>>>;
