// Operations by noun, for completion and for reading: each is a `call`.
import type { ApiClient, Body, Query, StreamOptions } from './api-client.js';
import { agentIdOf } from './agent-id.js';
import type { ChannelMessage } from './events.js';
import { messageOf } from './history.js';
import { userId } from './ids.js';
import { addKnowledge, type KnowledgeOptions, type KnowledgeSource } from './knowledge.js';

/** @internal */
export const agents = (api: ApiClient) => ({
  list: (query?: Query<'GET /api/agents'>) => api.call('GET /api/agents', { query }),
  get: (agentId: string) => api.call('GET /api/agents/{agentId}', { path: { agentId } }),
  /** The id of an agent that is named by its id or its name. */
  idOf: (agent: string) => agentIdOf(api, agent),
  create: (body: Body<'POST /api/agents'>) => api.call('POST /api/agents', { body }),
  update: (agentId: string, body: Body<'PATCH /api/agents/{agentId}'>) =>
    api.call('PATCH /api/agents/{agentId}', { path: { agentId }, body }),
  delete: (agentId: string) => api.call('DELETE /api/agents/{agentId}', { path: { agentId } }),
  start: (agentId: string) => api.call('POST /api/agents/{agentId}/start', { path: { agentId } }),
  stop: (agentId: string) => api.call('POST /api/agents/{agentId}/stop', { path: { agentId } }),
  /** The actions and tools that its model could call for a message, and those that it could not, with the reason. */
  actions: (agentId: string, text?: string) => api.call('GET /api/agents/{agentId}/actions', { path: { agentId }, query: { text } }),
});

/** @internal */
export const sessions = (api: ApiClient) => ({
  list: (query?: Query<'GET /api/messaging/sessions'>) => api.call('GET /api/messaging/sessions', { query }),
  get: (sessionId: string) => api.call('GET /api/messaging/sessions/{sessionId}', { path: { sessionId } }),
  renew: (sessionId: string) => api.call('POST /api/messaging/sessions/{sessionId}/renew', { path: { sessionId } }),
  end: (sessionId: string) => api.call('DELETE /api/messaging/sessions/{sessionId}', { path: { sessionId } }),
});

/** @internal */
export const channels = (api: ApiClient) => ({
  list: async (messageServerId = DEFAULT_SERVER_ID) => {
    const path = { messageServerId };
    const response = await api.call('GET /api/messaging/message-servers/{messageServerId}/channels', { path });
    return 'channels' in response ? response.channels : response;
  },
  get: (channelId: string) => api.call('GET /api/messaging/channels/{channelId}', { path: { channelId } }),
  create: (body: Body<'POST /api/messaging/channels'>) => api.call('POST /api/messaging/channels', { body }),
  update: (channelId: string, body: Body<'PATCH /api/messaging/channels/{channelId}'>) =>
    api.call('PATCH /api/messaging/channels/{channelId}', { path: { channelId }, body }),
  delete: (channelId: string) => api.call('DELETE /api/messaging/channels/{channelId}', { path: { channelId } }),
  /** Deletes all messages. */
  clear: (channelId: string) => api.call('DELETE /api/messaging/channels/{channelId}/messages', { path: { channelId } }),
  /** Ids of the participants. */
  participants: async (channelId: string): Promise<readonly string[]> => {
    const response = await api.call('GET /api/messaging/channels/{channelId}/participants', { path: { channelId } });
    return response as readonly string[];
  },
  agents: (channelId: string) => api.call('GET /api/messaging/channels/{channelId}/agents', { path: { channelId } }),
  addAgent: (channelId: string, agentId: string) =>
    api.call('POST /api/messaging/channels/{channelId}/agents', { path: { channelId }, body: { agentId } }),
  removeAgent: (channelId: string, agentId: string) =>
    api.call('DELETE /api/messaging/channels/{channelId}/agents/{agentId}', { path: { channelId, agentId } }),
  /** Everything that happens in a channel, in order and once; after a cut it goes on by itself. */
  events: (channelId: string, options?: StreamOptions) => api.events(channelId, options),
});

const DEFAULT_SERVER_ID = '00000000-0000-0000-0000-000000000000';

/** @internal */
export const messages = (api: ApiClient) => ({
  /** A page, newest first. */
  list: (channelId: string, query?: Query<'GET /api/messaging/channels/{channelId}/messages'>) =>
    api.call('GET /api/messaging/channels/{channelId}/messages', { path: { channelId }, query }),
  /** Posts a message of any user. */
  post: (channelId: string, user: string, content: string, more: Partial<Body<'POST /api/messaging/channels/{channelId}/messages'>> = {}) =>
    api.call('POST /api/messaging/channels/{channelId}/messages', {
      path: { channelId },
      body: { ...more, content, author_id: userId(user) },
    }),
  get: async (messageId: string): Promise<ChannelMessage> =>
    messageOf(await api.call('GET /api/messaging/messages/{messageId}', { path: { messageId } })),
  edit: async (messageId: string, content: string): Promise<ChannelMessage> =>
    messageOf(await api.call('PATCH /api/messaging/messages/{messageId}', { path: { messageId }, body: { content } })),
  delete: (channelId: string, messageId: string) =>
    api.call('DELETE /api/messaging/channels/{channelId}/messages/{messageId}', { path: { channelId, messageId } }),
  /** Stops the replies to a message that are still being made. */
  stop: (channelId: string, messageId: string) =>
    api.call('POST /api/messaging/channels/{channelId}/messages/{messageId}/cancel', { path: { channelId, messageId } }),
  search: (body: Body<'POST /api/messaging/messages/search'>) => api.call('POST /api/messaging/messages/search', { body }),
});

/** @internal */
export const memories = (api: ApiClient) => ({
  list: (agentId: string, query?: Query<'GET /api/agents/{agentId}/memories'>) =>
    api.call('GET /api/agents/{agentId}/memories', { path: { agentId }, query }),
  get: (agentId: string, memoryId: string) => api.call('GET /api/agents/{agentId}/memories/{memoryId}', { path: { agentId, memoryId } }),
  update: (agentId: string, memoryId: string, body: Body<'PATCH /api/agents/{agentId}/memories/{memoryId}'>) =>
    api.call('PATCH /api/agents/{agentId}/memories/{memoryId}', { path: { agentId, memoryId }, body }),
  delete: (agentId: string, memoryId: string) =>
    api.call('DELETE /api/agents/{agentId}/memories/{memoryId}', { path: { agentId, memoryId } }),
  history: (agentId: string, memoryId: string) =>
    api.call('GET /api/agents/{agentId}/memories/{memoryId}/history', { path: { agentId, memoryId } }),
  undo: (agentId: string, memoryId: string, body: Body<'POST /api/agents/{agentId}/memories/{memoryId}/undo'> = {}) =>
    api.call('POST /api/agents/{agentId}/memories/{memoryId}/undo', { path: { agentId, memoryId }, body }),
  /**
   * What an agent would recall for a text, and what it would leave out.
   *
   * @param user the author of the text; without one, only the agent's own facts and documents are searched
   */
  recall: (agentId: string, text: string, user?: string) =>
    api.call('POST /api/memory/{agentId}/recall', {
      path: { agentId },
      body: { text, ...(user !== undefined && { userId: userId(user) }) },
    }),
});

/** @internal */
export const knowledge = (api: ApiClient) => ({
  list: (agentId: string, query?: Query<'GET /api/agents/{agentId}/knowledge'>) =>
    api.call('GET /api/agents/{agentId}/knowledge', { path: { agentId }, query }),
  get: (agentId: string, documentId: string) =>
    api.call('GET /api/agents/{agentId}/knowledge/{documentId}', { path: { agentId, documentId } }),
  delete: (agentId: string, documentId: string) =>
    api.call('DELETE /api/agents/{agentId}/knowledge/{documentId}', { path: { agentId, documentId } }),
  /** Adds a document and waits until the agent knows it. @throws ParleyError when it can't be read */
  add: (agentId: string, source: KnowledgeSource, options?: KnowledgeOptions) => addKnowledge(api, agentId, source, options),
});

/** @internal */
export const runs = (api: ApiClient) => ({
  list: (agentId: string, query?: Query<'GET /api/agents/{agentId}/runs'>) =>
    api.call('GET /api/agents/{agentId}/runs', { path: { agentId }, query }),
  get: (agentId: string, runId: string) => api.call('GET /api/agents/{agentId}/runs/{runId}', { path: { agentId, runId } }),
});

/** @internal */
export const logs = (api: ApiClient) => ({
  ofServer: (query?: Query<'GET /api/server/logs'>) => api.call('GET /api/server/logs', { query }),
  ofAgent: (agentId: string, query?: Query<'GET /api/agents/{agentId}/logs'>) =>
    api.call('GET /api/agents/{agentId}/logs', { path: { agentId }, query }),
});

/** @internal */
export const plugins = (api: ApiClient) => ({
  list: () => api.call('GET /api/plugins'),
  deliveries: (name: string, query?: Query<'GET /api/plugins/{name}/deliveries'>) =>
    api.call('GET /api/plugins/{name}/deliveries', { path: { name }, query }),
  replay: (name: string, id: string) => api.call('POST /api/plugins/{name}/deliveries/{id}/replay', { path: { name, id } }),
});

/** @internal */
export const keys = (api: ApiClient) => ({
  list: () => api.call('GET /api/keys'),
  create: (body: Body<'POST /api/keys'>) => api.call('POST /api/keys', { body }),
  revoke: (keyId: string) => api.call('DELETE /api/keys/{keyId}', { path: { keyId } }),
});

/** @internal */
export const audio = (api: ApiClient) => ({
  /** Speech in the voice of an agent, as an audio file. */
  speak: (agentId: string, text: string, more: Partial<Body<'POST /api/audio/{agentId}/speech/generate'>> = {}) =>
    api.blob('POST /api/audio/{agentId}/speech/generate', { path: { agentId }, body: { ...more, text } }),
  /** The words of a recording. */
  transcribe: (agentId: string, recording: Blob, language?: string) => {
    const body = new FormData();
    body.append('file', recording, 'recording');
    if (language !== undefined) body.append('language', language);
    return api.call('POST /api/audio/{agentId}/transcriptions', { path: { agentId }, body });
  },
  voices: (agentId: string) => api.call('GET /api/audio/{agentId}/voices', { path: { agentId } }),
});

/** @internal */
export const users = (api: ApiClient) => ({
  /** The id of a user that is named by any text. */
  idOf: userId,
  /** What an agent knows of a user. */
  profile: (agentId: string, user: string) =>
    api.call('GET /api/memory/{agentId}/users/{userId}/profile', { path: { agentId, userId: userId(user) } }),
  export: (user: string) => api.call('GET /api/users/{userId}/export', { path: { userId: userId(user) } }),
  /** Begins to delete everything that is known of a user. */
  forget: (user: string) => api.call('POST /api/users/{userId}/forget', { path: { userId: userId(user) } }),
  forgetting: (user: string, requestId: string) =>
    api.call('GET /api/users/{userId}/forget/{requestId}', { path: { userId: userId(user), requestId } }),
});

/** @internal */
export const server = (api: ApiClient) => ({
  status: () => api.call('GET /api/server/status'),
  /** The present problems, for administrators. */
  problems: () => api.call('GET /api/server/problems'),
  /** Figures over time. */
  statistics: (query?: Query<'GET /api/server/statistics'>) => api.call('GET /api/server/statistics', { query }),
  health: () => api.call('GET /api/server/health'),
  version: () => api.call('GET /api/system/version'),
});
