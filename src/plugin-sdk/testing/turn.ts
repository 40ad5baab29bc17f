import type { ActionResult } from '../components.js';
import type { Content, Memory, State } from '../conversation.js';
import type { Plugin } from '../plugin.js';
import type { AgentRuntime } from '../runtime.js';
import type { TestTurn } from '../testing-types.js';

const idOf = (part: string): string => `00000000-0000-4000-8000-${part.padStart(12, '0')}`;

/** @throws Error that names the plugin's parts of this kind */
export function namedPart<T extends { readonly name: string }>(
  { name: plugin }: Plugin,
  kind: string,
  all: readonly T[] = [],
  name: string,
): T {
  const found = all.find((part) => part.name === name);
  if (found) return found;
  const others = all.length === 0 ? 'it has none' : `it has ${all.map((part) => part.name).join(', ')}`;
  throw new Error(`plugin ${plugin} has no ${kind} ${name}: ${others}`);
}

/** The message of a turn as the server passes it to components. */
export function messageOf({ agentId }: AgentRuntime, { text = '', message = {} }: TestTurn): Memory {
  return {
    id: idOf('a1'),
    entityId: idOf('a2'),
    agentId,
    roomId: idOf('a3'),
    worldId: idOf('a4'),
    channelId: idOf('a5'),
    vouched: true,
    metadata: { type: 'message', entityName: 'Test user' },
    createdAt: 0,
    ...message,
    content: { text, source: 'client_chat', channelType: 'DM', ...message.content },
  };
}

/** A message of the agent that replies to another. */
export function replyOf({ agentId }: AgentRuntime, message: Memory, content: Content, count: number): Memory {
  const { roomId, channelId, id: inReplyTo } = message;
  return { id: idOf(`b${count}`), entityId: agentId, agentId, roomId, channelId, content: { ...content, inReplyTo }, createdAt: 0 };
}

export function stateOf({ state = {} }: TestTurn): State {
  return { values: {}, data: { providers: {} }, text: '', ...state };
}

/** A handler's return value as the server shows it to the model. */
export function actionResult(returned: unknown): ActionResult {
  if (typeof returned === 'string') return { success: true, text: returned };
  if (typeof returned !== 'object' || returned === null) return { success: returned !== false };
  const { success = true, text, values, data, error } = returned as ActionResult;
  return {
    success,
    ...(text === undefined ? {} : { text }),
    ...(values === undefined ? {} : { values }),
    ...(data === undefined ? {} : { data }),
    ...(error === undefined ? {} : { error: error instanceof Error ? error.message : error }),
  };
}
