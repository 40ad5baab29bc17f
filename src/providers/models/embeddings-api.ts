import { askService, InvalidResponseError, type Service } from '../sdk/index.js';
import { endpointOf, headersOf } from './chat-apis.js';
import { isFields, parsed } from './wire/values.js';

/** Asks a service for the vectors of texts, in the order of the texts. */
export type EmbeddingsApi = (values: readonly string[], signal: AbortSignal) => Promise<number[][]>;

/** Embeddings of OpenAI and compatible services. @throws errors of `askService`; InvalidResponseError */
export function embeddingsApi({ baseUrl, key, fetch }: Service, modelId: string): EmbeddingsApi {
  const url = endpointOf(baseUrl, 'embeddings');
  const headers = { ...headersOf(key === undefined ? {} : { authorization: `Bearer ${key}` }), accept: 'application/json' };
  return async (values, signal) => {
    const input = values.map((text) => text.toWellFormed());
    const response = await askService({ url, headers, fetch }, JSON.stringify({ model: modelId, input, encoding_format: 'float' }), signal);
    return vectorsOf(parsed(await response.text()));
  };
}

function vectorsOf(body: unknown): number[][] {
  if (body === undefined) throw new InvalidResponseError('The response is no JSON.');
  const data: unknown = isFields(body) ? body['data'] : undefined;
  if (!Array.isArray(data)) throw new InvalidResponseError('The response has no data.');
  const entries = data.map((entry: unknown, position) => {
    const { embedding, index } = isFields(entry) ? entry : {};
    if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === 'number')) {
      throw new InvalidResponseError('An embedding of the response is no array of numbers.');
    }
    return { embedding, index: typeof index === 'number' ? index : position };
  });
  return entries.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
}
