import { address, choice, integer, secret, text, type SettingValues } from '../../core/config/index.js';

export const MODELS_SETTINGS = {
  modelProvider: choice('MODEL_PROVIDER', 'auto', ['auto', 'openai', 'anthropic', 'ollama', 'offline'], {
    editable: true,
    about: 'Language model provider; auto selects the first that is configured, otherwise the offline responder.',
  }),
  modelSupportsImages: choice('MODEL_SUPPORTS_IMAGES', 'auto', ['auto', 'true', 'false'], {
    editable: true,
    about:
      "Whether the chat model receives attached pictures; auto decides by the model's name. An agent's setting supportsImages takes precedence.",
  }),
  modelSupportsDocuments: choice('MODEL_SUPPORTS_DOCUMENTS', 'auto', ['auto', 'true', 'false'], {
    editable: true,
    about:
      "Whether the chat model receives attached PDF documents; auto decides by the model's name. An agent's setting supportsDocuments takes precedence.",
  }),
  modelRetries: integer(
    'MODEL_RETRIES',
    3,
    { min: 0, max: 10 },
    {
      editable: true,
      about:
        'Retries when a model returns 429 or 5xx, or is unreachable. Refusals with Retry-After do not count: the call waits, up to ten minutes within a turn.',
    },
  ),
  modelTimeoutMs: integer(
    'MODEL_TIMEOUT_MS',
    60_000,
    { min: 1000, max: 3_600_000 },
    {
      editable: true,
      about:
        'Longest silence of a model, before the first and between two events of its response, ms. For speech: the time limit of a call.',
    },
  ),
  modelTotalTimeoutMs: integer(
    'MODEL_TOTAL_TIMEOUT_MS',
    0,
    { min: 0, max: 3_600_000 },
    { editable: true, about: 'Time limit of a model call with all its retries, ms. 0 for none.' },
  ),
  openaiKey: secret('OPENAI_API_KEY', { editable: true, about: 'API key for OpenAI or a compatible service.' }),
  openaiBaseUrl: address('OPENAI_BASE_URL', 'https://api.openai.com/v1', {
    about: 'Base URL of an OpenAI-compatible service. Setting it selects the service, with or without a key.',
  }),
  openaiModel: text('OPENAI_MODEL', 'gpt-4o-mini', { editable: true, about: 'Chat model of the OpenAI-compatible service.' }),
  anthropicKey: secret('ANTHROPIC_API_KEY', { editable: true, about: 'API key for Anthropic.' }),
  anthropicBaseUrl: address('ANTHROPIC_BASE_URL', 'https://api.anthropic.com/v1', { about: 'Base URL of Anthropic.' }),
  anthropicModel: text('ANTHROPIC_MODEL', 'claude-sonnet-4-5', { editable: true, about: 'Chat model of Anthropic.' }),
  ollamaBaseUrl: address('OLLAMA_BASE_URL', 'http://127.0.0.1:11434/v1', {
    about: 'OpenAI-compatible URL of Ollama. Setting it or OLLAMA_MODEL selects Ollama.',
  }),
  ollamaModel: text('OLLAMA_MODEL', 'llama3.2', { editable: true, about: 'Chat model of Ollama.' }),
  embeddingProvider: choice('EMBEDDING_PROVIDER', 'embedded', ['embedded', 'openai', 'none'], {
    about: 'Embedding provider for recall: the built-in English sentence encoder, the service at OPENAI_BASE_URL, or none.',
  }),
  embeddingModel: text('OPENAI_EMBEDDING_MODEL', 'text-embedding-3-small', { about: 'Embedding model when EMBEDDING_PROVIDER is openai.' }),
} as const;

type ModelConfig = SettingValues<typeof MODELS_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends ModelConfig {}
}
