import { expect } from '@jest/globals';
import type { ApiResponse } from '../../support/api-client.js';
import type { ContractApp } from './contract-app.js';
import { unlike } from './samples.js';

const CHAT = '/v1/chat/completions';

export const WEATHER = {
  type: 'function',
  function: { name: 'get_weather', description: 'Of a town.', parameters: { type: 'object', properties: { town: { type: 'string' } } } },
};

/** Asks an app for chat completions. */
export class ChatCaller {
  constructor(private readonly app: ContractApp) {}

  ask = (body: object, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    this.app.api.post(CHAT, { model: 'Ada', ...body }, { headers });

  stream = async (body: object, headers: Record<string, string> = {}): Promise<{ text: string; headers: Headers }> => {
    const response = await fetch(`${this.app.test.url}${CHAT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'Ada', stream: true, ...body }),
    });
    return { text: await response.text(), headers: response.headers };
  };
}

/** A message that no other test sends. */
export function user(content: unknown = unlike('Hello')): object {
  return { role: 'user', content };
}

/** The data of the events of a stream, without the end mark, which has to be there. */
export function chunks(text: string): ReturnType<typeof JSON.parse>[] {
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => line!);
  expect(data.at(-1)).toBe('[DONE]');
  return data.slice(0, -1).map((line) => JSON.parse(line));
}
