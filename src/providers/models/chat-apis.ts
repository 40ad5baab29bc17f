import type { Service } from '../sdk/index.js';
import type { ChatRequest } from './chat-model.js';
import { writeAnthropic } from './wire/anthropic-writer.js';
import type { Dialect } from './wire/response-reader.js';
import { writeCompletions } from './wire/completions-writer.js';
import type { ModelTraits } from './wire/model-traits.js';

const ANTHROPIC_VERSION = '2023-06-01';

/** The API of a service for chat models. */
export interface ChatApi {
  readonly dialect: Dialect;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  /** The body of a request, as JSON text. */
  write(request: ChatRequest, modelId: string, traits: ModelTraits): string;
}

/** Chat completions of OpenAI and compatible services. */
export function completionsApi(service: Service): ChatApi {
  const { baseUrl, key, fetch } = service;
  return {
    dialect: 'chat-completions',
    url: endpointOf(baseUrl, 'chat/completions'),
    headers: headersOf(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    fetch,
    write: (request, modelId, traits) => JSON.stringify(writeCompletions(request, modelId, traits)),
  };
}

/** Messages of Anthropic and compatible services. */
export function anthropicApi(service: Service): ChatApi {
  const { baseUrl, key, fetch } = service;
  return {
    dialect: 'anthropic',
    url: endpointOf(baseUrl, 'messages'),
    headers: headersOf({ 'anthropic-version': ANTHROPIC_VERSION, ...(key === undefined ? {} : { 'x-api-key': key }) }),
    fetch,
    write: (request, modelId, traits) => JSON.stringify(writeAnthropic(request, modelId, traits)),
  };
}

/** The address of an operation. A query of the base address, such as the `api-version` of Azure, is kept. */
export function endpointOf(baseUrl: string, operation: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${operation}`;
  return url.href;
}

export function headersOf(more: Readonly<Record<string, string>>): Record<string, string> {
  return { 'content-type': 'application/json', accept: 'text/event-stream, application/json', ...more };
}
