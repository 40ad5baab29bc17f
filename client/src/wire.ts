// Made by npm run docs from docs/reference/openapi.json.

/** The operations of the server by method and path. `data` is what the envelope of an answer holds. */
export interface Operations {
  /** Lists the API keys, newest first, without their texts. */
  'GET /api/keys': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: KeysView;
  };
  /** Creates an API key. Only this response contains its text. */
  'POST /api/keys': {
    path: undefined;
    query: undefined;
    body: CreateKeyBody;
    data: CreatedKeyView;
  };
  /** Revokes an API key, immediately and permanently. */
  'DELETE /api/keys/{keyId}': {
    path: { keyId: string };
    query: undefined;
    body: undefined;
    data: KeyView;
  };
  /** Worlds of all agents, oldest first. */
  'GET /api/agents/worlds': {
    path: undefined;
    query: { /** Only the worlds of this agent. */ agentId?: string | number | undefined; /** Page size, 1 to 1000 (1000 when absent). */ limit?: number | undefined; /** `nextCursor` of the page before. */ after?: string | number | undefined };
    body: undefined;
    data: WorldsView;
  };
  /** Creates a room of a message server for each agent. Returns a list of rooms, or `{ worldId, rooms }` when the body names no agents. */
  'POST /api/memory/groups/{messageServerId}': {
    path: { messageServerId: string };
    query: undefined;
    body: CreateGroupBody;
    data: readonly (GroupRoomView)[] | GroupView;
  };
  /** Deletes the rooms of a world or message server with their memories; rooms that follow channels stay, empty. */
  'DELETE /api/memory/groups/{messageServerId}': {
    path: { messageServerId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Deletes all agents' memories of a world or message server. */
  'DELETE /api/memory/groups/{messageServerId}/memories': {
    path: { messageServerId: string };
    query: undefined;
    body: undefined;
    data: DeletedGroupMemoriesView;
  };
  /** Creates a world for an agent. With a `worldId` instead of a name, the agent joins that world. */
  'POST /api/agents/{agentId}/worlds': {
    path: { agentId: string };
    query: undefined;
    body: CreateWorldBody;
    data: CreatedWorldView;
  };
  /** Changes a world of an agent. */
  'PATCH /api/agents/{agentId}/worlds/{worldId}': {
    path: { agentId: string; worldId: string };
    query: undefined;
    body: UpdateWorldBody;
    data: UpdatedWorldView;
  };
  /** Rooms of an agent, oldest first. */
  'GET /api/agents/{agentId}/rooms': {
    path: { agentId: string };
    query: { worldId?: string | number | undefined; channelId?: string | number | undefined; /** Page size, 1 to 1000 (1000 when absent). */ limit?: number | undefined; /** `nextCursor` of the page before. */ after?: string | number | undefined };
    body: undefined;
    data: RoomsView;
  };
  /** Creates a room for an agent. */
  'POST /api/agents/{agentId}/rooms': {
    path: { agentId: string };
    query: undefined;
    body: CreateRoomBody;
    data: RoomView;
  };
  /** A room of an agent, by its id or by the id of the channel that it follows. */
  'GET /api/agents/{agentId}/rooms/{roomId}': {
    path: { agentId: string; roomId: string };
    query: undefined;
    body: undefined;
    data: RoomDetailsView;
  };
  /** Renames a room of an agent, or merges metadata into its own. */
  'PATCH /api/agents/{agentId}/rooms/{roomId}': {
    path: { agentId: string; roomId: string };
    query: undefined;
    body: UpdateRoomBody;
    data: RoomView;
  };
  /** Deletes a room with its memories. */
  'DELETE /api/agents/{agentId}/rooms/{roomId}': {
    path: { agentId: string; roomId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** The summary of a long conversation, and the messages that it summarises. The id of a channel selects the room that follows it. */
  'GET /api/agents/{agentId}/rooms/{roomId}/summary': {
    path: { agentId: string; roomId: string };
    query: undefined;
    body: undefined;
    data: SummaryView;
  };
  /** An agent's memories of a room, newest first. The id of a channel selects the room that follows it. */
  'GET /api/agents/{agentId}/rooms/{roomId}/memories': {
    path: { agentId: string; roomId: string };
    query: { /** Type of the memories: `messages` (default), `facts`, `documents`, … */ tableName?: string | number | undefined; /** Another name for `tableName`. */ type?: string | number | undefined; roomId?: string | number | undefined; /** The agent's room of this channel. */ channelId?: string | number | undefined; /** Author of the memories. */ entityId?: string | number | undefined; /** Text that the content contains. */ search?: string | number | undefined; /** Earliest creation time: epoch ms or an ISO 8601 instant. Alias: `start`. */ from?: string | number | undefined; start?: string | number | undefined; /** Latest creation time: epoch ms or an ISO 8601 instant. Alias: `end`. */ to?: string | number | undefined; end?: string | number | undefined; /** Older than this: a time, or `nextCursor` of an earlier page. */ before?: string | number | undefined; /** Newer than this: a time or a cursor; returns the adjacent page. */ after?: string | number | undefined; /** Page size, 1 to 1000 (50 when absent), or `all` for 10,000; a page without a number ends early at 1 MiB. Alias: `count`. */ limit?: string | number | undefined; count?: string | number | undefined; /** Number of memories to skip; prefer `before`. */ offset?: string | number | undefined; /** Page number, from 1; prefer `before`. */ page?: string | number | undefined; /** Adds the vector of each memory that has one. */ includeEmbedding?: "true" | "false" | undefined; /** Leaves out duplicates of earlier memories. */ unique?: "true" | "false" | undefined };
    body: undefined;
    data: MemoriesView;
  };
  /** Memories of an agent, newest first. */
  'GET /api/agents/{agentId}/memories': {
    path: { agentId: string };
    query: { /** Type of the memories: `messages` (default), `facts`, `documents`, … */ tableName?: string | number | undefined; /** Another name for `tableName`. */ type?: string | number | undefined; roomId?: string | number | undefined; /** The agent's room of this channel. */ channelId?: string | number | undefined; /** Author of the memories. */ entityId?: string | number | undefined; /** Text that the content contains. */ search?: string | number | undefined; /** Earliest creation time: epoch ms or an ISO 8601 instant. Alias: `start`. */ from?: string | number | undefined; start?: string | number | undefined; /** Latest creation time: epoch ms or an ISO 8601 instant. Alias: `end`. */ to?: string | number | undefined; end?: string | number | undefined; /** Older than this: a time, or `nextCursor` of an earlier page. */ before?: string | number | undefined; /** Newer than this: a time or a cursor; returns the adjacent page. */ after?: string | number | undefined; /** Page size, 1 to 1000 (50 when absent), or `all` for 10,000; a page without a number ends early at 1 MiB. Alias: `count`. */ limit?: string | number | undefined; count?: string | number | undefined; /** Number of memories to skip; prefer `before`. */ offset?: string | number | undefined; /** Page number, from 1; prefer `before`. */ page?: string | number | undefined; /** Adds the vector of each memory that has one. */ includeEmbedding?: "true" | "false" | undefined; /** Leaves out duplicates of earlier memories. */ unique?: "true" | "false" | undefined };
    body: undefined;
    data: MemoriesView;
  };
  /** Deletes all memories of an agent. */
  'DELETE /api/agents/{agentId}/memories': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: DeletedMemoriesView;
  };
  /** Deletes an agent's memories of a room, or of the room that follows a channel. */
  'DELETE /api/agents/{agentId}/memories/all/{roomId}': {
    path: { agentId: string; roomId: string };
    query: undefined;
    body: undefined;
    data: DeletedMemoriesView;
  };
  /** One memory of an agent, with its vector if it has one. */
  'GET /api/agents/{agentId}/memories/{memoryId}': {
    path: { agentId: string; memoryId: string };
    query: undefined;
    body: undefined;
    data: MemoryView;
  };
  /** Updates a memory of an agent, and keeps the former version in its history. */
  'PATCH /api/agents/{agentId}/memories/{memoryId}': {
    path: { agentId: string; memoryId: string };
    query: undefined;
    body: UpdateMemoryBody;
    data: UpdatedMemoryView;
  };
  /** Deletes a memory of an agent. */
  'DELETE /api/agents/{agentId}/memories/{memoryId}': {
    path: { agentId: string; memoryId: string };
    query: undefined;
    body: undefined;
    data: DeletedMemoryView;
  };
  /** The former versions of a memory, newest first: what was changed by whom, and when. */
  'GET /api/agents/{agentId}/memories/{memoryId}/history': {
    path: { agentId: string; memoryId: string };
    query: { /** Page size. Defaults to 20. */ limit?: number | undefined; /** Only versions below this number: the `nextCursor` of the previous page. */ before?: string | number | undefined };
    body: undefined;
    data: MemoryHistoryView;
  };
  /** Restores a former version of a memory. */
  'POST /api/agents/{agentId}/memories/{memoryId}/undo': {
    path: { agentId: string; memoryId: string };
    query: undefined;
    body: UndoMemoryBody;
    data: UpdatedMemoryView;
  };
  /** Details and status of every agent. The whole list has an `ETag`; a request with this tag in `If-None-Match` gets 304 while the list is the same. */
  'GET /api/agents': {
    path: undefined;
    query: { /** Page size, up to 1000; all agents when absent. */ limit?: number | undefined; /** `nextCursor` of the previous page; stays valid when agents are deleted. */ after?: string | number | undefined };
    body: undefined;
    data: AgentsView;
  };
  /** Creates an inactive agent from a character. An existing agent with the same id and name is returned unchanged. */
  'POST /api/agents': {
    path: undefined;
    query: undefined;
    body: CreateAgentBody;
    data: CreatedAgentView;
  };
  /** An agent with its character; values of secrets are masked. */
  'GET /api/agents/{agentId}': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: AgentView;
  };
  /** Changes an agent's character, even while the agent is running. */
  'PATCH /api/agents/{agentId}': {
    path: { agentId: string };
    query: undefined;
    body: UpdateAgentBody;
    data: AgentView;
  };
  /** Deletes an agent with all its data. */
  'DELETE /api/agents/{agentId}': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Starts an agent. */
  'POST /api/agents/{agentId}/start': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: AgentStatusView;
  };
  /** Stops an agent and cancels its pending replies. */
  'POST /api/agents/{agentId}/stop': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: StoppedAgentView;
  };
  /** The documents of an agent, newest first. */
  'GET /api/agents/{agentId}/knowledge': {
    path: { agentId: string };
    query: { /** Page size, 1 to 100. Defaults to 50. */ limit?: number | undefined; /** The `nextCursor` of the previous page. */ cursor?: string | number | undefined };
    body: undefined;
    data: DocumentsView;
  };
  /** Adds a document to an agent: a file, a text, or the address of a document. */
  'POST /api/agents/{agentId}/knowledge': {
    path: { agentId: string };
    query: undefined;
    body: DocumentBody | FormData | undefined;
    data: DocumentView;
  };
  /** Streams the progress of an agent's documents as server-sent events, from now on, without end. */
  'GET /api/agents/{agentId}/knowledge/events': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** A document of an agent, with the places of its pieces in order. */
  'GET /api/agents/{agentId}/knowledge/{documentId}': {
    path: { agentId: string; documentId: string };
    query: { /** Number of places, 1 to 100. Defaults to 50. */ limit?: number | undefined; /** The `nextCursor` of the previous page: the position of its last piece. */ cursor?: string | number | undefined };
    body: undefined;
    data: DocumentDetailsView;
  };
  /** Replaces the content of a document. Pieces that have not changed stay; a document from the web is downloaded again. */
  'PUT /api/agents/{agentId}/knowledge/{documentId}': {
    path: { agentId: string; documentId: string };
    query: undefined;
    body: DocumentBody | FormData | undefined;
    data: DocumentView;
  };
  /** Deletes a document with its pieces. */
  'DELETE /api/agents/{agentId}/knowledge/{documentId}': {
    path: { agentId: string; documentId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** All message servers, or a page of them with `limit`. */
  'GET /api/messaging/message-servers': {
    path: undefined;
    query: { /** Page size, 1 to 1000; all message servers when absent. */ limit?: number | undefined; /** `nextCursor` of the previous page. */ cursor?: string | number | undefined };
    body: undefined;
    data: MessageServerListView;
  };
  /** Creates a message server. */
  'POST /api/messaging/message-servers': {
    path: undefined;
    query: undefined;
    body: CreateServerBody;
    data: NewMessageServerView;
  };
  /** Deletes a message server with its channels and their messages. */
  'DELETE /api/messaging/message-servers/{messageServerId}': {
    path: { messageServerId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** All channels of a message server, or a page of them with `limit`; `X-Next-Cursor` is the cursor of the next page. A whole list of usual length has an `ETag`; a request with this tag in `If-None-Match` gets 304 while the list is the same. */
  'GET /api/messaging/message-servers/{messageServerId}/channels': {
    path: { messageServerId: string };
    query: { /** Page size, 1 to 1000; all channels when absent. */ limit?: number | undefined; /** `X-Next-Cursor` of the previous page. */ cursor?: string | number | undefined };
    body: undefined;
    data: readonly (ChannelView)[] | ChannelListView;
  };
  /** Creates and updates the channels that mirror those of another platform. */
  'POST /api/messaging/message-servers/{messageServerId}/sync-channels': {
    path: { messageServerId: string };
    query: undefined;
    body: SyncChannelsBody;
    data: SyncedView;
  };
  /** The agents of a message server. */
  'GET /api/messaging/message-servers/{messageServerId}/agents': {
    path: { messageServerId: string };
    query: undefined;
    body: undefined;
    data: ServerAgentsView;
  };
  /** Adds an agent to a message server. */
  'POST /api/messaging/message-servers/{messageServerId}/agents': {
    path: { messageServerId: string };
    query: undefined;
    body: AgentBody;
    data: ServerAgentView;
  };
  /** Removes an agent from a message server and from all its channels. */
  'DELETE /api/messaging/message-servers/{messageServerId}/agents/{agentId}': {
    path: { messageServerId: string; agentId: string };
    query: undefined;
    body: undefined;
    data: ServerAgentView;
  };
  /** The default message server. */
  'GET /api/messaging/message-server/current': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: CurrentServerView;
  };
  /** The message servers of an agent. */
  'GET /api/messaging/agents/{agentId}/message-servers': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: AgentServersView;
  };
  /** The direct channel of two users or agents; created if it does not exist. */
  'GET /api/messaging/dm-channel': {
    path: undefined;
    query: { /** Required, except with a user token: its user when absent. */ currentUserId?: string | number | undefined; targetUserId?: string | number | undefined; /** Alias of `currentUserId`. */ userId1?: string | number | undefined; /** Alias of `targetUserId`. */ userId2?: string | number | undefined; /** The message server of the channel; the default one when absent. */ dmServerId?: string | number | undefined; /** Name of one of several direct channels of the two; the unnamed one when absent. */ name?: string | number | undefined };
    body: undefined;
    data: NewChannelView;
  };
  /** The channels in which a user takes part, with their agents, newest first. */
  'GET /api/users/{userId}/channels': {
    path: { userId: string };
    query: { /** Page size. Defaults to 50. */ limit?: number | undefined; /** The `nextCursor` of the previous page. */ cursor?: string | number | undefined };
    body: undefined;
    data: UserChannelsView;
  };
  /** Creates a channel. */
  'POST /api/messaging/channels': {
    path: undefined;
    query: undefined;
    body: CreateChannelBody;
    data: NewChannelView;
  };
  /** A channel, with its participants in the metadata. */
  'GET /api/messaging/channels/{channelId}': {
    path: { channelId: string };
    query: undefined;
    body: undefined;
    data: NewChannelView;
  };
  /** Updates channel properties. */
  'PATCH /api/messaging/channels/{channelId}': {
    path: { channelId: string };
    query: { /** `merge` merges the metadata into the stored metadata; otherwise it replaces it. */ metadata?: "merge" | undefined };
    body: UpdateChannelBody;
    data: ChannelView;
  };
  /** Deletes a channel with its messages. */
  'DELETE /api/messaging/channels/{channelId}': {
    path: { channelId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Ids of a channel's participants; objects with `?expand=true` and in the dialect eliza. */
  'GET /api/messaging/channels/{channelId}/participants': {
    path: { channelId: string };
    query: { /** `true` returns objects instead of ids. */ expand?: "true" | "false" | undefined };
    body: undefined;
    data: readonly (string)[] | readonly (ParticipantView)[] | ParticipantListView;
  };
  /** The participants of a channel, and which of them are agents. */
  'GET /api/messaging/channels/{channelId}/agents': {
    path: { channelId: string };
    query: undefined;
    body: undefined;
    data: ChannelAgentsView;
  };
  /** Adds an agent to a channel. */
  'POST /api/messaging/channels/{channelId}/agents': {
    path: { channelId: string };
    query: undefined;
    body: AgentBody;
    data: ChannelAgentView;
  };
  /** Removes an agent from a channel. */
  'DELETE /api/messaging/channels/{channelId}/agents/{agentId}': {
    path: { channelId: string; agentId: string };
    query: undefined;
    body: undefined;
    data: ChannelAgentView;
  };
  /** Messages of a channel, newest first. */
  'GET /api/messaging/channels/{channelId}/messages': {
    path: { channelId: string };
    query: { /** Page size, clamped to 1 to 100; 50 when absent. */ limit?: string | number | undefined; /** Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */ before?: string | number | undefined; /** Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */ after?: string | number | undefined };
    body: undefined;
    data: MessagePageView;
  };
  /** Posts a user's message; `transport` selects whether the response waits for the reply. */
  'POST /api/messaging/channels/{channelId}/messages': {
    path: { channelId: string };
    query: undefined;
    body: PostChannelMessageBody;
    data: PostedMessageView;
  };
  /** Deletes all messages of a channel; the dialect eliza returns their number. */
  'DELETE /api/messaging/channels/{channelId}/messages': {
    path: { channelId: string };
    query: undefined;
    body: undefined;
    data: DeletedView | undefined;
  };
  /** Posts a user's message, and streams the replies as server-sent events. */
  'POST /api/messaging/channels/{channelId}/messages/stream': {
    path: { channelId: string };
    query: undefined;
    body: ChannelMessageFields;
    data: undefined;
  };
  /** Deletes all messages of a channel, or only one author's with `userId`. */
  'DELETE /api/messaging/channels/{channelId}/messages/all': {
    path: { channelId: string };
    query: { /** Delete only this author's messages; all messages when absent. */ userId?: string | number | undefined };
    body: undefined;
    data: DeletedView;
  };
  /** Stops the replies to a message that are still pending. The message stays; a reply that has ended is not changed. */
  'POST /api/messaging/channels/{channelId}/messages/{messageId}/cancel': {
    path: { channelId: string; messageId: string };
    query: undefined;
    body: undefined;
    data: CancelledRepliesView;
  };
  /** Deletes a message. */
  'DELETE /api/messaging/channels/{channelId}/messages/{messageId}': {
    path: { channelId: string; messageId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** A message. */
  'GET /api/messaging/messages/{messageId}': {
    path: { messageId: string };
    query: undefined;
    body: undefined;
    data: MessageView;
  };
  /** Changes a message and the agents' memories of it. */
  'PATCH /api/messaging/messages/{messageId}': {
    path: { messageId: string };
    query: undefined;
    body: UpdateMessageBody;
    data: MessageView;
  };
  /** Searches messages by words, channel, author and time. */
  'POST /api/messaging/messages/search': {
    path: undefined;
    query: undefined;
    body: SearchMessagesBody;
    data: FoundMessagesView;
  };
  /** Uploads a file to an agent. */
  'POST /api/media/agents/{agentId}/upload-media': {
    path: { agentId: string };
    query: undefined;
    body: FormData | undefined;
    data: MediaView;
  };
  /** Uploads a file to a channel. */
  'POST /api/messaging/channels/{channelId}/upload-media': {
    path: { channelId: string };
    query: undefined;
    body: FormData | undefined;
    data: MediaView;
  };
  /** Returns what an upload may be. */
  'GET /api/media/types': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: MediaTypesView;
  };
  /** Returns a file that was uploaded to an agent. */
  'GET /media/uploads/agents/{agentId}/{filename}': {
    path: { agentId: string; filename: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Returns a file that was uploaded to a channel. */
  'GET /media/uploads/channels/{channelId}/{filename}': {
    path: { channelId: string; filename: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Returns a file that an agent created. */
  'GET /media/generated/{agentId}/{filename}': {
    path: { agentId: string; filename: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Live sessions, newest first. */
  'GET /api/messaging/sessions': {
    path: undefined;
    query: { agentId?: string | number | undefined; userId?: string | number | undefined; /** Page size; larger values are reduced to the maximum. */ limit?: number | undefined; offset?: number | undefined };
    body: undefined;
    data: SessionListView;
  };
  /** Creates a session between a user and an agent. */
  'POST /api/messaging/sessions': {
    path: undefined;
    query: undefined;
    body: CreateSessionBody;
    data: SessionResponse;
  };
  /** Health of the server's sessions. */
  'GET /api/messaging/sessions/health': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: SessionsHealthView;
  };
  /** A session; reading does not renew it. */
  'GET /api/messaging/sessions/{sessionId}': {
    path: { sessionId: string };
    query: undefined;
    body: undefined;
    data: SessionResponse;
  };
  /** Ends a session; its channel and messages stay. */
  'DELETE /api/messaging/sessions/{sessionId}': {
    path: { sessionId: string };
    query: undefined;
    body: undefined;
    data: EndedSessionView;
  };
  /** Renews a session, with or without auto-renewal. */
  'POST /api/messaging/sessions/{sessionId}/renew': {
    path: { sessionId: string };
    query: undefined;
    body: undefined;
    data: SessionResponse;
  };
  /** Changes some or all of the timeout configuration. */
  'PATCH /api/messaging/sessions/{sessionId}/timeout': {
    path: { sessionId: string };
    query: undefined;
    body: TimeoutConfigBody;
    data: SessionResponse;
  };
  /** Reports activity of a user without a message. */
  'POST /api/messaging/sessions/{sessionId}/heartbeat': {
    path: { sessionId: string };
    query: undefined;
    body: undefined;
    data: SessionResponse;
  };
  /** Messages of a session, newest first. */
  'GET /api/messaging/sessions/{sessionId}/messages': {
    path: { sessionId: string };
    query: { /** Page size, clamped to 1 to 100; 50 when absent. */ limit?: string | number | undefined; /** Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */ before?: string | number | undefined; /** Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */ after?: string | number | undefined };
    body: undefined;
    data: MessagePageView;
  };
  /** Sends the user's message to the agent; `transport` selects whether the response waits for the reply. */
  'POST /api/messaging/sessions/{sessionId}/messages': {
    path: { sessionId: string };
    query: undefined;
    body: SessionMessageBody;
    data: SessionPostedView;
  };
  /** Sends the user's message to the agent, and streams the reply as server-sent events. */
  'POST /api/messaging/sessions/{sessionId}/messages/stream': {
    path: { sessionId: string };
    query: undefined;
    body: SessionMessageFields;
    data: undefined;
  };
  /** Stops the reply to a message while it is still pending. The message stays; a reply that has ended is not changed. */
  'POST /api/messaging/sessions/{sessionId}/messages/{messageId}/cancel': {
    path: { sessionId: string; messageId: string };
    query: undefined;
    body: undefined;
    data: CancelledRepliesView;
  };
  /** What an agent knows about a user, with the messages that it comes from. */
  'GET /api/memory/{agentId}/users/{userId}/profile': {
    path: { agentId: string; userId: string };
    query: undefined;
    body: undefined;
    data: ProfileView;
  };
  /** Lists an agent's runs, newest first. */
  'GET /api/agents/{agentId}/runs': {
    path: { agentId: string };
    query: { /** Id of the agent's room, or of the channel. */ roomId?: string | number | undefined; /** Status of the runs. */ status?: "all" | "started" | "completed" | "timeout" | "error" | undefined; /** Page size. Defaults to 20. */ limit?: number | undefined; /** Earliest start: epoch ms or an ISO 8601 instant. */ from?: string | number | undefined; /** Latest start: epoch ms or an ISO 8601 instant. */ to?: string | number | undefined; /** The `nextCursor` of the previous page. */ cursor?: string | number | undefined };
    body: undefined;
    data: RunsView;
  };
  /** Returns a run: its stages with their times, what the prompt used and left out, and its events: model calls, actions and evaluators. */
  'GET /api/agents/{agentId}/runs/{runId}': {
    path: { agentId: string; runId: string };
    query: { /** Id of the agent's room, or of the channel, that the run must belong to. */ roomId?: string | number | undefined };
    body: undefined;
    data: RunView;
  };
  /** Lists the runs of all agents that the caller may see, newest first. */
  'GET /api/runs': {
    path: undefined;
    query: { /** Runs of this agent only. */ agentId?: string | number | undefined; /** Runs in this channel only. */ channelId?: string | number | undefined; /** Status of the runs. */ status?: "all" | "started" | "completed" | "timeout" | "error" | undefined; /** Earliest message: epoch ms or an ISO 8601 instant. */ from?: string | number | undefined; /** Latest message: epoch ms or an ISO 8601 instant. */ to?: string | number | undefined; /** Only ended runs that took at least so long, milliseconds. */ minDurationMs?: number | undefined; /** Page size. Defaults to 20. */ limit?: number | undefined; /** The `nextCursor` of the previous page. */ cursor?: string | number | undefined };
    body: undefined;
    data: AllRunsView;
  };
  /** What an agent would recall for a message: memories and pieces of documents, with scores, and what is left out and why. */
  'POST /api/memory/{agentId}/recall': {
    path: { agentId: string };
    query: undefined;
    body: RecallBody;
    data: RecallView;
  };
  /** The actions and tools that the model of an agent could call for a message, and those that it could not, with the reason. */
  'GET /api/agents/{agentId}/actions': {
    path: { agentId: string };
    query: { /** The message for which the conditions are asked; empty by default. */ text?: string | number | undefined };
    body: undefined;
    data: AgentActionsView;
  };
  /** Lists jobs, newest first. */
  'GET /api/messaging/jobs': {
    path: undefined;
    query: { /** Page size, 1 to 100. Defaults to 50. */ limit?: number | undefined; status?: "pending" | "processing" | "completed" | "failed" | "timeout" | undefined; /** The `nextCursor` of the previous page. */ cursor?: string | number | undefined };
    body: undefined;
    data: JobListView;
  };
  /** Asks an agent a single question, outside a conversation. */
  'POST /api/messaging/jobs': {
    path: undefined;
    query: undefined;
    body: CreateJobBody;
    data: NewJobView;
  };
  /** Health and statistics of jobs. */
  'GET /api/messaging/jobs/health': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: JobsHealthView;
  };
  /** Returns a job, with its result once it has ended. */
  'GET /api/messaging/jobs/{jobId}': {
    path: { jobId: string };
    query: undefined;
    body: undefined;
    data: JobView;
  };
  /** Generates a short title from the newest messages of a channel. */
  'POST /api/messaging/channels/{channelId}/generate-title': {
    path: { channelId: string };
    query: { /** Page size, clamped to 1 to 100; 50 when absent. */ limit?: string | number | undefined; /** Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */ before?: string | number | undefined; /** Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */ after?: string | number | undefined };
    body: GenerateTitleBody;
    data: TitleView;
  };
  /** Speaks a text or a stored message in the agent's voice; returns audio. */
  'POST /api/audio/{agentId}/audio-messages/synthesize': {
    path: { agentId: string };
    query: undefined;
    body: SynthesizeBody;
    data: undefined;
  };
  /** Speaks a text in the agent's voice; returns audio. */
  'POST /api/audio/{agentId}/speech/generate': {
    path: { agentId: string };
    query: undefined;
    body: GenerateSpeechBody;
    data: undefined;
  };
  /** Lists the voices that the agent can use. */
  'GET /api/audio/{agentId}/voices': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: VoicesView;
  };
  /** Transcribes an uploaded recording. */
  'POST /api/audio/{agentId}/transcriptions': {
    path: { agentId: string };
    query: undefined;
    body: FormData | undefined;
    data: TranscriptionView;
  };
  /** Talks to the agent. A JSON body with text returns audio; a recording (multipart) returns JSON with texts and audio. */
  'POST /api/audio/{agentId}/speech/conversation': {
    path: { agentId: string };
    query: undefined;
    body: ConversationBody | FormData | undefined;
    data: ConversationView | undefined;
  };
  /** Sends a recording as a message; returns the transcript and the agent's reply. */
  'POST /api/audio/{agentId}/audio-messages': {
    path: { agentId: string };
    query: undefined;
    body: FormData | undefined;
    data: AudioMessageView;
  };
  /** Returns the newest lines of the server's log. */
  'GET /api/server/logs': {
    path: undefined;
    query: { /** Earliest line: epoch ms or an ISO 8601 instant. Defaults to one hour ago. */ since?: string | number | undefined; /** Returns only this level. Defaults to `all`. */ level?: "all" | "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace" | undefined; /** Name of an agent, or `all`. */ agentName?: string | number | undefined; /** Id of an agent, or `all`. */ agentId?: string | number | undefined; /** Returns this level and more severe ones. */ minLevel?: "all" | "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace" | undefined; /** Returns the lines of one request: its `X-Request-Id`. */ requestId?: string | number | undefined; /** Text that the message or another field contains, case-insensitive. */ search?: string | number | undefined; /** Maximum number of lines, newest first chosen. Defaults to 100. */ limit?: number | undefined };
    body: undefined;
    data: ServerLogsView;
  };
  /** Adds lines to the server's log. Without `logs` in the body, same as GET. */
  'POST /api/server/logs': {
    path: undefined;
    query: { /** Earliest line: epoch ms or an ISO 8601 instant. Defaults to one hour ago. */ since?: string | number | undefined; /** Returns only this level. Defaults to `all`. */ level?: "all" | "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace" | undefined; /** Name of an agent, or `all`. */ agentName?: string | number | undefined; /** Id of an agent, or `all`. */ agentId?: string | number | undefined; /** Returns this level and more severe ones. */ minLevel?: "all" | "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace" | undefined; /** Returns the lines of one request: its `X-Request-Id`. */ requestId?: string | number | undefined; /** Text that the message or another field contains, case-insensitive. */ search?: string | number | undefined; /** Maximum number of lines, newest first chosen. Defaults to 100. */ limit?: number | undefined };
    body: SubmitLogsBody | undefined;
    data: ServerLogsView;
  };
  /** Clears the log lines in the memory of this process. */
  'DELETE /api/server/logs': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: ClearedLogsView;
  };
  /** Lists an agent's log entries, newest first. */
  'GET /api/agents/{agentId}/logs': {
    path: { agentId: string };
    query: { /** Id of the agent's room. */ roomId?: string | number | undefined; /** run_event, action, evaluator, log, or `useModel:` with the model type. */ type?: string | number | undefined; /** Excludes this type, and model calls whose type contains this text; may be repeated. */ excludeTypes?: readonly (string)[] | undefined; /** Returns only this level. */ level?: "all" | "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace" | undefined; /** Text that the entry contains, case-insensitive. */ search?: string | number | undefined; /** Earliest entry: epoch ms or an ISO 8601 instant. Alias: `since`. */ from?: string | number | undefined; since?: string | number | undefined; /** Latest entry: epoch ms or an ISO 8601 instant. Alias: `until`. */ to?: string | number | undefined; until?: string | number | undefined; /** Returns older entries: the `cursor` of an entry, or an instant. */ before?: string | number | undefined; /** Page size. Defaults to 50. Alias: `count`. */ limit?: number | undefined; count?: number | undefined; /** Number of entries to skip; prefer `before`. */ offset?: string | number | undefined; /** Page number, from 1; prefer `before`. */ page?: string | number | undefined };
    body: undefined;
    data: readonly (AgentLogView)[];
  };
  /** Deletes a log entry. */
  'DELETE /api/agents/{agentId}/logs/{logId}': {
    path: { agentId: string; logId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Lets an agent reply to a conversation of the AI SDK (`useChat`), and streams the reply. `agent` is a name or an id. */
  'POST /api/agents/{agent}/chat': {
    path: { agent: string };
    query: undefined;
    body: UiChatBody;
    data: undefined;
  };
  /** Streams the reply to the newest message of a conversation from its beginning, if it has not ended. */
  'GET /api/agents/{agent}/chat/{chatId}/stream': {
    path: { agent: string; chatId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Stores messages of another platform; agents reply to them like any other message. */
  'POST /api/messaging/ingest-external': {
    path: undefined;
    query: undefined;
    body: IngestBody;
    data: IngestedView;
  };
  /** Stores a message of another platform and waits for the reply. */
  'POST /api/messaging/external-messages': {
    path: undefined;
    query: undefined;
    body: AskExternalBody;
    data: ExternalReplyView;
  };
  /** Announces that no more replies to a message will follow; or, with a prompt, asks an agent and waits for the reply. */
  'POST /api/messaging/complete': {
    path: undefined;
    query: undefined;
    body: CompleteBody;
    data: CompletedView;
  };
  /** Describes how to open a socket.io connection for real-time communication. */
  'GET /websocket': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: WebsocketView;
  };
  /** Streams the replies to a message as server-sent events; resumes after Last-Event-ID. */
  'GET /api/messaging/channels/{channelId}/messages/{messageId}/events': {
    path: { channelId: string; messageId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Streams all events of a channel as server-sent events, from Last-Event-ID (or from now) on, until the channel is deleted. */
  'GET /api/messaging/channels/{channelId}/events': {
    path: { channelId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Streams all events of a session as server-sent events, from Last-Event-ID (or from now) on, until the session ends. */
  'GET /api/messaging/sessions/{sessionId}/events': {
    path: { sessionId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Streams the reply to a message as server-sent events; resumes after Last-Event-ID. */
  'GET /api/messaging/sessions/{sessionId}/messages/{messageId}/events': {
    path: { sessionId: string; messageId: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Posts a message on behalf of an agent. */
  'POST /api/messaging/submit': {
    path: undefined;
    query: undefined;
    body: SubmitBody;
    data: MessageView;
  };
  /** Updates a message of an agent, for example to show the progress of an action. */
  'PATCH /api/messaging/action/{messageId}': {
    path: { messageId: string };
    query: undefined;
    body: UpdateActionBody;
    data: MessageView;
  };
  /** Liveness probe: the process responds. */
  'GET /healthz': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: AliveView;
  };
  /** Readiness probe: 503 while no agent is running. */
  'GET /health': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: HealthView;
  };
  /** Readiness probe: 503 while no agent is running. */
  'GET /api/server/health': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: HealthView;
  };
  /** Returns the server's time. */
  'GET /api/server/ping': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: PingView;
  };
  /** Returns a greeting. */
  'GET /api/server/hello': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: HelloView;
  };
  /** Returns the status of the server: agents, memory and models, with the last failure of each model and what to do about it. */
  'GET /api/server/status': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: StatusView;
  };
  /** Returns the present problems: plugins, tool servers, models, webhook deliveries, scheduled backups, and the turns that failed within the last hour. */
  'GET /api/server/problems': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: ProblemsView;
  };
  /** Returns the version of the server. */
  'GET /api/system/version': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: VersionView;
  };
  /** Liveness probe: the process responds. Does not use the database. */
  'GET /livez': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: LiveView;
  };
  /** Readiness probe: 503 while new requests should go to another process. */
  'GET /readyz': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: ReadyView;
  };
  /** Startup probe. The server accepts connections when its start is complete, so a response means that it has started. */
  'GET /startupz': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: StartedView;
  };
  /** Returns the OpenAPI document. */
  'GET /api/openapi.json': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: { [key: string]: unknown };
  };
  /** Returns a page that lists and calls all operations. */
  'GET /api/docs': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Returns a resource of that page. */
  'GET /api/docs/{file}': {
    path: { file: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Stops the server. Running turns may finish within the grace time. */
  'POST /api/server/stop': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: StoppingView;
  };
  /** Returns all message servers, the runtime and the configuration. */
  'GET /api/server/debug/servers': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: DebugView;
  };
  /** Lists all message servers with their agents. */
  'GET /api/server/servers': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: ServersView;
  };
  /** Returns the configuration that a client needs before its first request. */
  'GET /api/system/config': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: ServerConfigView;
  };
  /** Returns the variables of the server's .env file, with possible secrets masked. */
  'GET /api/system/env/local': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: { [key: string]: unknown };
  };
  /** Changes variables of the server's .env file. The changes apply at the next start. */
  'POST /api/system/env/local': {
    path: undefined;
    query: undefined;
    body: UpdateEnvironmentBody;
    data: EnvironmentUpdatedView;
  };
  /** Returns the trusted hardware of the machine and whether it issues quotes. */
  'GET /api/tee/status': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: TeeStatusView;
  };
  /** Lists the agents on this machine. */
  'GET /api/tee/agents': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: TeeAgentsView;
  };
  /** Creates a quote of the processor over the caller's report data. */
  'POST /api/tee/attestation': {
    path: undefined;
    query: undefined;
    body: AttestationBody;
    data: AttestationView;
  };
  /** Lists all configured plugins with their state, routes, components and settings, and the reason of a failure. */
  'GET /api/plugins': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: PluginsView;
  };
  /** Lists the pages that plugins provide for an agent: public GET routes with a name. */
  'GET /api/agents/{agentId}/panels': {
    path: { agentId: string };
    query: undefined;
    body: undefined;
    data: readonly (AgentPanelView)[];
  };
  /** Lists a plugin's webhook deliveries, newest first. */
  'GET /api/plugins/{name}/deliveries': {
    path: { name: string };
    query: { status?: "received" | "running" | "done" | "failed" | "dead" | undefined; limit?: string | number | undefined; /** Id of a delivery; only older deliveries are returned. */ before?: string | number | undefined };
    body: undefined;
    data: DeliveriesView;
  };
  /** Returns a webhook delivery with its request. */
  'GET /api/plugins/{name}/deliveries/{id}': {
    path: { name: string; id: string };
    query: undefined;
    body: undefined;
    data: DeliveryDetailsView;
  };
  /** Handles a delivery again. */
  'POST /api/plugins/{name}/deliveries/{id}/replay': {
    path: { name: string; id: string };
    query: undefined;
    body: undefined;
    data: ReplayView;
  };
  /** Everything that is known of a user. */
  'GET /api/users/{userId}/export': {
    path: { userId: string };
    query: undefined;
    body: undefined;
    data: UserExportView;
  };
  /** Forgets a user: deletes or redacts everything that is known of the user. */
  'POST /api/users/{userId}/forget': {
    path: { userId: string };
    query: undefined;
    body: undefined;
    data: ForgetRequestView;
  };
  /** The progress and the report of a request to forget a user. */
  'GET /api/users/{userId}/forget/{requestId}': {
    path: { userId: string; requestId: string };
    query: undefined;
    body: undefined;
    data: ForgetRequestView;
  };
  /** Lists changes to keys, configuration, agents and their data: who made them, when and from where. The newest first. */
  'GET /api/audit': {
    path: undefined;
    query: { /** The action, for example `agent.updated`. */ action?: string | number | undefined; /** Id of the actor, as in the entries: `administrator`, `key:ID`, `user:ID`, … */ actor?: string | number | undefined; /** Id of the changed object. */ target?: string | number | undefined; /** The agent that was changed, or that owns what was changed. */ agentId?: string | number | undefined; /** Earliest time: epoch ms or an ISO 8601 instant. */ from?: string | number | undefined; /** Latest time: epoch ms or an ISO 8601 instant. */ to?: string | number | undefined; /** Page size. Defaults to 100. */ limit?: number | undefined; /** The `nextCursor` of the previous page. */ cursor?: string | number | undefined };
    body: undefined;
    data: AuditView;
  };
  /** Messages, turns, durations, tokens and cost of the agents that the caller may see, over time; with memory and database size for callers that are not limited to agents. */
  'GET /api/server/statistics': {
    path: undefined;
    query: { /** Beginning: epoch ms or an ISO 8601 instant. Buckets are counted from it. Default: 24 hours before the end. */ from?: string | number | undefined; /** End, exclusive: epoch ms or an ISO 8601 instant. Default: now. */ to?: string | number | undefined; /** Length of a bucket. Default: `hour` for up to 7 days, else `day`. A range has at most 750 buckets. */ bucket?: "hour" | "day" | undefined; /** Only this agent. Memory and database size are those of the server. */ agentId?: string | number | undefined };
    body: undefined;
    data: StatisticsView;
  };
  /** Lists the backups in the server's data directory, the newest first. */
  'GET /api/server/backups': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: BackupsView;
  };
  /** Starts a backup in the server's data directory. */
  'POST /api/server/backups': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: BackupDetailsView;
  };
  /** Returns a backup: its progress while it runs, then its size or why it failed. */
  'GET /api/server/backups/{name}': {
    path: { name: string };
    query: undefined;
    body: undefined;
    data: BackupDetailsView;
  };
  /** Deletes a complete backup, or the record of a failed one. */
  'DELETE /api/server/backups/{name}': {
    path: { name: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** The language model of the server, and what has chosen it. */
  'GET /api/server/model': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: ServerModelView;
  };
  /** Chooses the language model of the server, for all agents that name none of their own. It applies to the next message. */
  'PUT /api/server/model': {
    path: undefined;
    query: undefined;
    body: ServerModelBody;
    data: ServerModelView;
  };
  /** Takes the choice back: the offline responder replies, unless variables of the environment choose a model. */
  'DELETE /api/server/model': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: ServerModelView;
  };
  /** Calls a model once with a short message, and says how it ended. Nothing is stored. */
  'POST /api/server/model/trial': {
    path: undefined;
    query: undefined;
    body: ServerModelBody;
    data: ModelTrialView;
  };
  /** Returns the list of guides and references, as a page. */
  'GET /docs': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Returns a document as Markdown, by its name, such as `faq`. */
  'GET /docs/{name}.md': {
    path: { name: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Returns a document as a page. */
  'GET /docs/{path}': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Returns the list of guides and references with their Markdown, for language models. */
  'GET /llms.txt': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Returns the console, to browsers. */
  'GET /': {
    path: undefined;
    query: undefined;
    body: undefined;
    data: undefined;
  };
  /** Returns a script, style sheet, font or picture of the console. */
  'GET /console-assets/{file}': {
    path: { file: string };
    query: undefined;
    body: undefined;
    data: undefined;
  };
}

export interface ActionCompletedEventView {
  /** Name of the action. */
  action: string;
  /** Number of the action among the steps of the reply. */
  step: number;
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
  success: boolean;
  /** Duration, ms. */
  durationMs: number;
}

export interface ActionStartedEventView {
  /** Name of the action. */
  action: string;
  /** Number of the action among the steps of the reply. */
  step: number;
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
}

export interface AgentActionView {
  name: string;
  kind: "action" | "tool";
  plugin: string;
  description: string;
  /** Other names by which a model may call it. */
  similes: readonly (string)[];
  /** JSON Schema of the arguments. */
  parameters: { [key: string]: unknown };
  /** Whether the model could call it. */
  offered: boolean;
  /** Null when it is offered. `plugin`: the agent does not have the plugin. `condition`: its condition does not hold. `failed`: its condition failed. `name`: another action has its name. */
  reason: "failed" | "plugin" | "condition" | "name" | null;
  /** Why it is not offered, in a sentence; null when it is. */
  details: string | null;
}

export interface AgentActionsView {
  actions: readonly (AgentActionView)[];
}

export interface AgentBody {
  agentId: string;
}

export interface AgentCountsView {
  total: number;
  active: number;
  inactive: number;
}

export interface AgentEntry {

  id: string;
  name: string;
  /** The same as `name`, under the name that elizaOS clients read. */
  characterName: string;
  username?: string;
  /** First entry of the character's bio. */
  bio: string;
  topics: readonly (string)[];
  status: "active" | "inactive";
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
}

export interface AgentLogView {

  id: string;

  agentId: string;
  /** Same as `agentId`. */
  entityId: string;

  roomId: string | null;
  /** run_event, action, evaluator, log, or `useModel:` with the model type. */
  type: string;
  /** 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
  level: number;
  /** Details of the entry. */
  body: { [key: string]: unknown };
  /** Epoch ms. */
  createdAt: number;
  /** Value for `before` that returns the entries after this one in the list. */
  cursor: string;
}

export interface AgentPanelView {
  /** Name of the route. */
  name: string;
  /** URL path of the page. */
  path: string;
  /** Same as `path`. */
  url: string;
  /** Always `plugin`. */
  type: string;
}

export interface AgentResponseView {
  text: string;
  thought?: string;
  /** Names of the actions that the agent ran. */
  actions: readonly (string)[];
  /** Names of the providers that contributed to the prompt. */
  providers: readonly (string)[];
  metadata: { [key: string]: unknown };
  /** Whether the agent ran at most one action. */
  simple: boolean;
  /** The same as `replyId`. */
  responseId: string;

  agentId: string;
  /** The same as `replyId`. */
  messageId: string;
  /** Id of the reply's message. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;
}

export interface AgentServers {
  agentId: string;
  /** Ids of the agent's message servers. */
  messageServers: readonly (string)[];
}

export interface AgentServersView {
  /** Always true. */
  success: boolean;
  data: AgentServers;
  agentId: string;
  /** Ids of the agent's message servers. */
  messageServers: readonly (string)[];
}

export interface AgentStatusView {

  id: string;
  name: string;
  status: "active" | "inactive";
}

export interface AgentView {

  id: string;
  name: string;
  /** The same as `name`. */
  characterName: string;
  username?: string;
  /** System prompt. */
  system?: string;
  /** Texts by name. */
  templates?: { [key: string]: unknown };
  /** Text, or a list of texts. */
  bio: string | readonly (string)[];
  /** Text, or a list of texts. */
  lore?: string | readonly (string)[];
  /** Conversations, each a list of `{ name, content }`. */
  messageExamples: readonly (readonly ({ [key: string]: unknown })[])[];
  postExamples: readonly (string)[];
  topics: readonly (string)[];
  adjectives: readonly (string)[];
  /** Facts, and documents below the characters folder. */
  knowledge: readonly (string | { [key: string]: unknown })[];
  /** Names of plugins. */
  plugins: readonly (string)[];
  /** Values that look like secrets are masked; `settings.secrets` has the names of secrets with masked values. */
  settings: { [key: string]: unknown };
  /** Names of secrets, with masked values. */
  secrets: { [key: string]: unknown };
  /** Lists of texts under `all`, `chat` and `post`. */
  style: { [key: string]: unknown };
  status: "active" | "inactive";
  /** Whether the agent is active. */
  enabled: boolean;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
}

export interface AgentsView {
  /** Active agents first, then by name. */
  agents: readonly (AgentEntry)[];
  /** With a `limit`: the `after` of the next page; null on the last. */
  nextCursor?: string | null;
}

export interface AliveView {
  status: "ok";

  timestamp: string;
}

export interface AllRunsView {
  runs: readonly (RunSummaryView)[];
  /** With `minDurationMs`, a page can have fewer runs than its size, or none, and still have a next one. */
  hasMore: boolean;
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
}

export interface AskExternalBody {
  platform: string;
  /** The message's id on the platform; a repeated request returns the same response. */
  messageId: string;
  /** The channel: a UUID, or its id on the platform. */
  channelId: string;
  /** The author: a UUID, or the id on the platform. */
  userId: string;
  content: string;
  /** The agent that should reply; by default the first running one when the channel does not exist yet. */
  agentId?: string;
  attachments?: readonly ({ [key: string]: unknown })[] | null;
  metadata?: { [key: string]: unknown } | null;
}

export interface AttestationBody {
  /** Up to 64 bytes for the quote, hexadecimal: a challenge, or a hash of longer data. */
  reportData: string;
}

export interface AttestationView {
  /** The quote, base64. */
  quote: string;
  /** Epoch ms. */
  timestamp: number;
  /** Name of the kernel driver, such as `sev_guest` or `tdx_guest`. */
  provider: string;
  /** The report data of the request, in lower case. */
  reportData: string;
}

export interface AudioMessageView {
  /** Transcript of the recording. */
  transcription: string;
  /** Text of the agent's reply. */
  message: string;
  /** Audio of the reply, base64; empty when the agent did not reply. */
  audio: string;
  /** Whether the agent replied. Also false for a silent recording. */
  didRespond: boolean;
  /** Media type of the audio. */
  mediaType: string;
  /** Duration of the audio, seconds. */
  duration: number;
  /** Channel of the message and the reply. */
  channelId: string;
  /** Id of the user's message; null for a silent recording. */
  messageId: string | null;
  /** Same as `messageId`. */
  inReplyTo: string | null;
  /** Id of the agent's message; null when the agent did not reply. */
  replyId: string | null;
  userId: string;
  timings: StageTimesView;
}

export interface AuditActorView {
  /** `administrator`, `key:ID`, `session:ID`, `user:ID`; `everybody` on a server without API_KEY; `nobody` without a credential; `plugin:NAME`; `server` for what the server does by itself, such as importing character files. */
  id: string;
  /** The part of `id` before the colon. */
  kind: string;
  /** Name of the key; null for other actors. */
  name: string | null;
}

export interface AuditEntryView {

  id: string;

  at: string;
  action: string;
  /** One sentence. */
  summary: string;
  actor: AuditActorView;
  /** Address of the client; null for the server's own changes, and when the user was forgotten. */
  address: string | null;
  target: AuditTargetView;
  /** The agent that was changed, or that owns what was changed. */
  agentId: string | null;
  /** Names of the changed fields or variables. */
  fields: readonly (string)[];
  /** The request, as in the log; null for the server's own changes. */
  requestId: string | null;
}

export interface AuditTargetView {
  kind: string;
  id: string;
}

export interface AuditView {
  /** The newest first. */
  entries: readonly (AuditEntryView)[];
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface BackupDetailsView {
  backup: BackupView;
}

export interface BackupFaultView {
  code: string;
  /** One sentence. */
  message: string;
  /** What to do, or more information. */
  details: string;
}

export interface BackupRunView {
  /** When it was due. */
  dueAt: string;
  /** `waiting`: it has not begun, or is tried again at `nextAttemptAt`. */
  state: "complete" | "failed" | "waiting" | "running";
  /** How often it was tried. */
  attempts: number;
  /** Address of the backup, for `parley restore`; null before the first attempt. */
  address: string | null;
  /** Begin of the last attempt. */
  startedAt: string | null;
  /** End of the last attempt. */
  endedAt: string | null;
  /** Bytes; null unless it is complete. */
  size: number | null;
  /** When the rehearsal of its restore found no fault; null without `BACKUP_VERIFY`. */
  verifiedAt: string | null;
  /** Why the last attempt failed. */
  error: BackupFaultView | null;

  nextAttemptAt: string | null;
}

export interface BackupScheduleView {
  /** `BACKUP_SCHEDULE`. */
  expression: string;
  /** `BACKUP_TIME_ZONE`. */
  timeZone: string;
  /** `BACKUP_DESTINATION`: a folder on the server, or an address in a store. */
  destination: string;
  /** When the next one is due. */
  nextAt: string;
  /** The newest complete one; null before the first. */
  lastSuccess: BackupRunView | null;
  /** The newest 20, the newest first. */
  runs: readonly (BackupRunView)[];
}

export interface BackupView {
  /** Its folder in `DATA_DIR/backups`. */
  name: string;
  /** Path of the folder on the server, for `parley restore`. */
  folder: string;
  /** How it came about: by `parley backup`, over HTTP, before an upgrade, or by `BACKUP_SCHEDULE`. */
  kind: "command" | "request" | "upgrade" | "schedule";
  state: "complete" | "failed" | "running";
  /** When it began. */
  createdAt: string;
  /** Bytes; null unless it is complete. */
  size: number | null;
  /** Bytes written until now; null unless it is running. */
  bytesDone: number | null;
  /** Bytes to write, about; null unless it is running. */
  bytesTotal: number | null;
  /** Version of Parley that made it; null unless it is complete. */
  version: string | null;
  /** Null unless it failed. */
  error: BackupFaultView | null;
}

export interface BackupsView {
  /** The newest first. */
  backups: readonly (BackupView)[];
  /** Null without `BACKUP_SCHEDULE`. */
  schedule: BackupScheduleView | null;
  /** Why this server makes no backups over HTTP, and what to do instead; null when it does. */
  advice: string | null;
}

export interface CancelledRepliesView {

  messageId: string;
  cancelled: readonly (CancelledReplyView)[];
}

export interface CancelledReplyView {

  agentId: string;
  /** Id that the reply would have had. */
  replyId: string;
}

export interface ChannelAgentView {
  /** Always true. */
  success: boolean;
  channelId: string;
  agentId: string;
  message: string;
}

export interface ChannelAgentsView {
  channelId: string;
  /** Ids of all participants. */
  participants: readonly (string)[];
  /** Ids of the agents among them. */
  agents: readonly (string)[];
}

export interface ChannelEventView {
  channelId: string;
}

export interface ChannelListView {
  channels: readonly (ChannelView)[];
  /** Cursor of the next page; absent on the last one. */
  nextCursor?: string;
}

export interface ChannelMessageFields {
  content: string;
  /** Author of the message; may be sent as the header X-Entity-Id instead. The user of a user token or a session token when absent. */
  author_id?: string;
  authorId?: string;
  message_server_id?: string;
  server_id?: string;
  in_reply_to_message_id?: string | null;
  raw_message?: { [key: string]: unknown } | null;
  metadata?: { [key: string]: unknown } | null;
  source_type?: string;
  author_display_name?: string;
  attachments?: readonly ({ [key: string]: unknown })[] | null;
  /** The author's own id for this message; posting it again returns the stored message. */
  clientMessageId?: string;
}

export interface ChannelView {
  id: string;
  name: string;
  /** The message server that holds the channel. */
  serverId: string;
  /** The same as `serverId`. */
  messageServerId: string;
  /** Channel type as the creator wrote it; `text` for a channel created without one. */
  type: string;
  /** Channel type that agents use: SELF, DM, GROUP, VOICE_DM, VOICE_GROUP, FEED, THREAD, WORLD, FORUM or API. */
  channelType: string;
  description: string;
  /** The same as `description`. */
  topic: string;
  metadata: { [key: string]: unknown };
  /** The platform whose channel this one mirrors. */
  sourceType: string | null;
  /** Its id on that platform. */
  sourceId: string | null;
  /** How a message is handled that arrives while a turn is in progress: enqueue, reject or interrupt. */
  turnPolicy: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface ClearedLogsView {
  status: "success";
  message: string;
  /** Number of cleared lines. */
  cleared: number;
}

export interface CompleteBody {
  messageId?: string;
  status?: "completed" | "failed";
  error?: string | null;
  channel_id?: string;
  message_server_id?: string;
  agentId?: string;
  /** The channel of a question: a UUID or any text; by default the direct channel of user and agent. */
  roomId?: string;
  /** The user that asks: a UUID or any text. */
  userId?: string;
  prompt?: string;
}

export interface CompletedView {
  /** Always true. */
  success: boolean;
  /** The reply; null when the agent stays silent, absent for an announcement. */
  response?: string | null;
}

export interface ConversationBody {
  /** The user's message. */
  text?: string;
  /** Alternative to `text`: the last element is the user's message; the others are ignored. */
  messages?: readonly (SaidBody)[];
  /** `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`. */
  format?: "wav" | "mp3" | "mpeg" | "ogg";
  /** Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
  speed?: number;
  metadata?: { [key: string]: unknown } | null;
  /** Channel of the message; created when it does not exist. Without this and `roomId`, a new channel. */
  channelId?: string;
  /** Same as `channelId`, but any text. The same text always selects the same channel of the agent. */
  roomId?: string;
  /** Id of the speaker. Without this and `entityId`, a new user. */
  userId?: string;
  /** Same as `userId`, but any text. */
  entityId?: string;
  userName?: string;
  name?: string;
  /** The client's own id for the message. A message with an id that was already used is not stored again. */
  clientMessageId?: string;
  /** Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's voice. */
  voice?: string;
  /** BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
  language?: string;
}

export interface ConversationView {
  /** Text of the agent's reply. */
  text: string;
  /** Audio of the reply, base64; empty when the agent did not reply. */
  audio: string;
  /** Transcript of the recording. */
  transcription: string;
  /** Whether the agent replied. Also false for a silent recording. */
  didRespond: boolean;
  /** Media type of the audio. */
  mediaType: string;
  /** Duration of the audio, seconds. */
  duration: number;
  /** Channel of the message and the reply. */
  channelId: string;
  /** Id of the user's message; null for a silent recording. */
  messageId: string | null;
  /** Same as `messageId`. */
  inReplyTo: string | null;
  /** Id of the agent's message; null when the agent did not reply. */
  replyId: string | null;
  userId: string;
  timings: StageTimesView;
}

export interface CreateAgentBody {
  /** A character, in the fields of a character file. */
  characterJson?: { [key: string]: unknown };
  /** Path of a .json file below the characters folder. */
  characterPath?: string;
  /** The same as `characterJson`. */
  agent?: { [key: string]: unknown };
}

export interface CreateChannelBody {
  name: string;
  serverId?: string;
  /** Alias of `serverId`, as in responses. */
  messageServerId?: string;
  server_id?: string;
  message_server_id?: string;
  /** Channel type: any known name or alias. */
  type?: string;
  /** Alias of `participantCentralUserIds`. */
  participants?: readonly (string)[];
  /** Replaces the stored metadata; with `?metadata=merge` it is merged into it. */
  metadata?: { [key: string]: unknown };
  description?: string | null;
  topic?: string | null;
  /** The complete list of participants. */
  participantCentralUserIds?: readonly (string)[];
  turnPolicy?: "enqueue" | "reject" | "interrupt";
}

export interface CreateGroupBody {
  /** The agents that get a room; all when absent. */
  agentIds?: readonly (string)[];
  name?: string;
  /** Stored as `metadata.description`. */
  description?: string;
  /** World of the rooms, created if it does not exist; each agent's view of the server when absent. */
  worldId?: string;
  source?: string;
  metadata?: { [key: string]: unknown };
}

export interface CreateJobBody {
  userId: string;
  /** The question. */
  content: string;
  /** The agent to ask. Defaults to the first running agent. */
  agentId?: string;
  metadata?: { [key: string]: unknown } | null;
  /** Time limit of the reply, ms. Defaults to 30000. */
  timeoutMs?: number;
}

export interface CreateKeyBody {
  /** What the key is for. */
  name: string;
  /** Scope of the key; each scope includes the previous ones. `read` when absent. */
  scope?: "read" | "write" | "admin";
  /** Agents to which the key is limited; no limit when absent. */
  agents?: readonly (string)[];
  /** Users for whom the key vouches, so that agents recall their other conversations: `all`, or their ids; none when absent. */
  users?: "all" | readonly (string)[];
  /** Expiry, ISO 8601; the key does not expire when absent. */
  expiresAt?: string;
}

export interface CreateRoomBody {
  name: string;
  /** World of the room, created if it does not exist; the agent's own when absent. */
  worldId?: string;
  /** Id of the room. An existing room of the agent with this id is returned unchanged. */
  roomId?: string;
  /** A participant besides the agent. */
  entityId?: string;
  type?: string;
  source?: string;
  messageServerId?: string | null;
  /** Another name for `messageServerId`. */
  serverId?: string | null;
  metadata?: { [key: string]: unknown };
}

export interface CreateServerBody {
  name: string;
  /** The platform that the server mirrors; `api` when absent. */
  sourceType?: string;
  /** Its id on that platform. */
  sourceId?: string | null;
  /** Stored in the metadata. */
  description?: string | null;
  metadata?: { [key: string]: unknown } | null;
}

export interface CreateSessionBody {
  agentId: string;
  /** Required, except with a user token: without it the session is for the user of the token. */
  userId?: string;
  metadata?: {
  platform?: string;
  username?: string;
  discriminator?: string;
  avatar?: string;
};
  timeoutConfig?: TimeoutConfigBody;
  /** How a message is handled that arrives while a turn is in progress; `enqueue` when absent. */
  turnPolicy?: "enqueue" | "reject" | "interrupt";
}

export interface CreateWorldBody {
  /** Required unless `worldId` names an existing world. */
  name?: string;
  sourceType?: string | null;
  sourceId?: string | null;
  metadata?: { [key: string]: unknown };
  /** Without a `name`: the world to join. */
  worldId?: string;
  messageServerId?: string;
  /** Another name for `messageServerId`. */
  serverId?: string;
}

export interface CreatedAgentView {
  /** The character alone, in the fields of a character file; secrets are masked. */
  character: { [key: string]: unknown };

  id: string;
  name: string;
  /** The same as `name`. */
  characterName: string;
  username?: string;
  /** System prompt. */
  system?: string;
  /** Texts by name. */
  templates?: { [key: string]: unknown };
  /** Text, or a list of texts. */
  bio: string | readonly (string)[];
  /** Text, or a list of texts. */
  lore?: string | readonly (string)[];
  /** Conversations, each a list of `{ name, content }`. */
  messageExamples: readonly (readonly ({ [key: string]: unknown })[])[];
  postExamples: readonly (string)[];
  topics: readonly (string)[];
  adjectives: readonly (string)[];
  /** Facts, and documents below the characters folder. */
  knowledge: readonly (string | { [key: string]: unknown })[];
  /** Names of plugins. */
  plugins: readonly (string)[];
  /** Values that look like secrets are masked; `settings.secrets` has the names of secrets with masked values. */
  settings: { [key: string]: unknown };
  /** Names of secrets, with masked values. */
  secrets: { [key: string]: unknown };
  /** Lists of texts under `all`, `chat` and `post`. */
  style: { [key: string]: unknown };
  status: "active" | "inactive";
  /** Whether the agent is active. */
  enabled: boolean;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
}

export interface CreatedKeyView {
  /** The stored key. */
  key: KeyView;
  /** The key's text, to be sent as X-API-KEY or Authorization: Bearer. It is shown only once. */
  token: string;
}

export interface CreatedWorldView {
  world: WorldView;
  /** Present when the agent joined a world. */
  success?: boolean;
}

export interface CurrentServerView {
  messageServerId: string;
}

export interface DebugView {
  runtime: RuntimeView;
  environment: ServerEnvironmentView;
  servers: readonly (ServerEntryView)[];
  count: number;
}

export interface DeletedGroupMemoriesView {
  success: boolean;
  /** Number of deleted memories. */
  deleted: number;
}

export interface DeletedMemoriesView {
  /** Number of deleted memories. */
  deleted: number;
  success: boolean;
  message: string;
}

export interface DeletedMemoryView {
  success: boolean;
  message: string;
}

export interface DeletedView {
  /** Always true. */
  success: boolean;
  deleted: number;
}

export interface DeliveriesView {
  deliveries: readonly (DeliveryView)[];
}

export interface DeliveryDetailsView {
  delivery: DeliveryView;
  /** Null for a delivery that was handled inline, and when the content was deleted because of its age. */
  request: DeliveryRequestView | null;
}

export interface DeliveryRequestView {
  method: string;
  path: string;
  query: { [key: string]: unknown };
  headers: { [key: string]: unknown };
  /** Its first 100,000 characters; null for a body that is not text. */
  body: string | null;
  /** Bytes of the body. */
  size: number;
}

export interface DeliveryView {

  id: string;
  plugin: string;
  route: string;

  agentId: string;
  /** `inline`: the sender waits for the handler; `ack`: the delivery is handled after the response. */
  mode: "inline" | "ack";
  /** The delivery id that the sender assigned. */
  senderId: string | null;
  status: "failed" | "received" | "running" | "done" | "dead";
  attempts: number;
  /** Epoch ms. */
  nextAttemptAt: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
}

export interface DependenciesView {
  agents: "healthy" | "no_agents";
  /** `failing` while calls of a chat model of the server fail; the status tells why. */
  models: "healthy" | "failing";
}

export interface DocumentBody {
  /** The address of a document: a page or any other format that is accepted as a file. */
  url?: string;
  /** Text in Markdown. */
  text?: string;
  /** Identifies the document among those of the agent; required with `text`. */
  name?: string;
}

export interface DocumentDetailsView {

  id: string;
  name: string;
  source: "upload" | "text" | "url" | "character";
  /** The address of a document from the web. */
  url: string | null;
  /** Null until a document from the web has been downloaded. */
  mediaType: string | null;
  /** The charset of a text; null for UTF-8, and for other documents. */
  charset: string | null;
  /** Bytes; null until a document from the web has been downloaded. */
  size: number | null;
  status: "failed" | "pending" | "processing" | "ready";
  progress: DocumentProgressView;
  /** Pieces that can be recalled; while a document is replaced, those of its previous content too. */
  pieces: number;
  /** What could not be read of the document; empty until it has been read. */
  losses: readonly (DocumentLossView)[];
  /** Why the last attempt failed. */
  error: DocumentErrorView | null;

  createdAt: string;

  updatedAt: string;
  places: readonly (PieceView)[];
  /** Absent on the last page of places. */
  nextCursor?: string;
}

export interface DocumentErrorView {
  code: string;
  message: string;
  details: string;
}

export interface DocumentLossView {
  /** A noun in the plural. */
  what: string;
  count: number;
}

export interface DocumentProgressView {
  /** Pieces that are stored. */
  done: number;
  /** Pieces of the content; 0 until it has been read. */
  total: number;
}

export interface DocumentView {

  id: string;
  name: string;
  source: "upload" | "text" | "url" | "character";
  /** The address of a document from the web. */
  url: string | null;
  /** Null until a document from the web has been downloaded. */
  mediaType: string | null;
  /** The charset of a text; null for UTF-8, and for other documents. */
  charset: string | null;
  /** Bytes; null until a document from the web has been downloaded. */
  size: number | null;
  status: "failed" | "pending" | "processing" | "ready";
  progress: DocumentProgressView;
  /** Pieces that can be recalled; while a document is replaced, those of its previous content too. */
  pieces: number;
  /** What could not be read of the document; empty until it has been read. */
  losses: readonly (DocumentLossView)[];
  /** Why the last attempt failed. */
  error: DocumentErrorView | null;

  createdAt: string;

  updatedAt: string;
}

export interface DocumentsView {
  documents: readonly (DocumentView)[];
  /** Documents of the agent. */
  total: number;
  /** Absent on the last page. */
  nextCursor?: string;
}

export interface EndedSessionView {
  success: boolean;
  message: string;

  sessionId: string;
}

export interface EngineInUseView {
  provider: string;
  engine: string;
  /** BCP 47 primary subtags; absent when the engine accepts any language. */
  languages?: readonly (string)[];
}

export interface EnvironmentUpdatedView {
  success: boolean;
  message: string;
}

export interface ErasedKindView {
  kind: string;
  /** Rows. */
  deleted: number;
  /** Rows that stay without what they said about the user. */
  redacted: number;
}

export interface ExternalMessageBody {
  /** Id on the platform; a repeated message is stored once. */
  id: string;
  /** Id of the author: a UUID of a user, or the id on the platform. */
  authorId: string;
  content: string;
  authorName?: string;
  /** When it was written; stored in the metadata. */
  timestamp?: number | string | null;
  metadata?: { [key: string]: unknown } | null;
}

export interface ExternalReplyView {
  /** Id of the stored message. */
  messageId: string;
  /** Id of the message replied to; the same as `messageId`. */
  inReplyTo: string;
  /** Id of the reply; null when the agent stays silent. */
  replyId: string | null;
  /** Null when the agent stays silent. */
  response: string | null;
}

export interface FactView {
  /** Id of its memory, which can be changed and deleted like any other. */
  id: string;
  text: string;
  /** Its topic; may be empty. */
  key: string;
  /** When the user said so. */
  validFrom: string;
  /** When the user said otherwise; null while the fact holds. */
  validUntil: string | null;
  /** The fact whose value it changed; null when it changed none. */
  replaces: string | null;
  /** Ids of the memories of the messages that it comes from. */
  sources: readonly (string)[];
}

export interface ForgetRequestView {

  requestId: string;
  status: "queued" | "running" | "done";
  /** The request covers the user's data up to this journal offset. */
  upToOffset: number;

  requestedAt: string;
  /** Null until the end. */
  finishedAt: string | null;
  erased: readonly (ErasedKindView)[];
  /** Names of the backups in DATA_DIR/backups, which still hold the data; null until the end. */
  backups: readonly (string)[] | null;
}

export interface FoundMessagesView {
  messages: readonly (MessageView)[];
  hasMore: boolean;
  /** Cursor of the next page; absent on the last one. */
  nextCursor?: string;
}

export interface GenerateSpeechBody {
  /** `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`. */
  format?: "wav" | "mp3" | "mpeg" | "ogg";
  /** Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
  speed?: number;
  /** Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's voice. */
  voice?: string;
  /** BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
  language?: string;
  /** The text to speak. Markdown, emoji and links are omitted or read as a person would. */
  text: string;
  /** Accepted for compatibility and ignored: no engine supports it. */
  pitch?: number;
  /** Speech options; they take precedence over the same fields beside `text`. */
  options?: SpeechOptionsBody;
}

export interface GenerateTitleBody {
  /** The agent whose model generates the title. */
  agentId: string;
}

export interface GroupRoomView {
  id: string;
  agentId: string;
  name: string;
  source: string;
  worldId: string | null;
  messageServerId: string | null;
  /** Always `API`. */
  type: string;
}

export interface GroupView {
  worldId: string;
  rooms: readonly (GroupRoomView)[];
}

export interface HandedCallView {
  /** Id by which the caller returns the result. */
  id: string;
  name: string;
}

export interface HealthView {
  /** `OK` while at least one agent is running and the chat models respond. */
  status: "OK" | "DEGRADED";
  version: string;

  timestamp: string;
  /** Seconds since the server started. */
  uptime: number;
  /** Number of running agents. */
  agentCount: number;
  dependencies: DependenciesView;
  /** Reports of the components, such as `database` and `models`; empty for callers without a required credential. */
  checks: { [key: string]: unknown };
}

export interface HelloView {
  message: string;
}

export interface IngestBody {
  channel_id?: string;
  message_server_id?: string;
  /** Alias of `message_server_id`. */
  server_id?: string;
  author_id?: string;
  content?: string;
  author_display_name?: string | null;
  raw_message?: { [key: string]: unknown } | null;
  /** The message's id on the platform; a repeated message is stored once. */
  source_id?: string | null;
  source_type?: string;
  in_reply_to_message_id?: string | null;
  metadata?: { [key: string]: unknown } | null;
  /** The agent that should reply. */
  agentId?: string;
  /** The channel: a UUID, or its id on the platform. */
  roomId?: string;
  /** The author: a UUID, or the id on the platform. */
  userId?: string;
  text?: string;
  /** Alias of `source_id`. */
  sourceId?: string;
  /** Alias of `source_type`. */
  sourceType?: string;
  /** The platform of a batch. */
  platform?: string;
  /** The channel of a batch. */
  channelId?: string;
  messages?: readonly (ExternalMessageBody)[];
}

export interface IngestedView {
  /** Id of the first message. */
  messageId: string | null;
  /** Ids of all messages, in order. */
  messageIds: readonly (string)[];
  /** Number of messages. */
  processed: number;
  message: string;
}

export interface JobListView {
  jobs: readonly (JobView)[];
  /** Total number of jobs. */
  total: number;
  /** Number of jobs in this page. */
  filtered: number;
  /** Cursor of the next page; absent on the last page. */
  nextCursor?: string;
}

export interface JobMessageView {

  id: string;
  /** Empty when the agent did not reply. */
  content: string;
  /** The agent. */
  authorId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  metadata: { [key: string]: unknown };
}

export interface JobMetricsView {
  /** Average duration of completed jobs, ms. */
  averageProcessingTimeMs: number;
  successRate: number;
  failureRate: number;
  timeoutRate: number;
}

export interface JobResultView {
  message: JobMessageView;
  /** False when the agent chose not to reply. */
  didRespond: boolean;
  /** From question to reply, ms. */
  processingTimeMs: number;
}

export interface JobStatusCountsView {
  pending: number;
  processing: number;
  completed: number;
  failed: number;
  timeout: number;
}

export interface JobView {

  jobId: string;
  status: "completed" | "failed" | "pending" | "processing" | "timeout";
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds; without a reply by then the job is `timeout`. */
  expiresAt: number;
  /** Id of the reply, known before the reply exists; null when the question was deleted. */
  replyId: string | null;
  /** Id of the question as a message. */
  inReplyTo: string;

  agentId: string;

  userId: string;
  /** Channel of the question and the reply. */
  channelId: string;
  prompt: string;
  metadata: { [key: string]: unknown };
  /** Present when the job is completed. */
  result?: JobResultView;
  /** Why a failed or timed-out job has no reply. */
  error?: string;
  /** Error code. */
  errorCode?: string;
}

export interface JobsHealthView {
  healthy: boolean;
  /** Epoch milliseconds. */
  timestamp: number;
  totalJobs: number;
  statusCounts: JobStatusCountsView;
  metrics: JobMetricsView;
  /** Maximum number of stored jobs. */
  maxJobs: number;
}

export interface KeyView {
  /** UUID. */
  id: string;
  /** What the key is for. */
  name: string;
  /** `read`, `write` or `admin`; each scope includes the previous ones. */
  scope: string;
  /** Agents to which the key is limited; null for no limit. */
  agents: readonly (string)[] | null;
  /** Users for whom the key vouches: `all`, or a list of their ids; null for none. */
  users: unknown;
  /** ISO 8601. */
  createdAt: string;
  /** Expiry, ISO 8601; null if the key does not expire. */
  expiresAt: string | null;
  /** When it was revoked, ISO 8601; null if it is not revoked. */
  revokedAt: string | null;
  /** Last use, ISO 8601, to the minute; null if never used. */
  lastUsedAt: string | null;
}

export interface KeysView {
  /** Newest first, revoked and expired ones too. */
  keys: readonly (KeyView)[];
}

export interface LeftOutMemoryView {
  id: string;
  score: number;
  reason: "duplicate" | "limit" | "budget" | "threshold";
}

export interface LiveView {
  status: "live";
}

export interface LogEntryView {
  /** 10 trace, 20 debug, 27 success, 28 progress, 29 log, 30 info, 40 warn, 50 error, 60 fatal. */
  level: number;
  /** Epoch ms. */
  time: number;
  msg: string;

  agentId?: string;
  agentName?: string;
  /** Component that wrote the line. */
  part?: string;
  requestId?: string;
}

export interface MediaTypesView {
  /** Media types. A document may also have other types: its content decides. */
  mediaTypes: readonly (string)[];
  /** Endings of file names, with the dot. Text is accepted with any. */
  extensions: readonly (string)[];
  /** The largest file, bytes. */
  maxBytes: number;
}

export interface MediaView {
  /** Id of the file. */
  id: string;
  /** URL path of the file. Every client that knows it can read the file. */
  url: string;
  /** image, video, audio or document; for files of channels, the full media type. */
  type: string;
  /** Media type, detected from the content. */
  mimeType: string;
  /** Last segment of the URL. */
  filename: string;
  /** File name from the upload. */
  originalName: string;
  /** Bytes. */
  size: number;
}

export interface MemoriesView {
  /** Newest first. */
  memories: readonly (MemoryView)[];
  /** Whether more memories follow in the reading direction. */
  hasMore: boolean;
  /** The `before` of the next page (its `after` when newer ones are read); null on the last. */
  nextCursor: string | null;
}

export interface MemoryHistoryView {
  /** Number of the present version. */
  version: number;
  /** Former versions, newest first; the newest 100 are kept. */
  versions: readonly (MemoryVersionView)[];
  hasMore: boolean;
  /** The `before` of the next page; null on the last. */
  nextCursor: string | null;
}

export interface MemoryUseView {
  /** Used heap, bytes. */
  used: number;
  /** Total heap, bytes. */
  total: number;
  /** Resident set size, bytes. */
  rss: number;
  /** `used` as a percentage of `total`. */
  percentage: number;
}

export interface MemoryVersionView {
  /** 1, 2, 3, … */
  version: number;
  content: { [key: string]: unknown };
  metadata: { [key: string]: unknown };
  /** When the change came that replaced this version, epoch ms. */
  changedAt: number;
  /** Author of that change: the id of a caller (`everybody`, `administrator`, `key:ID`, `user:ID`, …) or `plugin:NAME`. */
  changedBy: string;
}

export interface MemoryView {
  id: string;
  /** `messages`, `facts`, `documents`, … */
  type: string;
  /** Epoch ms. */
  createdAt: number;
  /** An object; recall searches its `text`. */
  content: { [key: string]: unknown };
  /** The author. */
  entityId: string;
  agentId: string;
  roomId: string;
  worldId: string | null;
  unique: boolean;
  metadata: { [key: string]: unknown };
  /** The unit vector, if requested and present. */
  embedding?: readonly (number)[];
}

export interface MessageDeletedEventView {
  channelId: string;

  messageId: string;
}

export interface MessageEventView {

  id: string;
  channelId: string;
  authorId: string;
  authorName: string | null;
  isAgent: boolean;
  text: string;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
  /** The message's own id if it is the reply to another, else null. */
  replyId: string | null;
  /** Id of the message that it replies to, else null. */
  inReplyTo: string | null;
  /** The author's own id of the message. */
  clientMessageId?: string | null;
  metadata: { [key: string]: unknown };
}

export interface MessagePageView {
  messages: readonly (MessageView)[];
  /** Whether more messages follow in the requested direction. */
  hasMore: boolean;
  /** Absent for an empty page, as is `nextCursor`. */
  cursors?: PageTimesView;
  nextCursor?: PageCursorsView;
}

export interface MessageServerListView {
  messageServers: readonly (MessageServerView)[];
  /** The same list under its older name. */
  servers: readonly (MessageServerView)[];
  /** With a `limit`: the `cursor` of the next page; null on the last. */
  nextCursor?: string | null;
}

export interface MessageServerView {
  id: string;
  name: string;
  /** The platform that the server mirrors. */
  sourceType: string;
  /** Its id on that platform. */
  sourceId: string | null;
  metadata: { [key: string]: unknown };
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface MessageView {
  id: string;
  channelId: string;
  serverId: string;
  /** The same as `serverId`. */
  messageServerId: string;
  /** The user or agent that wrote the message. */
  authorId: string;
  authorName: string | null;
  content: string;
  /** The message as the author's client sent it; may have `text`, `thought`, `actions` and `attachments`. */
  rawMessage: { [key: string]: unknown } | null;
  /** Source of the message; `agent_response` for agents' replies. */
  sourceType: string;
  sourceId: string | null;
  metadata: { [key: string]: unknown };
  /** Id of the message replied to. */
  inReplyToRootMessageId: string | null;
  /** The same as `inReplyToRootMessageId`. */
  inReplyTo: string | null;
  /** Its own id if it is an agent's reply to `inReplyTo`, otherwise null. A message that an action sends is not the reply. */
  replyId: string | null;
  /** The author's own id for the message. */
  clientMessageId: string | null;
  isAgent: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; later than `createdAt` after an edit. */
  updatedAt: string;
  /** Position in the channel. */
  seq: number;
  /** Position in the journal. */
  offset: number;
  channel_id: string;
  server_id: string;
  message_server_id: string;
  author_id: string;
  raw_message: { [key: string]: unknown } | null;
  source_type: string;
  in_reply_to_message_id: string | null;
  /** Epoch milliseconds. */
  created_at: number;
  /** Epoch milliseconds. */
  updated_at: number;
}

export interface ModelFailureView {

  at: string;
  code: string;
  /** `key`, `quota`, `rate`, `model`, `address`, `timeout`, `service`, `response`, `context`, `request`, or null. */
  reason: string | null;
  message: string;
  /** What to do. */
  details: string;
}

export interface ModelInUseView {
  provider: string;
  model: string;
}

export interface ModelNoticeView {

  at: string;
  message: string;
  /** What to do. */
  details: string;
}

export interface ModelServiceView {
  kind: "chat" | "embeddings";
  provider: string;
  model: string;
  /** Whether an agent's settings name the service or its key. */
  ofAgent: boolean;
  /** Whether calls fail at present, for a reason that concerns every call. */
  failing: boolean;
  /** Null without a success. */
  lastSuccessAt: string | null;
  /** The last failure; null after a success. */
  lastFailure: ModelFailureView | null;
  /** What operators should know although the model responds, for an hour after it was seen last. */
  notice: ModelNoticeView | null;
}

export interface ModelTrialErrorView {
  code: string;
  message: string;
  details: string;
}

export interface ModelTrialView {
  answered: boolean;
  /** What the model said; empty when it failed. */
  text: string;
  /** Milliseconds. */
  durationMs: number;
  /** Null when it responded. */
  error: ModelTrialErrorView | null;
}

export interface ModelsInUseView {
  chat: ModelInUseView;
  /** Null when recall uses words only. */
  embeddings: ModelInUseView | null;
  /** The models of services that this process has called since it started, up to 256. */
  services: readonly (ModelServiceView)[];
}

export interface NewChannelView {
  channel: ChannelView;
  id: string;
  name: string;
  /** The message server that holds the channel. */
  serverId: string;
  /** The same as `serverId`. */
  messageServerId: string;
  /** Channel type as the creator wrote it; `text` for a channel created without one. */
  type: string;
  /** Channel type that agents use: SELF, DM, GROUP, VOICE_DM, VOICE_GROUP, FEED, THREAD, WORLD, FORUM or API. */
  channelType: string;
  description: string;
  /** The same as `description`. */
  topic: string;
  metadata: { [key: string]: unknown };
  /** The platform whose channel this one mirrors. */
  sourceType: string | null;
  /** Its id on that platform. */
  sourceId: string | null;
  /** How a message is handled that arrives while a turn is in progress: enqueue, reject or interrupt. */
  turnPolicy: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface NewJobView {

  jobId: string;
  status: "completed" | "failed" | "pending" | "processing" | "timeout";
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds; without a reply by then the job is `timeout`. */
  expiresAt: number;
  /** Id of the reply, known before the reply exists; null when the question was deleted. */
  replyId: string | null;
  /** Id of the question as a message. */
  inReplyTo: string;
}

export interface NewMessageServerView {
  id: string;
  name: string;
  /** The platform that the server mirrors. */
  sourceType: string;
  /** Its id on that platform. */
  sourceId: string | null;
  metadata: { [key: string]: unknown };
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  server: MessageServerView;
}

export interface PageCursorsView {
  /** Send as `before` for older messages. */
  before: string;
  /** Send as `after` for newer messages. */
  after: string;
}

export interface PageTimesView {
  /** Epoch ms of the oldest. */
  before: number;
  /** Epoch ms of the newest. */
  after: number;
}

export interface ParticipantListView {
  participants: readonly (ParticipantView)[];
}

export interface ParticipantView {
  id: string;
  channelId: string;
  /** Id of the user or agent; the same as `id`. */
  userId: string;
  /** The agent's name; empty for a user. */
  name: string;
  /** `agent` or `user`. */
  role: string;
  /** ISO 8601. */
  joinedAt: string;
}

export interface PendingReplyView {

  agentId: string;
  /** Id of the reply's message, once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;
}

export interface PersonalRecordView {
  /** What it is: `messages`, `memories`, `sessions`, … */
  kind: string;
  record: { [key: string]: unknown };
}

export interface PieceView {
  /** Id of the memory. */
  id: string;
  /** From 0. */
  position: number;
  /** The headings above the piece, outermost first; null without headings. */
  heading: string | null;
  /** Page of a PDF, from 1. */
  page: number | null;
}

export interface PingView {
  pong: boolean;
  /** Epoch ms. */
  timestamp: number;
}

export interface PluginComponentView {
  kind: "provider" | "model" | "action" | "evaluator" | "toolSource" | "service";
  name: string;
  description: string;
}

export interface PluginProblemView {
  plugin: string;
  /** For example `service weather` or `action WEATHER`. */
  component: string;
  /** Reason of the last failure. */
  reason: string;
  /** Number of failures. */
  count: number;
}

export interface PluginRouteView {
  type: string;
  path: string;
  name: string | null;
  public: boolean;
  /** Whether it accepts file uploads. */
  isMultipart: boolean;
  /** All paths of the route. */
  paths: readonly (string)[];
  /** Built-in routes that this route replaces: newer operations and the page at `/`. */
  shadows: readonly (string)[];
  /** For `STATIC /`: routes that take precedence over it. */
  shadowedBy: readonly (string)[];
}

export interface PluginSettingView {
  name: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** Whether the environment or a default gives it a value. Agents can have values of their own. */
  set: boolean;
}

export interface PluginView {
  name: string;
  /** File, folder or package of the plugin. */
  source: string;
  state: "failed" | "loaded";
  routes: readonly (PluginRouteView)[];
  /** Present when the plugin is loaded. */
  description?: string;
  version?: string | null;
  problems?: readonly (PluginProblemView)[];
  /** Actions, context providers, evaluators, tool sources, services and models. */
  components?: readonly (PluginComponentView)[];
  settings?: readonly (PluginSettingView)[];
  /** Why the plugin failed to load. */
  reason?: string;
}

export interface PluginsView {
  plugins: readonly (PluginView)[];
}

export interface PostChannelMessageBody {
  /** How the reply is delivered: `http` and `sync` wait for it, `websocket` (when absent) leaves it to sockets. `sse` and `stream` respond as `POST …/messages/stream` does. */
  transport?: "http" | "sync" | "websocket" | null;
  /** Older name of `transport`. */
  mode?: "http" | "sync" | "websocket" | null;
  content: string;
  /** Author of the message; may be sent as the header X-Entity-Id instead. The user of a user token or a session token when absent. */
  author_id?: string;
  authorId?: string;
  message_server_id?: string;
  server_id?: string;
  in_reply_to_message_id?: string | null;
  raw_message?: { [key: string]: unknown } | null;
  metadata?: { [key: string]: unknown } | null;
  source_type?: string;
  author_display_name?: string;
  attachments?: readonly ({ [key: string]: unknown })[] | null;
  /** The author's own id for this message; posting it again returns the stored message. */
  clientMessageId?: string;
}

export interface PostedMessageView {
  /** Id of this message. */
  inReplyTo: string | null;
  /** Id of the first pending reply; null when no agent will reply. */
  replyId: string | null;
  /** Pending replies. */
  replies: readonly (PendingReplyView)[];
  userMessage: MessageView;
  /** Null when no agent replied; absent with a transport that does not wait. */
  agentResponse?: AgentResponseView | null;
  /** All replies, if there are several. */
  agentResponses?: readonly (AgentResponseView)[];
  id: string;
  channelId: string;
  serverId: string;
  /** The same as `serverId`. */
  messageServerId: string;
  /** The user or agent that wrote the message. */
  authorId: string;
  authorName: string | null;
  content: string;
  /** The message as the author's client sent it; may have `text`, `thought`, `actions` and `attachments`. */
  rawMessage: { [key: string]: unknown } | null;
  /** Source of the message; `agent_response` for agents' replies. */
  sourceType: string;
  sourceId: string | null;
  metadata: { [key: string]: unknown };
  /** Id of the message replied to. */
  inReplyToRootMessageId: string | null;
  /** The author's own id for the message. */
  clientMessageId: string | null;
  isAgent: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; later than `createdAt` after an edit. */
  updatedAt: string;
  /** Position in the channel. */
  seq: number;
  /** Position in the journal. */
  offset: number;
  channel_id: string;
  server_id: string;
  message_server_id: string;
  author_id: string;
  raw_message: { [key: string]: unknown } | null;
  source_type: string;
  in_reply_to_message_id: string | null;
  /** Epoch milliseconds. */
  created_at: number;
  /** Epoch milliseconds. */
  updated_at: number;
}

export interface ProblemView {
  /** `plugin`: it is not loaded. `component`: a part of a plugin, such as an action or a tool server, does not work. `deliveries`: webhook deliveries that are not tried again. `turns`: an agent's failed turns of the last hour. `model`: calls of a model fail. `storage`: the store of uploaded files fails. `backup`: the scheduled backup failed or is overdue. `character`: a character file defines no agent. `fault`: a fault of the server in the last day, of which a record exists. */
  kind: "character" | "model" | "plugin" | "component" | "deliveries" | "turns" | "storage" | "backup" | "fault";
  /** Name of the plugin, agent or model that is concerned, the address of the store, the place of the backups, the character file, or the kind of a fault. */
  subject: string;
  /** One sentence. */
  message: string;
  /** The latest reason, or what to do. */
  details: string;
  /** Number of failures, up to 1,000. */
  count: number;
  /** Time of the latest failure, epoch ms; null when it is not known. */
  at: number | null;
  plugin?: string;
  agentId?: string;
}

export interface ProblemsView {
  problems: readonly (ProblemView)[];
}

export interface ProfileView {

  userId: string;
  /** At most 100, newest first, those that no longer hold included. */
  facts: readonly (FactView)[];
}

export interface ReadinessChecks {
  /** A write was committed less than a second ago. */
  database: "writable";
  /** How the server learns of writes of other processes: `connected` at once, `polled` with a delay, because a pooler drops notifications or NATS cannot be reached, `not_needed` on SQLite. */
  notifications: "connected" | "polled" | "not_needed";
  /** A warning only: `failing` while calls of a chat model of the server fail. */
  models: "healthy" | "failing";
  /** Why `notifications` is `polled`, and what to do; that an upgrade of several servers is not complete; missing otherwise. */
  advice?: string;
}

export interface ReadyView {
  status: "ready";
  checks: ReadinessChecks;
}

export interface ReasoningChunkEventView {
  text: string;
  /** Position among the parts of the reasoning, which starts again with 0. */
  index: number;
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
}

export interface RecallBody {
  /** The message for which memories are searched. */
  text: string;
  /** The user who would send the message alone. The caller's credential has to vouch for the user. Without it, only the agent's own facts and documents are searched. */
  userId?: string;
}

export interface RecallView {
  /** In the order of the prompt: oldest first. */
  memories: readonly (RecalledMemoryView)[];
  /** The lines of the prompt for these memories. */
  lines: readonly (string)[];
  documents: readonly (RecalledPassageView)[];
  leftOut: readonly (LeftOutMemoryView)[];
  /** The semantic search. */
  byMeaning: SearchOutcomeView;
  /** The search by words. */
  byWords: SearchOutcomeView;
  /** Milliseconds. */
  durationMs: number;
}

export interface RecalledMemoryView {
  id: string;
  roomId: string;
  authorId: string;
  authorName: string | null;
  /** Type of the memory: `messages`, `facts`, … */
  type: string;
  text: string;
  /** Epoch ms. */
  createdAt: number;
  /** How well the memory matches, 0 to 1. */
  score: number;
  /** Cosine similarity of its best piece, -1 to 1; null when the semantic search did not find it. */
  similarity: number | null;
  /** The searches that found it. */
  foundBy: readonly ("meaning" | "related" | "words" | "recency" | "unseen")[];
}

export interface RecalledPassageView {
  /** Id of the piece, a memory. */
  id: string;
  documentId: string;
  /** Name of the document. */
  document: string;
  /** Page and heading. */
  place: string;
  text: string;
  score: number;
}

export interface ReplayView {
  delivery: DeliveryView;
}

export interface ReplyCancelledEventView {
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
  status: "cancelled";
  code: string;
  message: string;
  details: string;
}

export interface ReplyChunkEventView {
  text: string;
  /** Rises from part to part of this reply, and may skip. */
  index: number;
  /** Attempt at the reply, from 1. */
  attempt: number;
  /** Position of the part: UTF-16 units since the last part with `reset` of the attempt. A part that is known may come again. */
  start: number;
  /** True when the text starts again: the parts before it are void. */
  reset?: boolean;
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
}

export interface ReplyCompletedEventView {
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
  status: "completed";
  /** False when the agent chose not to reply. */
  didRespond: boolean;
}

export interface ReplyEventView {
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
}

export interface ReplyFailedEventView {
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
  status: "failed";
  code: string;
  message: string;
  details: string;
}

export interface ReplySuspendedEventView {
  /** Id of the reply, and of its message once it is stored. */
  replyId: string;
  /** Id of the message replied to. */
  inReplyTo: string;

  agentId: string;
  agentName: string;
  channelId: string;
  calls: readonly (HandedCallView)[];
}

export interface RoomDetailsView {
  id: string;
  name: string;
  source: string;
  worldId: string | null;
  /** Participants, the agent first. */
  entities: readonly (RoomEntityView)[];
  agentId: string;
  /** `SELF`, `DM`, `GROUP`, `VOICE_DM`, `VOICE_GROUP`, `FEED`, `THREAD`, `WORLD`, `FORUM` or `API`. */
  type: string;
  /** The channel that the room follows. */
  channelId: string | null;
  messageServerId: string | null;
  /** The same as `messageServerId`. */
  serverId: string | null;
  metadata: { [key: string]: unknown };
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
  /** Name of the room's world, if it has one. */
  worldName?: string;
}

export interface RoomEntityView {
  id: string;
  name: string;
}

export interface RoomView {
  id: string;
  name: string;
  source: string;
  worldId: string | null;
  /** Participants, the agent first. */
  entities: readonly (RoomEntityView)[];
  agentId: string;
  /** `SELF`, `DM`, `GROUP`, `VOICE_DM`, `VOICE_GROUP`, `FEED`, `THREAD`, `WORLD`, `FORUM` or `API`. */
  type: string;
  /** The channel that the room follows. */
  channelId: string | null;
  messageServerId: string | null;
  /** The same as `messageServerId`. */
  serverId: string | null;
  metadata: { [key: string]: unknown };
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
}

export interface RoomsView {
  /** Oldest first. */
  rooms: readonly (RoomView)[];
  /** The `after` of the next page; null on the last. */
  nextCursor: string | null;
}

export interface RunActionsView {
  /** Names of those that the model could call. */
  offered: readonly (string)[];
  refused: readonly (RunRefusedActionView)[];
}

export interface RunBudgetsView {
  recall: number;
  documents: number;
  conversation: number;
}

export interface RunContextView {
  /** Best first. */
  memories: readonly (RunMemoryView)[];
  /** Best first. */
  documents: readonly (RunPassageView)[];
  leftOut: readonly (RunLeftOutView)[];
  /** Files of the conversation. */
  files: readonly (RunFileView)[];
  /** The parts of the prompt, in their order; empty when the run recorded none. */
  parts: readonly (RunPartView)[];
  profile: readonly (RunFactView)[];
  /** Null without a summary. */
  summary: RunSummaryTextView | null;
  /** Null when the run did not record it. */
  conversation: RunConversationView | null;
  /** Null when the run did not record it. */
  tokens: RunTokensView | null;
  /** Null when the run did not record it. */
  budgets: RunBudgetsView | null;
  /** Null without any. */
  actions: RunActionsView | null;
  /** Share of the budgets, 0 to 1: less than 1 when the model could not read a whole prompt. */
  share: number;
  /** Tokens of the prompt that the service read, when it left out a part without saying so; else null. */
  readTokens: number | null;
  /** The semantic search. */
  byMeaning: SearchOutcomeView;
  /** The search by words. */
  byWords: SearchOutcomeView;
}

export interface RunConversationView {
  messages: number;
  /** Messages that did not fit and that no summary has. */
  leftOut: number;
}

export interface RunCountsView {
  /** Completed actions. */
  actions: number;
  /** Completed model calls. */
  modelCalls: number;
  /** Failed actions, evaluators and attempts. */
  errors: number;
  /** Completed evaluators. */
  evaluators: number;
}

export interface RunEventView {
  type: "RUN_STARTED" | "MEMORY_RECALLED" | "PROMPT_SENT" | "MODEL_USED" | "ACTION_STARTED" | "ACTION_COMPLETED" | "EVALUATOR_COMPLETED" | "RUN_ENDED";
  /** Epoch ms. */
  timestamp: number;
  /** Details of the event: names, tokens, durations, results. For MEMORY_RECALLED: the memories found, and what was skipped and why. For PROMPT_SENT (RUN_PROMPTS): the prompt of the model call, with its messages, tools and parameters. */
  data: { [key: string]: unknown };
}

export interface RunFactView {
  /** Id of the memory. */
  id: string;
  /** Null when it has been deleted. */
  text: string | null;
  /** Epoch ms; null when it has been deleted. */
  createdAt: number | null;
}

export interface RunFileView {
  id: string;
  /** Null when it has been deleted. */
  name: string | null;
  /** `file`: the model received it unchanged. `whole`: its text was in the prompt. `part`: pieces of its text were. `none`: nothing of it fitted or matched, or it is no document. `unread`: it could not be read. */
  use: "file" | "whole" | "part" | "none" | "unread";
  /** Pieces of its text in the prompt. */
  shown: number;
  /** Pieces of its text. */
  pieces: number;
}

export interface RunLeftOutView {
  id: string;
  score: number;
  /** `duplicate`: a newer memory says the same. `limit`: there were enough better ones. `budget`: it did not fit. `threshold`: it is not similar enough. */
  reason: "duplicate" | "limit" | "budget" | "threshold";
  /** Type of the memory; null when it has been deleted. */
  type: string | null;
  /** The first 1,000 characters; null when it has been deleted. */
  text: string | null;
  authorName: string | null;
  /** Epoch ms; null when it has been deleted. */
  createdAt: number | null;
  /** Name of the document, for a piece of one. */
  document: string | null;
}

export interface RunMemoryView {
  id: string;
  /** The room that it belongs to. */
  roomId: string;
  /** How well the memory matched, 0 to 1. */
  score: number;
  /** Cosine similarity of its best piece, -1 to 1; null when the semantic search did not find it. */
  similarity: number | null;
  /** The searches that found it. */
  foundBy: readonly ("meaning" | "related" | "words" | "recency" | "unseen")[];
  /** Type of the memory: `messages`, `facts`, …; null when it has been deleted. */
  type: string | null;
  /** The first 1,000 characters; null when it has been deleted. */
  text: string | null;
  authorName: string | null;
  /** Epoch ms; null when it has been deleted. */
  createdAt: number | null;
}

export interface RunPartView {
  /** `character`, `profile`, `documents`, `recall`, `summary`, `instruction`, `providers`, `conversation`, `message`, … */
  name: string;
  /** Estimated. */
  tokens: number;
  /** Tokens at most; null for a part without a limit. */
  budget: number | null;
  /** The memories that the part chose. Those of `recall` and `documents` are in lists of their own. */
  memories: readonly (RunFactView)[];
}

export interface RunPassageView {
  /** Id of the piece, a memory. */
  id: string;
  /** The number by which the reply refers to it, as in `[1]`. */
  number: number | null;
  score: number;
  similarity: number | null;
  foundBy: readonly ("meaning" | "related" | "words" | "recency" | "unseen")[];
  /** Null when the document has been deleted. */
  documentId: string | null;
  /** Name of the document; null when it has been deleted. */
  document: string | null;
  /** Page and heading; empty when the document has none. */
  place: string;
  /** Address of a document from the web. */
  url: string | null;
  /** The first 1,000 characters; null when it has been deleted. */
  text: string | null;
}

export interface RunRefusedActionView {
  name: string;
  plugin: string;
  /** `condition`: its condition did not hold. `failed`: its condition failed. `name`: another action has its name. */
  reason: "failed" | "plugin" | "condition" | "name";
  /** At most 500 characters. */
  details: string;
}

export interface RunStageView {
  /** `waiting` is the time from the message to the first attempt. An `attempt` contains the stages that follow it. `context` collects conversation, profile and memories, and contains `recall`. `offer` asks the conditions of actions and the tool sources. `storing` writes the reply. Evaluators run after it. */
  kind: "waiting" | "attempt" | "context" | "recall" | "provider" | "offer" | "model" | "action" | "storing" | "evaluator";
  /** Name of the context provider, the model, the action or the evaluator; else the kind. */
  name: string;
  /** Epoch ms. */
  startedAt: number;
  /** Milliseconds; null while the stage runs. That of `storing` is known for the newest runs of the process that is asked. */
  durationMs: number | null;
  /** 1, 2, 3, …; 0 for `waiting`. */
  attempt: number;
  /** Why the stage failed. */
  error?: string;
  /** Provider of the model. */
  provider?: string;
  /** Tokens of the prompt; null when the service did not report them. */
  inputTokens?: number | null;
  /** Tokens of the reply; null when the service did not report them. */
  outputTokens?: number | null;
  /** US dollars; null when MODEL_PRICES has no price for the model, or the tokens are not known. */
  costUsd?: number | null;
  /** Milliseconds until the first text or call of the model. */
  firstTokenMs?: number;
  /** Why the model stopped: `stop`, `length`, `tool-calls`, … */
  finishReason?: string;
  /** Arguments of the action: JSON, at most 2,000 characters. */
  arguments?: string;
  /** Result of the action: its text or JSON, at most 2,000 characters. */
  result?: string;
}

export interface RunSummaryTextView {
  /** Number of messages that it summarises. */
  messages: number;
  /** Null when it has been extended or deleted since. */
  text: string | null;
}

export interface RunSummaryView {
  /** Id of the run; equal to the id of its reply. */
  runId: string;
  status: "error" | "completed" | "timeout" | "started";
  /** Id of the agent. */
  agentId: string;
  /** Null for an agent that has been deleted. */
  agentName: string | null;
  /** When its message was stored, epoch ms. */
  createdAt: number;
  /** When the run started, epoch ms; null while it is queued. */
  startedAt: number | null;
  /** Epoch ms; null until the run ends. */
  endedAt: number | null;
  /** ms; null until the run ends. */
  durationMs: number | null;
  /** Id of the message replied to. */
  messageId: string;
  /** Id of the agent's room. */
  roomId: string;
  /** Id of the message's channel. */
  channelId: string;
  /** Id of the message's author; null when the message was deleted. */
  entityId: string | null;
  /** The first 300 characters of the message replied to; null when it was deleted. */
  question: string | null;
  /** The first 300 characters of the reply; null without one. */
  answer: string | null;
  /** Number of attempts (`attempts`), and the error of a run that ended without a reply (`error`). */
  metadata: { [key: string]: unknown };
  counts: RunCountsView;
  /** Tokens of the prompts of its completed model calls; null when no call reported them. */
  inputTokens: number | null;
  /** Tokens of the replies; null when no call reported them. */
  outputTokens: number | null;
  /** US dollars at the prices of MODEL_PRICES; null when that of a call is not known. */
  costUsd: number | null;
  /** Code of the error of a run that ended without a reply; else null. */
  errorCode: string | null;
}

export interface RunTokensView {
  character: number;
  /** Facts about the user. */
  profile: number;
  /** Recalled memories. */
  recall: number;
  /** Pieces of documents. */
  documents: number;
  /** Text of the context providers. */
  providers: number;
  summary: number;
  conversation: number;
  /** The message to reply to. */
  message: number;
}

export interface RunView {
  summary: RunSummaryView;
  /** By start. */
  stages: readonly (RunStageView)[];
  /** What the prompt used and left out; null until the agent has recalled. */
  context: RunContextView | null;
  /** Whether the run has the prompt of a model call, as an event PROMPT_SENT. */
  promptRecorded: boolean;
  /** The setting that has prompts recorded. */
  promptSetting: "RUN_PROMPTS";
  /** Whether the setting is on, for the runs to come. */
  promptSettingOn: boolean;
  events: readonly (RunEventView)[];
}

export interface RunsView {
  runs: readonly (RunSummaryView)[];
  /** Number of matching runs, counted up to 1000. */
  total: number;
  hasMore: boolean;
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
}

export interface RuntimeAgentView {

  id: string;
  name: string;
  status: "active" | "inactive";
}

export interface RuntimeView {
  version: string;
  /** Version of Node.js. */
  node: string;
  platform: string;
  /** Seconds. */
  uptime: number;
  agents: readonly (RuntimeAgentView)[];
  /** Number of running agents. */
  activeAgents: number;
  /** Open HTTP and socket connections. */
  connections: number;
  /** Memory by kind, bytes: `rss` of the process, `heapUsed` and others. */
  memory: { [key: string]: number };
}

export interface SaidBody {
  text: string;
}

export interface SearchMessagesBody {
  /** Words, and phrases in double quotes; a message must contain all of them. When absent, only the filters apply. */
  query?: string;
  channelId?: string;
  authorId?: string;
  /** Earliest time of a message: epoch milliseconds or ISO 8601. */
  from?: number | string;
  /** Latest time of a message: epoch milliseconds or ISO 8601. */
  to?: number | string;
  /** Page size, 1 to 100; 50 when absent. */
  limit?: number;
  /** `nextCursor` of the previous page. */
  cursor?: string;
  /** Number of messages to skip. Prefer a cursor, which is stable while messages are stored and deleted. */
  offset?: number;
  /** Page number, from 1; alternative to `offset`. */
  page?: number;
}

export interface SearchOutcomeView {
  /** Number of memories and pieces of documents. */
  found?: number;
  /** Reason; see the guide "Memory". */
  skipped?: "failed" | "cancelled" | "no_question" | "off" | "nothing_embedded" | "nothing_allowed" | "cold" | "late" | "resting" | "language";
  /** Milliseconds since the start of the recall. */
  durationMs: number;
}

export interface ServerAgent {
  messageServerId: string;
  agentId: string;
  message: string;
}

export interface ServerAgentView {
  /** Always true. */
  success: boolean;
  data: ServerAgent;
  messageServerId: string;
  agentId: string;
  message: string;
}

export interface ServerAgents {
  messageServerId: string;
  /** Ids of the server's agents. */
  agents: readonly (string)[];
}

export interface ServerAgentsView {
  /** Always true. */
  success: boolean;
  data: ServerAgents;
  messageServerId: string;
  /** Ids of the server's agents. */
  agents: readonly (string)[];
}

export interface ServerConfigView {
  /** Whether operations need an API key. */
  requiresAuth: boolean;
}

export interface ServerEntryView {

  id: string;
  name: string;
  /** Always `active`. */
  status: string;
  /** Ids of its agents. */
  agents: readonly (string)[];
  sourceType: string;
  sourceId: string | null;
  metadata: { [key: string]: unknown };
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface ServerEnvironmentView {
  /** `sqlite` or `postgres`. */
  database: string;
  /** The models in use. */
  models: { [key: string]: unknown };
  /** Names of the set variables. */
  configured: readonly (string)[];
}

export interface ServerLogsView {
  logs?: readonly (LogEntryView)[];
  /** Number of lines in `logs`. */
  count?: number;
  /** Number of matching lines. */
  total?: number;
  requestedLevel?: string;
  /** Same as `requestedLevel`. */
  level?: string;
  agentName?: string;
  agentId?: string;
  /** Level names, most severe first. */
  levels?: readonly (string)[];
  /** Number of added lines. */
  received?: number;
}

export interface ServerModelBody {
  /** The service, or one that is compatible with it. */
  provider: "openai" | "anthropic" | "ollama";
  /** Name of the model at the service. */
  model: string;
  /** Base URL of the API; that of the provider when it is absent or null. */
  address?: string | null;
  /** API key, stored encrypted. Absent: the stored key stays when provider and address stay; null: no key. */
  key?: string | null;
}

export interface ServerModelView {
  /** The origin of the choice: variables of the environment, an administrator, or nothing, so that the offline responder replies. */
  source: "none" | "environment" | "administrator";
  /** `openai`, `anthropic`, `ollama` or `offline`. */
  provider: string;
  model: string;
  /** The address that an administrator has given; null for the usual one of the provider. */
  address: string | null;
  /** Whether a key is stored. */
  hasKey: boolean;
  /** Variables of the environment that choose the model: while one is set, it cannot be changed here. */
  variables: readonly (string)[];
  /** Whether addresses of this machine are allowed: when the server listens on loopback, or OUTBOUND_ALLOWED_NETWORKS names it. */
  localAddresses: boolean;
}

export interface ServersView {
  servers: readonly (ServerEntryView)[];
  count: number;
}

export interface SessionEventView {

  sessionId: string;

  channelId: string;

  agentId: string;
  userId: string;
  expiresAt: number | string;
  /** When the warning of this life period is due. */
  warnsAt: number | string;
  renewalCount?: number;
  /** Of a warning. */
  minutesRemaining?: number;
  /** Of a warning, ms. */
  timeRemaining?: number;
}

export interface SessionListView {
  sessions: readonly (SessionResponse)[];
  /** Total number of live sessions that match the query. */
  total: number;
  stats: SessionStatsView;
}

export interface SessionMessageBody {
  /** How the reply is delivered: `http` and `sync` wait for it, `websocket` (when absent) leaves it to sockets. `sse` and `stream` respond as `POST …/messages/stream` does. */
  transport?: "http" | "sync" | "websocket" | null;
  /** Older name of `transport`. */
  mode?: "http" | "sync" | "websocket" | null;
  /** Text of 1 to 4000 characters. */
  content: string;
  /** A list of objects with type, url and name. */
  attachments?: readonly ({ [key: string]: unknown })[] | null;
  /** An object of at most 10,240 characters of JSON. */
  metadata?: { [key: string]: unknown } | null;
  /** The user's own id for this message; posting it again returns the stored message. */
  clientMessageId?: string;
}

export interface SessionMessageFields {
  /** Text of 1 to 4000 characters. */
  content: string;
  /** A list of objects with type, url and name. */
  attachments?: readonly ({ [key: string]: unknown })[] | null;
  /** An object of at most 10,240 characters of JSON. */
  metadata?: { [key: string]: unknown } | null;
  /** The user's own id for this message; posting it again returns the stored message. */
  clientMessageId?: string;
}

export interface SessionPostedView {
  /** Id of the user's message. */
  id: string;
  content: string;

  authorId: string;

  createdAt: string;
  metadata: { [key: string]: unknown };
  success: boolean;
  /** Id of the user's message, to which the reply belongs. */
  inReplyTo: string;
  /** Id of the pending reply; null when no agent will reply. */
  replyId: string | null;
  /** Pending replies. */
  replies: readonly (PendingReplyView)[];
  userMessage: MessageView;
  /** Null when the agent did not reply; absent with a transport that does not wait. */
  agentResponse?: AgentResponseView | null;
  /** All replies, if there are several. */
  agentResponses?: readonly (AgentResponseView)[];
  sessionStatus: SessionStatusView;
}

export interface SessionResponse {

  sessionId: string;

  agentId: string;

  userId: string;

  createdAt: string;

  expiresAt: string;
  /** As given at creation. */
  metadata: { [key: string]: unknown };
  timeoutConfig: TimeoutConfigView;
  /** The channel of the session's messages. */
  channelId: string;

  lastActivity: string;
  renewalCount: number;
  /** Milliseconds until the session expires. */
  timeRemaining: number;
  /** Whether the warning threshold is reached. */
  isNearExpiration: boolean;
  status: "active" | "expiring" | "expired" | "ended";
  /** Session token, valid for this session only; returned at creation if the server requires credentials. */
  token?: string;
}

export interface SessionStatsView {
  totalSessions: number;
  activeSessions: number;
  /** Expired sessions that still return 410. */
  expiredSessions: number;
}

export interface SessionStatusView {

  expiresAt: string;
  renewalCount: number;
  /** Whether this message renewed the session. */
  wasRenewed: boolean;
  isNearExpiration: boolean;
}

export interface SessionsHealthView {
  /** `degraded`: warnings and expiries are currently not announced. */
  status: "healthy" | "degraded";
  activeSessions: number;
  expiringSoon: number;

  timestamp: string;
  /** Seconds since the server started. */
  uptime: number;
}

export interface SpeechInUseView {
  /** Null when disabled. */
  synthesis: EngineInUseView | null;
  /** Null when disabled. */
  transcription: EngineInUseView | null;
}

export interface SpeechOptionsBody {
  /** `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`. */
  format?: "wav" | "mp3" | "mpeg" | "ogg";
  /** Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
  speed?: number;
  /** Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's voice. */
  voice?: string;
  /** BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
  language?: string;
}

export interface StageTimesView {
  transcription: number;
  /** From the message to the reply. */
  turn: number;
  synthesis: number;
  total: number;
}

export interface StartedView {
  status: "started";
}

export interface StatisticsBucketView {
  /** Messages that agents were asked to reply to, and their replies. */
  messages: number;
  /** Completed turns. */
  completed: number;
  failed: number;
  cancelled: number;
  /** Turns that have not ended. */
  pending: number;
  /** Median time from a message to its reply, ms, within 10 %; null without replies. */
  durationP50Ms: number | null;
  /** The time that 95 % of the replies took at most, ms, within 10 %; null without replies. */
  durationP95Ms: number | null;
  /** Calls of language models, including those of summaries and of extracted facts. */
  modelCalls: number;
  /** As reported by the services. */
  inputTokens: number;
  /** As reported by the services. */
  outputTokens: number;
  /** US dollars of the models with a price in MODEL_PRICES; null without any. */
  costUsd: number | null;
  /** Beginning of the bucket, epoch ms. */
  at: number;
  /** Resident memory of all processes, bytes, each at its largest; null without samples, and for callers limited to agents. */
  memoryBytes: number | null;
  /** Size of the database, bytes; null as `memoryBytes`. */
  databaseBytes: number | null;
}

export interface StatisticsFiguresView {
  /** Messages that agents were asked to reply to, and their replies. */
  messages: number;
  /** Completed turns. */
  completed: number;
  failed: number;
  cancelled: number;
  /** Turns that have not ended. */
  pending: number;
  /** Median time from a message to its reply, ms, within 10 %; null without replies. */
  durationP50Ms: number | null;
  /** The time that 95 % of the replies took at most, ms, within 10 %; null without replies. */
  durationP95Ms: number | null;
  /** Calls of language models, including those of summaries and of extracted facts. */
  modelCalls: number;
  /** As reported by the services. */
  inputTokens: number;
  /** As reported by the services. */
  outputTokens: number;
  /** US dollars of the models with a price in MODEL_PRICES; null without any. */
  costUsd: number | null;
}

export interface StatisticsView {
  /** Epoch ms. */
  from: number;
  /** Epoch ms, exclusive. */
  to: number;
  bucket: "hour" | "day";
  totals: StatisticsFiguresView;
  /** All buckets of the range, oldest first. */
  buckets: readonly (StatisticsBucketView)[];
  /** Resident memory of the process that responds, bytes; null for callers limited to agents. */
  memoryBytes: number | null;
  /** Present size of the database, bytes; null for callers limited to agents. */
  databaseBytes: number | null;
}

export interface StatusView {
  status: "ok";
  /** Number of running agents. */
  agentCount: number;

  timestamp: string;
  agents: AgentCountsView;
  memory: MemoryUseView;
  /** Seconds since the server started. */
  uptime: number;
  version: string;
  models: ModelsInUseView;
  /** Host of the service of the chat model, when it is compatible with the provider and not the provider's own; else null. */
  modelHost: string | null;
  speech: SpeechInUseView;
  /** Protocols of others that the server speaks, as the setting PROTOCOLS names them. */
  protocols: readonly (string)[];
  /** Absolute path of the data folder; null for callers without administrator access. */
  dataFolder: string | null;
  /** What the caller may do: `admin` includes `write`, and `write` includes `read`. Null without a credential. */
  scope: "read" | "write" | "admin" | null;
}

export interface StoppedAgentView {

  id: string;
  name: string;
  status: "active" | "inactive";
  message: string;
}

export interface StoppingView {
  success: boolean;
  message: string;
}

export interface SubmitBody {
  channel_id?: string;
  channelId?: string;
  server_id?: string;
  message_server_id?: string;
  serverId?: string;
  messageServerId?: string;
  author_id?: string;
  authorId?: string;
  /** Alias of `author_id`. */
  agentId?: string;
  content: string;
  source_type?: string;
  sourceType?: string;
  raw_message?: { [key: string]: unknown };
  rawMessage?: { [key: string]: unknown };
  metadata?: { [key: string]: unknown } | null;
  /** Id for the stored message, chosen by the caller. */
  messageId?: string;
  in_reply_to_message_id?: string | null;
  inReplyToMessageId?: string | null;
}

export interface SubmitLogsBody {
  /** Up to 1000 lines. Without it, the request reads the log. */
  logs?: readonly (SubmittedLineBody)[];
}

export interface SubmittedLineBody {
  level: "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace";
  message: string;
  /** Source of the line. */
  source?: string;
  metadata?: { [key: string]: unknown } | null;
}

export interface SummaryView {

  roomId: string;
  text: string;
  /** Number of messages that it summarises. */
  messages: number;
  /** Position in the channel of the first message that it summarises. */
  fromSeq: number;
  /** Position in the channel of the last message that it summarises. */
  throughSeq: number;
  /** Provider and id of the model that wrote it. */
  model: string;
  /** Epoch ms. */
  createdAt: number;
}

export interface SyncChannelsBody {
  channels: readonly (SyncedChannelBody)[];
}

export interface SyncedChannelBody {
  /** Its id on that platform; entries with the same id are the same channel. */
  sourceId: string;
  name: string;
  /** Channel type: any known name or alias. */
  type?: string;
  description?: string | null;
  metadata?: { [key: string]: unknown };
}

export interface SyncedView {
  synced: number;
  /** Ids of the channels, in the order of the request. */
  channelIds: readonly (string)[];
}

export interface SynthesizeBody {
  /** The text to speak. Markdown, emoji and links are omitted or read as a person would. */
  text?: string;
  /** Id of a message in a channel of the agent; its text is spoken. */
  messageId?: string;
  /** Speech options; they take precedence over the same fields beside `text`. */
  options?: SpeechOptionsBody;
  /** `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`. */
  format?: "wav" | "mp3" | "mpeg" | "ogg";
  /** Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
  speed?: number;
  /** Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's voice. */
  voice?: string;
  /** BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
  language?: string;
}

export interface TeeAgentView {

  id: string;
  name: string;
  /** Always null: quotes are created on request. */
  attestation: string | null;
}

export interface TeeAgentsView {
  agents: readonly (TeeAgentView)[];
}

export interface TeeStatusView {
  /** `PRODUCTION` when the machine issues quotes, else `OFF`. */
  mode: "OFF" | "PRODUCTION";
  /** Kind of confidential VM; null when the machine is not one. */
  vendor: "sev-snp" | "tdx" | null;
  /** Whether `POST /api/tee/attestation` is available. */
  attestation: boolean;
  devices: readonly (TrustedDeviceView)[];
}

export interface TimeoutConfigBody {
  timeoutMinutes?: number;
  autoRenew?: boolean;
  maxDurationMinutes?: number;
  warningThresholdMinutes?: number;
}

export interface TimeoutConfigView {
  /** Inactivity timeout, minutes, 5 to 1440. */
  timeoutMinutes: number;
  /** Whether activity renews the session. */
  autoRenew: boolean;
  /** Maximum duration, minutes. */
  maxDurationMinutes: number;
  /** Time before the expiry at which the warning is sent, minutes. */
  warningThresholdMinutes: number;
}

export interface TitleView {
  /** Null when the conversation is too short. */
  title: string | null;

  channelId: string;
  /** Why the title is null. */
  reason?: string;
}

export interface TranscriptSegmentView {
  text: string;
  /** Seconds from the start of the recording. */
  startSeconds: number;
  endSeconds: number;
  /** Confidence, 0 to 1; absent when the engine does not report it. */
  confidence?: number;
}

export interface TranscriptionView {
  /** Empty for a silent recording. */
  text: string;
  segments: readonly (TranscriptSegmentView)[];
  /** Provider of the engine, such as `embedded` or `openai`. */
  provider: string;
  /** Name of the engine or model. */
  engine: string;
  /** BCP 47 tag; null when neither the request nor the engine named a language. */
  language: string | null;
  /** Duration of the recording; null when unknown. */
  durationSeconds: number | null;
  /** Media type, detected from the content. */
  mediaType: string;
  /** The `userId` of the request; null when it had none. */
  userId: string | null;
}

export interface TrustedDeviceView {
  kind: "sev-snp" | "tdx" | "tpm";
  path: string;
}

export interface UiChatBody {
  /** Names the conversation. Of its own user or key; or the id of a session or channel of the agent. */
  id: string;
  /** The whole conversation, as `UIMessage`s. */
  messages?: readonly ({ [key: string]: unknown })[] | null;
  /** In place of `messages`: only the last message. The agent then reads what the server has of the conversation. */
  message?: { [key: string]: unknown } | null;
  trigger?: "submit-message" | "regenerate-message" | null;
  /** Of the message that is replaced. */
  messageId?: string | null;
  /** Instructions, in front of those of system messages. */
  system?: string | null;
  /** Tools that run in the browser: `{ name: { description, inputSchema } }`, or a list in the form of Chat Completions. */
  tools?: { [key: string]: unknown } | readonly ({ [key: string]: unknown })[] | null;
}

export interface UndoMemoryBody {
  /** Number of the former version to restore. Defaults to the one before the present version. */
  version?: number;
}

export interface UpdateActionBody {
  content?: string;
  /** Replaces the stored metadata. */
  metadata?: { [key: string]: unknown };
  /** Replaces the stored one. */
  raw_message?: { [key: string]: unknown };
  source_type?: string;
  in_reply_to_message_id?: string;
  author_id?: string;
  /** The message's id on its platform of origin. */
  server_message_id?: string;
}

export interface UpdateAgentBody {
  name?: string;
  username?: string | null;
  /** System prompt. */
  system?: string | null;
  /** Texts by name, such as `replyTemplate`. */
  templates?: { [key: string]: unknown } | null;
  /** Text, or a list of texts. */
  bio?: string | readonly (string)[];
  /** Text, or a list of texts. */
  lore?: string | readonly (string)[] | null;
  /** Conversations, each a list of `{ name, content }`. */
  messageExamples?: readonly (readonly ({ [key: string]: unknown })[])[] | null;
  postExamples?: readonly (string)[] | null;
  topics?: readonly (string)[] | null;
  adjectives?: readonly (string)[] | null;
  /** Facts, and documents below the characters folder. */
  knowledge?: readonly (string | { [key: string]: unknown })[] | null;
  /** Names of plugins. */
  plugins?: readonly (string)[] | null;
  settings?: { [key: string]: unknown } | null;
  secrets?: { [key: string]: unknown } | null;
  /** Lists of texts under `all`, `chat` and `post`. */
  style?: { [key: string]: unknown } | null;
}

export interface UpdateChannelBody {
  name?: string;
  /** Replaces the stored metadata; with `?metadata=merge` it is merged into it. */
  metadata?: { [key: string]: unknown };
  description?: string | null;
  topic?: string | null;
  /** The complete list of participants. */
  participantCentralUserIds?: readonly (string)[];
  turnPolicy?: "enqueue" | "reject" | "interrupt";
}

export interface UpdateEnvironmentBody {
  /** Values by variable name: text, a number or true/false sets the variable, null removes it, a mask leaves it unchanged. */
  content: { [key: string]: unknown };
  /** False removes variables that `content` does not name. Defaults to true. */
  merge?: boolean;
}

export interface UpdateMemoryBody {
  /** Replaces the stored content. */
  content?: string | { [key: string]: unknown };
  /** Replaces the stored metadata, except for the reference to the recorded message. */
  metadata?: { [key: string]: unknown };
  /** A vector of the configured embedding model's dimension. */
  embedding?: readonly (number)[];
}

export interface UpdateMessageBody {
  content?: string;
  /** Replaces the stored metadata. */
  metadata?: { [key: string]: unknown };
}

export interface UpdateRoomBody {
  name?: string;
  /** Merged into the stored metadata, key by key. */
  metadata?: { [key: string]: unknown };
}

export interface UpdateWorldBody {
  name?: string;
  /** Merged into the stored metadata, key by key. */
  metadata?: { [key: string]: unknown };
  /** Merged into `metadata.settings`, key by key. */
  settings?: { [key: string]: unknown };
}

export interface UpdatedMemoryView {
  id: string;
  /** `messages`, `facts`, `documents`, … */
  type: string;
  /** Epoch ms. */
  createdAt: number;
  /** An object; recall searches its `text`. */
  content: { [key: string]: unknown };
  /** The author. */
  entityId: string;
  agentId: string;
  roomId: string;
  worldId: string | null;
  unique: boolean;
  metadata: { [key: string]: unknown };
  /** The unit vector, if requested and present. */
  embedding?: readonly (number)[];
  message: string;
  /** The memory after the update. */
  memory: MemoryView;
}

export interface UpdatedWorldView {
  world: WorldView;
  worldId: string;
  /** The value of `metadata.settings`. */
  settings: { [key: string]: unknown };
}

export interface UserChannelView {
  id: string;
  name: string;
  /** The message server that holds the channel. */
  serverId: string;
  /** The same as `serverId`. */
  messageServerId: string;
  /** Channel type as the creator wrote it; `text` for a channel created without one. */
  type: string;
  /** Channel type that agents use: SELF, DM, GROUP, VOICE_DM, VOICE_GROUP, FEED, THREAD, WORLD, FORUM or API. */
  channelType: string;
  description: string;
  /** The same as `description`. */
  topic: string;
  metadata: { [key: string]: unknown };
  /** The platform whose channel this one mirrors. */
  sourceType: string | null;
  /** Its id on that platform. */
  sourceId: string | null;
  /** How a message is handled that arrives while a turn is in progress: enqueue, reject or interrupt. */
  turnPolicy: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** Ids of the agents in the channel. */
  agents: readonly (string)[];
}

export interface UserChannelsView {
  channels: readonly (UserChannelView)[];
  /** With a key that is limited to agents, a page can have fewer channels than its size, or none, and still have a next one. */
  hasMore: boolean;
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
}

export interface UserExportView {

  userId: string;
  records: readonly (PersonalRecordView)[];
}

export interface VersionView {
  version: string;
  source: "server";

  timestamp: string;
  environment: string;
  /** Seconds since the server started. */
  uptime: number;
}

export interface VoiceView {
  /** Id for the field `voice`. */
  id: string;
  name: string;
  /** BCP 47 tag. */
  language: string;
  gender?: string;
  description?: string;
  /** Whether this is the engine's default voice. */
  isDefault: boolean;
}

export interface VoicesView {
  /** Provider of the engine, such as `embedded` or `openai`. */
  provider: string;
  /** Name of the engine or model. */
  engine: string;
  /** Supported languages (BCP 47); null when the engine accepts any. */
  languages: readonly (string)[] | null;
  /** Voice in the agent's character; null when the character names none. */
  agentVoice: string | null;
  voices: readonly (VoiceView)[];
}

export interface WebsocketView {
  protocol: "socket.io";
  /** Version of the Engine.IO protocol, as in its query parameter EIO. */
  version: 4;
  /** Path at which the socket is opened, over WebSocket or long polling. */
  path: string;
  transports: readonly ("websocket" | "polling")[];
  /** Fields of the handshake's `auth`. */
  auth: readonly (string)[];
  /** Document that describes the events. */
  documentation: string;
}

export interface WorldView {
  id: string;
  name: string;
  agentId: string;
  /** Empty when not given. */
  sourceType: string;
  /** Empty when not given. */
  sourceId: string;
  metadata: { [key: string]: unknown };
  messageServerId: string | null;
  /** The same as `messageServerId`. */
  serverId: string | null;
  /** Epoch ms. */
  createdAt: number;
}

export interface WorldsView {
  /** Oldest first. */
  worlds: readonly (WorldView)[];
  /** The `after` of the next page; null on the last. */
  nextCursor: string | null;
}

