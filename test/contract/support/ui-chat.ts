import { readUiStream, type UiMessage } from '../../support/ui-stream.js';
import type { ContractApp } from './contract-app.js';

type Loose = Record<string, ReturnType<typeof JSON.parse>>;

/** A message as a page sends it. */
export interface Said {
  id: string;
  role: string;
  parts: Loose[];
}

/** The message that a page makes of a stream. */
export interface Answer extends UiMessage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

let count = 0;

/** Sends requests as `DefaultChatTransport` does. */
export class UiChatCaller {
  constructor(private readonly app: ContractApp) {}

  /** As `sendMessages`. */
  send = (id: string, messages: readonly object[], body: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${this.app.test.url}/api/agents/Ada/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id, messages, trigger: 'submit-message', ...body }),
    });

  ask = async (...of: Parameters<UiChatCaller['send']>): Promise<Answer> => read(await this.send(...of));

  /** As `reconnectToStream`. */
  resume = (id: string): Promise<Response> => fetch(`${this.app.test.url}/api/agents/Ada/chat/${encodeURIComponent(id)}/stream`);

  /** What the model got of the conversation of the last request. */
  prompt = (): object[] =>
    this.app.test.model.requests
      .at(-1)!
      .messages.slice(1)
      .map(({ role, content }) => ({ role, content }));
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return { ...readUiStream(text), status: response.status, headers: response.headers, text };
}

export function user(text = `Hello ${++count}`, ...parts: object[]): Said {
  return { id: `m${++count}`, role: 'user', parts: [{ type: 'text', text }, ...(parts as Loose[])] };
}

/** The answer as a page sends it back. */
export function saidOf({ id, parts }: UiMessage): Said {
  return { id, role: 'assistant', parts };
}

export function newChat(): string {
  return `chat-${++count}`;
}

export function textOf({ parts }: Pick<UiMessage, 'parts'>): string {
  return parts.map(({ type, text }) => (type === 'text' ? text : '')).join('');
}
