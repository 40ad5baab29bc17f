import { address, choice, integer, secret, text } from './settings.js';

/** Who writes the replies and turns texts into vectors; part of SETTINGS. */
export const MODEL_SETTINGS = {
  modelProvider: choice('MODEL_PROVIDER', 'auto', ['auto', 'openai', 'anthropic', 'ollama', 'offline'], {
    editable: true,
    about: 'Who writes the replies; auto takes the first that is configured, else the offline responder.',
  }),
  modelSupportsImages: choice('MODEL_SUPPORTS_IMAGES', 'auto', ['auto', 'true', 'false'], {
    editable: true,
    about:
      "Whether attached pictures are sent to the chat model; auto goes by the model's name, an agent's setting supportsImages comes first.",
  }),
  modelSupportsDocuments: choice('MODEL_SUPPORTS_DOCUMENTS', 'auto', ['auto', 'true', 'false'], {
    editable: true,
    about: 'Whether attached PDF documents are sent to the chat model; otherwise as MODEL_SUPPORTS_IMAGES, with supportsDocuments.',
  }),
  modelRetries: integer(
    'MODEL_RETRIES',
    3,
    { min: 0, max: 10 },
    { editable: true, about: 'Further tries when a model answers 429 or 5xx or cannot be reached.' },
  ),
  modelTimeoutMs: integer(
    'MODEL_TIMEOUT_MS',
    60_000,
    { min: 1000, max: 3_600_000 },
    { editable: true, about: 'Time that one call of a model may take, ms.' },
  ),
  openaiKey: secret('OPENAI_API_KEY', { editable: true, about: 'Key for OpenAI or any compatible service.' }),
  openaiBaseUrl: address('OPENAI_BASE_URL', 'https://api.openai.com/v1', {
    about: 'Base address of an OpenAI-compatible service; setting it is enough to choose it, with or without a key.',
  }),
  openaiModel: text('OPENAI_MODEL', 'gpt-4o-mini', { editable: true, about: 'Chat model of that service.' }),
  anthropicKey: secret('ANTHROPIC_API_KEY', { editable: true, about: 'Key for Anthropic.' }),
  anthropicBaseUrl: address('ANTHROPIC_BASE_URL', 'https://api.anthropic.com/v1', { about: 'Base address of Anthropic.' }),
  anthropicModel: text('ANTHROPIC_MODEL', 'claude-sonnet-4-5', { editable: true, about: 'Chat model of Anthropic.' }),
  ollamaBaseUrl: address('OLLAMA_BASE_URL', 'http://127.0.0.1:11434/v1', {
    about: 'OpenAI-compatible address of Ollama; setting it, or OLLAMA_MODEL, chooses Ollama.',
  }),
  ollamaModel: text('OLLAMA_MODEL', 'llama3.2', { editable: true, about: 'Chat model of Ollama.' }),
  embeddingProvider: choice('EMBEDDING_PROVIDER', 'embedded', ['embedded', 'openai', 'none'], {
    about: 'Who turns texts into vectors for recall: the built-in English sentence encoder, OPENAI_BASE_URL, or nobody.',
  }),
  recallTimeoutMs: integer(
    'RECALL_TIMEOUT_MS',
    1000,
    { min: 10, max: 60_000 },
    { about: 'Time that an answer waits for memories that fit, ms; those that have no vectors by then are found by their words.' },
  ),
  embeddingModel: text('OPENAI_EMBEDDING_MODEL', 'text-embedding-3-small', { about: 'Embedding model when EMBEDDING_PROVIDER is openai.' }),
} as const;
