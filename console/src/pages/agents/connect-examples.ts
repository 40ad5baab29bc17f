// Programs that talk to an agent in the protocols of others.
import type { AgentEntry } from 'parley-client';
import type { Example } from '../../parley-example.js';

export interface ModelExample extends Example {
  /** What the field `model` of requests has. */
  readonly model: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A name that fits in one line of a program. */
const USABLE_NAME = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u;

/** The name of an agent if it identifies the agent, else its id: what `GET /v1/models` lists. */
export function modelOf(id: string, name: string, agents: readonly Pick<AgentEntry, 'id' | 'name'>[]): string {
  const isShared = agents.some((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase());
  return isShared || UUID.test(name) || !USABLE_NAME.test(name) ? id : name;
}

export function curlExample({ url, model, needsKey }: ModelExample): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] });
  return `curl -s ${url}/v1/chat/completions${needsKey ? ' -H "Authorization: Bearer $PARLEY_KEY"' : ''} \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'`;
}

export function openaiExample({ url, model, needsKey }: ModelExample): string {
  return `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${url}/v1', apiKey: ${keyOf(needsKey)} });
const completion = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(completion.choices[0].message.content);`;
}

export function anthropicExample({ url, model, needsKey }: ModelExample): string {
  return `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: '${url}', apiKey: ${keyOf(needsKey)} });
const message = await client.messages.create({
  model: ${quoted(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello!' }],
});
for (const block of message.content) if (block.type === 'text') console.log(block.text);`;
}

export function useChatExample({ url, agentId, needsKey }: Example): string {
  const headers = needsKey ? "\n  headers: () => ({ Authorization: 'Bearer ' + userToken() })," : '';
  return `import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';

const transport = new DefaultChatTransport({
  api: '${url}/api/agents/${agentId}/chat',${headers}
});

export function Chat() {
  const { messages, sendMessage, status } = useChat({ transport });
  return (
    <>
      {messages.map(({ id, role, parts }) => (
        <p key={id}>
          {role}: {parts.map((part) => (part.type === 'text' ? part.text : ''))}
        </p>
      ))}
      <button disabled={status !== 'ready'} onClick={() => sendMessage({ text: 'Hello!' })}>
        Say hello
      </button>
    </>
  );
}`;
}

function keyOf(needsKey: boolean): string {
  return needsKey ? 'process.env.PARLEY_KEY' : "'none'";
}

/** A text of JavaScript. */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, String.raw`\$&`)}'`;
}
