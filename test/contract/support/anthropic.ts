import { expect } from '@jest/globals';
import type { ChatMessage } from '../../../src/providers/models/index.js';
import type { ApiResponse } from '../../support/api-client.js';
import { allEvents, type ServerEvent } from '../../support/sse-client.js';
import { png } from '../../support/uploads.js';
import type { ContractApp } from './contract-app.js';
import { unlike } from './samples.js';

export const MESSAGES = '/v1/messages';
export const WEATHER = {
  name: 'get_weather',
  description: 'Of a town.',
  input_schema: { type: 'object', properties: { town: { type: 'string' } } },
};
export const PIXEL = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png().toString('base64') } };

export const user = (content: unknown = unlike('Hello')): object => ({ role: 'user', content });
export const text = (said: string, more: object = {}): object => ({ type: 'text', text: said, ...more });
export const answered = (...content: object[]): object => ({ role: 'assistant', content });
export const saidIn = (events: readonly ServerEvent[]): string => events.map(({ data }) => data.delta?.text ?? '').join('');

/** Asks Ada over Anthropic's protocol. */
export class AnthropicCaller {
  constructor(private readonly app: ContractApp) {}

  ask = (body: object, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    this.app.api.post(MESSAGES, { model: 'Ada', max_tokens: 100, ...body }, { headers });

  /** The events of a stream, each of which has the name of its type. */
  stream = async (body: object, headers: Record<string, string> = {}): Promise<{ events: ServerEvent[]; headers: Headers }> => {
    const response = await fetch(`${this.app.test.url}${MESSAGES}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'Ada', max_tokens: 100, stream: true, ...body }),
    });
    const events = await allEvents(response);
    expect(events.map(({ event }) => event)).toEqual(events.map(({ data }) => data.type));
    return { events, headers: response.headers };
  };

  /** The conversation of the model's last request, without the instructions. */
  asked = (): ChatMessage[] => this.app.test.model.requests.at(-1)!.messages.slice(1);
}
