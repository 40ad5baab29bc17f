// Made by npm run docs from docs/reference/openapi.json.

export interface paths {
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the API keys, newest first, without their texts. */
        get: operations["keysList"];
        put?: never;
        /** Creates an API key. Only this response contains its text. */
        post: operations["keysCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes an API key, immediately and permanently. */
        delete: operations["keysRevoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Worlds of all agents, oldest first. */
        get: operations["allWorldsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/groups/{messageServerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a room of a message server for each agent. Returns a list of rooms, or `{ worldId, rooms }` when the body names no agents. */
        post: operations["groupsCreate"];
        /** Deletes the rooms of a world or message server with their memories; rooms that follow channels stay, empty. */
        delete: operations["groupsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/groups/{messageServerId}/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes all agents' memories of a world or message server. */
        delete: operations["groupsForget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a world for an agent. With a `worldId` instead of a name, the agent joins that world. */
        post: operations["worldsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/worlds/{worldId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes a world of an agent. */
        patch: operations["worldsUpdate"];
        trace?: never;
    };
    "/api/agents/{agentId}/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rooms of an agent, oldest first. */
        get: operations["roomsList"];
        put?: never;
        /** Creates a room for an agent. */
        post: operations["roomsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rooms of an agent, oldest first. */
        get: operations["roomsListAlias1"];
        put?: never;
        /** Creates a room for an agent. */
        post: operations["roomsCreateAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/rooms/{roomId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A room of an agent, by its id or by the id of the channel that it follows. */
        get: operations["roomsRead"];
        put?: never;
        post?: never;
        /** Deletes a room with its memories. */
        delete: operations["roomsDelete"];
        options?: never;
        head?: never;
        /** Renames a room of an agent, or merges metadata into its own. */
        patch: operations["roomsUpdate"];
        trace?: never;
    };
    "/api/memory/{agentId}/rooms/{roomId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A room of an agent, by its id or by the id of the channel that it follows. */
        get: operations["roomsReadAlias1"];
        put?: never;
        post?: never;
        /** Deletes a room with its memories. */
        delete: operations["roomsDeleteAlias1"];
        options?: never;
        head?: never;
        /** Renames a room of an agent, or merges metadata into its own. */
        patch: operations["roomsUpdateAlias1"];
        trace?: never;
    };
    "/api/agents/{agentId}/rooms/{roomId}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The summary of a long conversation, and the messages that it summarises. The id of a channel selects the room that follows it. */
        get: operations["roomsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/rooms/{roomId}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The summary of a long conversation, and the messages that it summarises. The id of a channel selects the room that follows it. */
        get: operations["roomsSummaryAlias1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/rooms/{roomId}/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An agent's memories of a room, newest first. The id of a channel selects the room that follows it. */
        get: operations["roomsMemoriesOf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/rooms/{roomId}/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An agent's memories of a room, newest first. The id of a channel selects the room that follows it. */
        get: operations["roomsMemoriesOfAlias1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Memories of an agent, newest first. */
        get: operations["memoriesList"];
        put?: never;
        post?: never;
        /** Deletes all memories of an agent. */
        delete: operations["memoriesDeleteAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Memories of an agent, newest first. */
        get: operations["memoriesListAlias1"];
        put?: never;
        post?: never;
        /** Deletes all memories of an agent. */
        delete: operations["memoriesDeleteAllAlias1"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/memories/all/{roomId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes an agent's memories of a room, or of the room that follows a channel. */
        delete: operations["memoriesDeleteRoom"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/memories/all/{roomId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes an agent's memories of a room, or of the room that follows a channel. */
        delete: operations["memoriesDeleteRoomAlias1"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/memories/{memoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One memory of an agent, with its vector if it has one. */
        get: operations["memoriesRead"];
        put?: never;
        post?: never;
        /** Deletes a memory of an agent. */
        delete: operations["memoriesDelete"];
        options?: never;
        head?: never;
        /** Updates a memory of an agent, and keeps the former version in its history. */
        patch: operations["memoriesUpdate"];
        trace?: never;
    };
    "/api/agents/{agentId}/memories/{memoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One memory of an agent, with its vector if it has one. */
        get: operations["memoriesReadAlias1"];
        put?: never;
        post?: never;
        /** Deletes a memory of an agent. */
        delete: operations["memoriesDeleteAlias1"];
        options?: never;
        head?: never;
        /** Updates a memory of an agent, and keeps the former version in its history. */
        patch: operations["memoriesUpdateAlias1"];
        trace?: never;
    };
    "/api/memory/{agentId}/memories/{memoryId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The former versions of a memory, newest first: what was changed by whom, and when. */
        get: operations["memoriesHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/memories/{memoryId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The former versions of a memory, newest first: what was changed by whom, and when. */
        get: operations["memoriesHistoryAlias1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/memories/{memoryId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a former version of a memory.
         * @description This is a change like any other: the present version becomes the newest former one, so undoing twice restores it. To
         *     go back further, name the version.
         */
        post: operations["memoriesUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/memories/{memoryId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restores a former version of a memory.
         * @description This is a change like any other: the present version becomes the newest former one, so undoing twice restores it. To
         *     go back further, name the version.
         */
        post: operations["memoriesUndoAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Details and status of every agent. The whole list has an `ETag`; a request with this tag in `If-None-Match` gets 304 while the list is
         *     the same.
         */
        get: operations["agentsList"];
        put?: never;
        /** Creates an inactive agent from a character. An existing agent with the same id and name is returned unchanged. */
        post: operations["agentsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An agent with its character; values of secrets are masked. */
        get: operations["agentsRead"];
        put?: never;
        post?: never;
        /** Deletes an agent with all its data. */
        delete: operations["agentsDelete"];
        options?: never;
        head?: never;
        /** Changes an agent's character, even while the agent is running. */
        patch: operations["agentsUpdate"];
        trace?: never;
    };
    "/api/agents/{agentId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts an agent. */
        post: operations["agentsStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops an agent and cancels its pending replies. */
        post: operations["agentsStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The documents of an agent, newest first. */
        get: operations["knowledgeList"];
        put?: never;
        /**
         * Adds a document to an agent: a file, a text, or the address of a document.
         * @description A document with the same name or address is replaced. The document is read in the background: its `status` and the journal's
         *     `knowledge.updated` tell when.
         */
        post: operations["knowledgeAdd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/knowledge/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams the progress of an agent's documents as server-sent events, from now on, without end. */
        get: operations["knowledgeEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/knowledge/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A document of an agent, with the places of its pieces in order. */
        get: operations["knowledgeRead"];
        /** Replaces the content of a document. Pieces that have not changed stay; a document from the web is downloaded again. */
        put: operations["knowledgeReplace"];
        post?: never;
        /** Deletes a document with its pieces. */
        delete: operations["knowledgeDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/message-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All message servers, or a page of them with `limit`. */
        get: operations["serversList"];
        put?: never;
        /** Creates a message server. */
        post: operations["serversCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All message servers, or a page of them with `limit`.
         * @deprecated
         */
        get: operations["serversListAlias1"];
        put?: never;
        /**
         * Creates a message server.
         * @deprecated
         */
        post: operations["serversCreateAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All message servers, or a page of them with `limit`.
         * @deprecated
         */
        get: operations["serversListAlias2"];
        put?: never;
        /**
         * Creates a message server.
         * @deprecated
         */
        post: operations["serversCreateAlias2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/message-servers/{messageServerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a message server with its channels and their messages. */
        delete: operations["serversDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-servers/{messageServerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a message server with its channels and their messages.
         * @deprecated
         */
        delete: operations["serversDeleteAlias1"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/servers/{messageServerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a message server with its channels and their messages.
         * @deprecated
         */
        delete: operations["serversDeleteAlias2"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/message-servers/{messageServerId}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All channels of a message server, or a page of them with `limit`; `X-Next-Cursor` is the cursor of the next page. A whole list of usual
         *     length has an `ETag`; a request with this tag in `If-None-Match` gets 304 while the list is the same.
         */
        get: operations["serversChannelsOf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-servers/{messageServerId}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All channels of a message server, or a page of them with `limit`; `X-Next-Cursor` is the cursor of the next page. A whole list of usual
         *     length has an `ETag`; a request with this tag in `If-None-Match` gets 304 while the list is the same.
         * @deprecated
         */
        get: operations["serversChannelsOfAlias1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/servers/{messageServerId}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All channels of a message server, or a page of them with `limit`; `X-Next-Cursor` is the cursor of the next page. A whole list of usual
         *     length has an `ETag`; a request with this tag in `If-None-Match` gets 304 while the list is the same.
         * @deprecated
         */
        get: operations["serversChannelsOfAlias2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/message-servers/{messageServerId}/sync-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates and updates the channels that mirror those of another platform. */
        post: operations["serversSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-servers/{messageServerId}/sync-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates and updates the channels that mirror those of another platform.
         * @deprecated
         */
        post: operations["serversSyncAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/servers/{messageServerId}/sync-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates and updates the channels that mirror those of another platform.
         * @deprecated
         */
        post: operations["serversSyncAlias2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/message-servers/{messageServerId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agents of a message server. */
        get: operations["serversAgentsOf"];
        put?: never;
        /** Adds an agent to a message server. */
        post: operations["serversAddAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-servers/{messageServerId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The agents of a message server.
         * @deprecated
         */
        get: operations["serversAgentsOfAlias1"];
        put?: never;
        /**
         * Adds an agent to a message server.
         * @deprecated
         */
        post: operations["serversAddAgentAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/servers/{messageServerId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The agents of a message server.
         * @deprecated
         */
        get: operations["serversAgentsOfAlias2"];
        put?: never;
        /**
         * Adds an agent to a message server.
         * @deprecated
         */
        post: operations["serversAddAgentAlias2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/message-servers/{messageServerId}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes an agent from a message server and from all its channels. */
        delete: operations["serversRemoveAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-servers/{messageServerId}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes an agent from a message server and from all its channels.
         * @deprecated
         */
        delete: operations["serversRemoveAgentAlias1"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/servers/{messageServerId}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes an agent from a message server and from all its channels.
         * @deprecated
         */
        delete: operations["serversRemoveAgentAlias2"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/message-server/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The default message server. */
        get: operations["directoryCurrent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/agents/{agentId}/message-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The message servers of an agent. */
        get: operations["directoryServersOf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/dm-channel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The direct channel of two users or agents; created if it does not exist. */
        get: operations["directoryDirectChannel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/group-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a group channel, at the path of older clients. */
        post: operations["directoryCreateGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a channel. */
        post: operations["channelsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a channel.
         * @deprecated
         */
        post: operations["channelsCreateAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A channel, with its participants in the metadata. */
        get: operations["channelsRead"];
        put?: never;
        post?: never;
        /** Deletes a channel with its messages. */
        delete: operations["channelsDelete"];
        options?: never;
        head?: never;
        /** Updates channel properties. */
        patch: operations["channelsUpdate"];
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A channel, with its participants in the metadata. */
        get: operations["channelsReadAlias1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A channel, with its participants in the metadata.
         * @deprecated
         */
        get: operations["channelsReadAlias2"];
        put?: never;
        post?: never;
        /**
         * Deletes a channel with its messages.
         * @deprecated
         */
        delete: operations["channelsDeleteAlias1"];
        options?: never;
        head?: never;
        /**
         * Updates channel properties.
         * @deprecated
         */
        patch: operations["channelsUpdateAlias1"];
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A channel, with its participants in the metadata.
         * @deprecated
         */
        get: operations["channelsReadAlias3"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ids of a channel's participants; objects with `?expand=true` and in the dialect eliza. */
        get: operations["channelsParticipants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ids of a channel's participants; objects with `?expand=true` and in the dialect eliza.
         * @deprecated
         */
        get: operations["channelsParticipantsAlias1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The participants of a channel, and which of them are agents. */
        get: operations["channelsAgentsOf"];
        put?: never;
        /** Adds an agent to a channel. */
        post: operations["channelsAddAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The participants of a channel, and which of them are agents.
         * @deprecated
         */
        get: operations["channelsAgentsOfAlias1"];
        put?: never;
        /**
         * Adds an agent to a channel.
         * @deprecated
         */
        post: operations["channelsAddAgentAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes an agent from a channel. */
        delete: operations["channelsRemoveAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes an agent from a channel.
         * @deprecated
         */
        delete: operations["channelsRemoveAgentAlias1"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages of a channel, newest first. */
        get: operations["channelMessagesHistory"];
        put?: never;
        /** Posts a user's message; `transport` selects how the reply is delivered. */
        post: operations["channelMessagesPost"];
        /** Deletes all messages of a channel; the dialect eliza returns their number. */
        delete: operations["channelMessagesClear"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Messages of a channel, newest first.
         * @deprecated
         */
        get: operations["channelMessagesHistoryAlias1"];
        put?: never;
        /**
         * Posts a user's message; `transport` selects how the reply is delivered.
         * @deprecated
         */
        post: operations["channelMessagesPostAlias1"];
        /**
         * Deletes all messages of a channel; the dialect eliza returns their number.
         * @deprecated
         */
        delete: operations["channelMessagesClearAlias1"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/messages/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes all messages of a channel, or only one author's with `userId`. */
        delete: operations["channelMessagesDeleteAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/messages/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes all messages of a channel, or only one author's with `userId`.
         * @deprecated
         */
        delete: operations["channelMessagesDeleteAllAlias1"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/messages/{messageId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops the answers to a message that are still pending. The message stays; an answer that has ended is not changed. */
        post: operations["channelMessagesCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/messages/{messageId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stops the answers to a message that are still pending. The message stays; an answer that has ended is not changed.
         * @deprecated
         */
        post: operations["channelMessagesCancelAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a message. */
        delete: operations["channelMessagesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a message.
         * @deprecated
         */
        delete: operations["channelMessagesDeleteAlias1"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A message. */
        get: operations["messagesRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes a message and the agents' memories of it. */
        patch: operations["messagesUpdate"];
        trace?: never;
    };
    "/api/messaging/messages/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Searches messages by words, channel, author and time. */
        post: operations["messagesSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/agents/{agentId}/upload-media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Uploads a file to an agent. */
        post: operations["uploadsToAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{agentId}/upload-media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Uploads a file to an agent. */
        post: operations["uploadsToAgentAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/upload-media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Uploads a file to a channel. */
        post: operations["uploadsToChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/channels/{channelId}/upload-media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Uploads a file to a channel. */
        post: operations["uploadsToChannelAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/uploads/agents/{agentId}/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a file that was uploaded to an agent. */
        get: operations["filesOfAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/uploads/channels/{channelId}/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a file that was uploaded to a channel. */
        get: operations["filesOfChannel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/generated/{agentId}/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a file that an agent created. */
        get: operations["filesGenerated"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Live sessions, newest first. */
        get: operations["sessionsList"];
        put?: never;
        /** Creates a session between a user and an agent. */
        post: operations["sessionsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of the server's sessions. */
        get: operations["sessionsHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A session; reading does not renew it. */
        get: operations["sessionsRead"];
        put?: never;
        post?: never;
        /** Ends a session; its channel and messages stay. */
        delete: operations["sessionsEnd"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions/{sessionId}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Renews a session, with or without auto-renewal. */
        post: operations["sessionsRenew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions/{sessionId}/timeout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes some or all of the timeout configuration. */
        patch: operations["sessionsConfigure"];
        trace?: never;
    };
    "/api/messaging/sessions/{sessionId}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reports activity of a user without a message. */
        post: operations["sessionsHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages of a session, newest first. */
        get: operations["sessionMessagesHistory"];
        put?: never;
        /** Sends the user's message to the agent; `transport` selects how the reply is delivered. */
        post: operations["sessionMessagesPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions/{sessionId}/messages/{messageId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops the answer to a message while it is still pending. The message stays; an answer that has ended is not changed. */
        post: operations["sessionMessagesCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/users/{userId}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an agent knows about a user, with the messages that it comes from. */
        get: operations["profilesRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists an agent's runs, newest first. */
        get: operations["runsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a run with its events: model calls, actions and evaluators. */
        get: operations["runsRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/{agentId}/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an agent would recall for a message: memories and pieces of documents, with scores, and what is left out and why. */
        post: operations["recallPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists jobs, newest first. */
        get: operations["jobsList"];
        put?: never;
        /** Asks an agent a single question, outside a conversation. */
        post: operations["jobsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/jobs/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health and statistics of jobs. */
        get: operations["jobsHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a job, with its result once it has ended. */
        get: operations["jobsRead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/generate-title": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generates a short title from the newest messages of a channel. */
        post: operations["titlesGenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/generate-title": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generates a short title from the newest messages of a channel.
         * @deprecated
         */
        post: operations["titlesGenerateAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/{agentId}/audio-messages/synthesize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Speaks a text or a stored message in the agent's voice; returns audio. */
        post: operations["speechSynthesize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/{agentId}/speech/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Speaks a text in the agent's voice; returns audio. */
        post: operations["speechGenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/{agentId}/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the voices that the agent can use. */
        get: operations["speechVoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/{agentId}/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Transcribes an uploaded recording. */
        post: operations["transcriptionsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/{agentId}/speech/conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Talks to the agent. A JSON body with text returns audio; a recording (multipart) returns JSON with texts and audio. */
        post: operations["conversationConverse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/{agentId}/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Same as a recording sent to `speech/conversation`. */
        post: operations["conversationSpeech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/{agentId}/audio-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a recording as a message; returns the transcript and the agent's answer. */
        post: operations["conversationAudioMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/{agentId}/process-audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Same as `audio-messages`, with other field names. */
        post: operations["conversationProcessAudio"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the newest lines of the server's log. */
        get: operations["serverLogsQuery"];
        put?: never;
        /** Adds lines to the server's log. Without `logs` in the body, same as GET. */
        post: operations["serverLogsSubmit"];
        /** Clears the log lines in the memory of this process. */
        delete: operations["serverLogsClear"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists an agent's log entries, newest first. */
        get: operations["agentLogsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/logs/{logId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a log entry. */
        delete: operations["agentLogsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/ingest-external": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stores messages of another platform; agents answer them like any other message. */
        post: operations["externalMessagesIngest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/external-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stores a message of another platform and waits for the answer. */
        post: operations["externalMessagesAsk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Announces that no more answers to a message will follow; or, with a prompt, asks an agent and waits for the answer. */
        post: operations["externalMessagesComplete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/websocket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes how to open a socket.io connection for real-time communication. */
        get: operations["websocketDescribe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/messages/{messageId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams the answers to a message as server-sent events; resumes after Last-Event-ID. */
        get: operations["channelMessagesReplyEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/messages/{messageId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams the answers to a message as server-sent events; resumes after Last-Event-ID.
         * @deprecated
         */
        get: operations["channelMessagesReplyEventsAlias1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/channels/{channelId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams all events of a channel as server-sent events, from Last-Event-ID (or from now) on, without end. */
        get: operations["channelMessagesEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/central-channels/{channelId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Streams all events of a channel as server-sent events, from Last-Event-ID (or from now) on, without end.
         * @deprecated
         */
        get: operations["channelMessagesEventsAlias1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams all events of a session as server-sent events, from Last-Event-ID (or from now) on, without end. */
        get: operations["sessionEventsEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/sessions/{sessionId}/messages/{messageId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams the answer to a message as server-sent events; resumes after Last-Event-ID. */
        get: operations["sessionMessagesReplyEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Posts a message on behalf of an agent. */
        post: operations["messagesSubmit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/action": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Posts a message on behalf of an agent. */
        post: operations["messagesSubmitAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messaging/action/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Updates a message of an agent, for example to show the progress of an action. */
        patch: operations["messagesUpdateAction"];
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness probe: the process responds. */
        get: operations["systemAlive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness probe: 503 while no agent is running.
         * @description A failing model makes the status `DEGRADED` with 200: the server answers, and another one would not do better.
         */
        get: operations["systemHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness probe: 503 while no agent is running.
         * @description A failing model makes the status `DEGRADED` with 200: the server answers, and another one would not do better.
         */
        get: operations["systemServerHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the server's time. */
        get: operations["systemPing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/hello": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a greeting. */
        get: operations["systemHello"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the status of the server: agents, memory and models, with the last failure of each model and what to do about it. */
        get: operations["systemStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the version of the server. */
        get: operations["systemVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness probe: the process responds. Does not use the database. */
        get: operations["probesLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness probe: 503 while new requests should go to another process.
         * @description Fails as soon as the server is told to stop, and while the database accepts no writes. A failing model is a warning: another
         *       process would not do better. The database is written to at most once a second.
         */
        get: operations["probesReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/startupz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Startup probe. The server accepts connections when its start is complete, so an answer means that it has started. */
        get: operations["probesStarted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a page for browsers with the agents and first commands. */
        get: operations["homeHome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the OpenAPI document. */
        get: operations["apiDocsDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a page that lists and calls all operations. */
        get: operations["apiDocsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a resource of that page. */
        get: operations["apiDocsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops the server. Running turns may finish within the grace time. */
        post: operations["serverStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/debug/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns all message servers, the runtime and the configuration. */
        get: operations["serverDebug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists all message servers with their agents. */
        get: operations["serverServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the configuration that a client needs before its first request. */
        get: operations["serverConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/env/local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the variables of the server's .env file, with possible secrets masked. */
        get: operations["environmentRead"];
        put?: never;
        /**
         * Changes variables of the server's .env file. The changes apply at the next start.
         * @description Variables that load code, set data paths or control access cannot be changed; the operator allows further variables with
         *       ENV_EDITABLE. Unchanged and masked values are not changes. A rejected request changes nothing.
         */
        post: operations["environmentUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/system/environment/local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the variables of the server's .env file, with possible secrets masked. */
        get: operations["environmentReadAlias1"];
        put?: never;
        /**
         * Changes variables of the server's .env file. The changes apply at the next start.
         * @description Variables that load code, set data paths or control access cannot be changed; the operator allows further variables with
         *       ENV_EDITABLE. Unchanged and masked values are not changes. A rejected request changes nothing.
         */
        post: operations["environmentUpdateAlias1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tee/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the trusted hardware of the machine and whether it issues quotes. */
        get: operations["teeStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tee/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the agents on this machine. */
        get: operations["teeAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tee/attestation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a quote of the processor over the caller's report data. */
        post: operations["teeAttest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists all configured plugins with their state and routes, and the reason of a failure. */
        get: operations["pluginsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/panels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the pages that plugins provide for an agent: public GET routes with a name. */
        get: operations["agentPanelsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/{name}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists a plugin's webhook deliveries, newest first. */
        get: operations["deliveriesList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/{name}/deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Handles a delivery again. */
        post: operations["deliveriesReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that is known of a user. */
        get: operations["privacyExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forgets a user: deletes or redacts everything that is known of the user.
         * @description Runs in the background and survives restarts. Data that arrives after the request stays. While a request is not complete,
         *     asking again returns it.
         */
        post: operations["privacyForget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/forget/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The progress and the report of a request to forget a user. */
        get: operations["privacyRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreateKeyBody: {
            /** @description What the key is for. */
            name: string;
            /**
             * @description Scope of the key; each scope includes the previous ones. `read` when absent.
             * @enum {string}
             */
            scope?: "read" | "write" | "admin";
            /** @description Agents to which the key is limited; no limit when absent. */
            agents?: string[];
            /** @description Users for whom the key vouches, so that agents recall their other conversations: `all`, or their ids; none when absent. */
            users?: "all" | string[];
            /** @description Expiry, ISO 8601; the key does not expire when absent. */
            expiresAt?: string;
        };
        KeyView: {
            /** @description UUID. */
            id: string;
            /** @description What the key is for. */
            name: string;
            /** @description `read`, `write` or `admin`; each scope includes the previous ones. */
            scope: string;
            /** @description Agents to which the key is limited; null for no limit. */
            agents: string[] | null;
            /** @description Users for whom the key vouches: `all`, or a list of their ids; null for none. */
            users: unknown;
            /** @description ISO 8601. */
            createdAt: string;
            /** @description Expiry, ISO 8601; null if the key does not expire. */
            expiresAt: string | null;
            /** @description When it was revoked, ISO 8601; null if it is not revoked. */
            revokedAt: string | null;
            /** @description Last use, ISO 8601, to the minute; null if never used. */
            lastUsedAt: string | null;
        };
        CreatedKeyView: {
            /** @description The stored key. */
            key: components["schemas"]["KeyView"];
            /** @description The key's text, to be sent as X-API-KEY or Authorization: Bearer. It is shown only once. */
            token: string;
        };
        KeysView: {
            /** @description Newest first, revoked and expired ones too. */
            keys: components["schemas"]["KeyView"][];
        };
        WorldView: {
            id: string;
            name: string;
            agentId: string;
            /** @description Empty when not given. */
            sourceType: string;
            /** @description Empty when not given. */
            sourceId: string;
            metadata: {
                [key: string]: unknown;
            };
            messageServerId: string | null;
            /** @description The same as `messageServerId`. */
            serverId: string | null;
            /** @description Epoch ms. */
            createdAt: number;
        };
        WorldsView: {
            /** @description Oldest first. */
            worlds: components["schemas"]["WorldView"][];
            /** @description The `after` of the next page; null on the last. */
            nextCursor: string | null;
        };
        CreateGroupBody: {
            /** @description The agents that get a room; all when absent. */
            agentIds?: string[];
            name?: string;
            /** @description Stored as `metadata.description`. */
            description?: string;
            /**
             * Format: uuid
             * @description World of the rooms, created if it does not exist; each agent's view of the server when absent.
             */
            worldId?: string;
            source?: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        DeletedGroupMemoriesView: {
            success: boolean;
            /** @description Number of deleted memories. */
            deleted: number;
        };
        CreateWorldBody: {
            /** @description Required unless `worldId` names an existing world. */
            name?: string;
            sourceType?: string | null;
            sourceId?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description Without a `name`: the world to join.
             */
            worldId?: string;
            /** Format: uuid */
            messageServerId?: string;
            /**
             * Format: uuid
             * @description Another name for `messageServerId`.
             */
            serverId?: string;
        };
        CreatedWorldView: {
            world: components["schemas"]["WorldView"];
            /** @description Present when the agent joined a world. */
            success?: boolean;
        };
        UpdateWorldBody: {
            name?: string;
            /** @description Merged into the stored metadata, key by key. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Merged into `metadata.settings`, key by key. */
            settings?: {
                [key: string]: unknown;
            };
        };
        UpdatedWorldView: {
            world: components["schemas"]["WorldView"];
            worldId: string;
            /** @description The value of `metadata.settings`. */
            settings: {
                [key: string]: unknown;
            };
        };
        CreateRoomBody: {
            name: string;
            /**
             * Format: uuid
             * @description World of the room, created if it does not exist; the agent's own when absent.
             */
            worldId?: string;
            /**
             * Format: uuid
             * @description Id of the room. An existing room of the agent with this id is returned unchanged.
             */
            roomId?: string;
            /**
             * Format: uuid
             * @description A participant besides the agent.
             */
            entityId?: string;
            type?: string;
            source?: string;
            /** Format: uuid */
            messageServerId?: string | null;
            /**
             * Format: uuid
             * @description Another name for `messageServerId`.
             */
            serverId?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
        };
        RoomEntityView: {
            id: string;
            name: string;
        };
        RoomView: {
            id: string;
            name: string;
            source: string;
            worldId: string | null;
            /** @description Participants, the agent first. */
            entities: components["schemas"]["RoomEntityView"][];
            agentId: string;
            /** @description `SELF`, `DM`, `GROUP`, `VOICE_DM`, `VOICE_GROUP`, `FEED`, `THREAD`, `WORLD`, `FORUM` or `API`. */
            type: string;
            /** @description The channel that the room follows. */
            channelId: string | null;
            messageServerId: string | null;
            /** @description The same as `messageServerId`. */
            serverId: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Epoch ms. */
            createdAt: number;
            /** @description Epoch ms. */
            updatedAt: number;
        };
        RoomsView: {
            /** @description Oldest first. */
            rooms: components["schemas"]["RoomView"][];
            /** @description The `after` of the next page; null on the last. */
            nextCursor: string | null;
        };
        RoomDetailsView: {
            id: string;
            name: string;
            source: string;
            worldId: string | null;
            /** @description Participants, the agent first. */
            entities: components["schemas"]["RoomEntityView"][];
            agentId: string;
            /** @description `SELF`, `DM`, `GROUP`, `VOICE_DM`, `VOICE_GROUP`, `FEED`, `THREAD`, `WORLD`, `FORUM` or `API`. */
            type: string;
            /** @description The channel that the room follows. */
            channelId: string | null;
            messageServerId: string | null;
            /** @description The same as `messageServerId`. */
            serverId: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Epoch ms. */
            createdAt: number;
            /** @description Epoch ms. */
            updatedAt: number;
            /** @description Name of the room's world, if it has one. */
            worldName?: string;
        };
        UpdateRoomBody: {
            name?: string;
            /** @description Merged into the stored metadata, key by key. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        SummaryView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            roomId: string;
            text: string;
            /** @description Number of messages that it summarises. */
            messages: number;
            /** @description Position in the channel of the first message that it summarises. */
            fromSeq: number;
            /** @description Position in the channel of the last message that it summarises. */
            throughSeq: number;
            /**
             * @description Provider and id of the model that wrote it.
             * @example openai/gpt-5-mini
             */
            model: string;
            /** @description Epoch ms. */
            createdAt: number;
        };
        MemoryView: {
            id: string;
            /** @description `messages`, `facts`, `documents`, … */
            type: string;
            /** @description Epoch ms. */
            createdAt: number;
            /** @description An object; recall searches its `text`. */
            content: {
                [key: string]: unknown;
            };
            /** @description The author. */
            entityId: string;
            agentId: string;
            roomId: string;
            worldId: string | null;
            unique: boolean;
            metadata: {
                [key: string]: unknown;
            };
            /** @description The unit vector, if requested and present. */
            embedding?: number[];
        };
        MemoriesView: {
            /** @description Newest first. */
            memories: components["schemas"]["MemoryView"][];
            /** @description Whether more memories follow in the reading direction. */
            hasMore: boolean;
            /** @description The `before` of the next page (its `after` when newer ones are read); null on the last. */
            nextCursor: string | null;
        };
        DeletedMemoriesView: {
            /** @description Number of deleted memories. */
            deleted: number;
            success: boolean;
            message: string;
        };
        MemoryVersionView: {
            /** @description 1, 2, 3, … */
            version: number;
            content: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
            /** @description When the change came that replaced this version, epoch ms. */
            changedAt: number;
            /** @description Author of that change: the id of a caller (`everybody`, `administrator`, `key:ID`, `user:ID`, …) or `plugin:NAME`. */
            changedBy: string;
        };
        MemoryHistoryView: {
            /** @description Number of the present version. */
            version: number;
            /** @description Former versions, newest first; the newest 100 are kept. */
            versions: components["schemas"]["MemoryVersionView"][];
            hasMore: boolean;
            /** @description The `before` of the next page; null on the last. */
            nextCursor: string | null;
        };
        UndoMemoryBody: {
            /** @description Number of the former version to restore. Defaults to the one before the present version. */
            version?: number;
        };
        UpdatedMemoryView: {
            id: string;
            /** @description `messages`, `facts`, `documents`, … */
            type: string;
            /** @description Epoch ms. */
            createdAt: number;
            /** @description An object; recall searches its `text`. */
            content: {
                [key: string]: unknown;
            };
            /** @description The author. */
            entityId: string;
            agentId: string;
            roomId: string;
            worldId: string | null;
            unique: boolean;
            metadata: {
                [key: string]: unknown;
            };
            /** @description The unit vector, if requested and present. */
            embedding?: number[];
            message: string;
            /** @description The memory after the update. */
            memory: components["schemas"]["MemoryView"];
        };
        UpdateMemoryBody: {
            /** @description Replaces the stored content. */
            content?: (string | {
                [key: string]: unknown;
            }) & (string | ({
                text?: string;
            } & {
                [key: string]: unknown;
            }));
            /** @description Replaces the stored metadata, except for the reference to the recorded message. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description A vector of the configured embedding model's dimension. */
            embedding?: number[];
        };
        DeletedMemoryView: {
            success: boolean;
            message: string;
        };
        AgentEntry: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            name: string;
            /** @description The same as `name`, under the name that elizaOS clients read. */
            characterName: string;
            username?: string;
            /** @description First entry of the character's bio. */
            bio: string;
            topics: string[];
            /** @enum {string} */
            status: "active" | "inactive";
            /** @description Epoch ms. */
            createdAt: number;
            /** @description Epoch ms. */
            updatedAt: number;
        };
        AgentsView: {
            /** @description Active agents first, then by name. */
            agents: components["schemas"]["AgentEntry"][];
            /** @description With a `limit`: the `after` of the next page; null on the last. */
            nextCursor?: string | null;
        };
        CreateAgentBody: {
            /**
             * @description A character, in the fields of a character file.
             * @example {
             *       "name": "Ada",
             *       "bio": "I am Ada."
             *     }
             */
            characterJson?: {
                [key: string]: unknown;
            };
            /** @description Path of a .json file below the characters folder. */
            characterPath?: string;
            /**
             * @description The same as `characterJson`.
             * @example {
             *       "name": "Ada",
             *       "bio": "I am Ada."
             *     }
             */
            agent?: {
                [key: string]: unknown;
            };
        };
        CreatedAgentView: {
            /** @description The character alone, in the fields of a character file; secrets are masked. */
            character: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            name: string;
            /** @description The same as `name`. */
            characterName: string;
            username?: string;
            /** @description System prompt. */
            system?: string;
            /** @description Texts by name. */
            templates?: {
                [key: string]: unknown;
            };
            /** @description Text, or a list of texts. */
            bio: string | string[];
            /** @description Text, or a list of texts. */
            lore?: string | string[];
            /** @description Conversations, each a list of `{ name, content }`. */
            messageExamples: {
                [key: string]: unknown;
            }[][];
            postExamples: string[];
            topics: string[];
            adjectives: string[];
            /** @description Facts, and documents below the characters folder. */
            knowledge: (string | {
                [key: string]: unknown;
            })[];
            /** @description Names of plugins. */
            plugins: string[];
            /** @description Values that look like secrets are masked; `settings.secrets` has the names of secrets with masked values. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Names of secrets, with masked values. */
            secrets: {
                [key: string]: unknown;
            };
            /** @description Lists of texts under `all`, `chat` and `post`. */
            style: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "active" | "inactive";
            /** @description Whether the agent is active. */
            enabled: boolean;
            /** @description Epoch ms. */
            createdAt: number;
            /** @description Epoch ms. */
            updatedAt: number;
        };
        AgentView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            name: string;
            /** @description The same as `name`. */
            characterName: string;
            username?: string;
            /** @description System prompt. */
            system?: string;
            /** @description Texts by name. */
            templates?: {
                [key: string]: unknown;
            };
            /** @description Text, or a list of texts. */
            bio: string | string[];
            /** @description Text, or a list of texts. */
            lore?: string | string[];
            /** @description Conversations, each a list of `{ name, content }`. */
            messageExamples: {
                [key: string]: unknown;
            }[][];
            postExamples: string[];
            topics: string[];
            adjectives: string[];
            /** @description Facts, and documents below the characters folder. */
            knowledge: (string | {
                [key: string]: unknown;
            })[];
            /** @description Names of plugins. */
            plugins: string[];
            /** @description Values that look like secrets are masked; `settings.secrets` has the names of secrets with masked values. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Names of secrets, with masked values. */
            secrets: {
                [key: string]: unknown;
            };
            /** @description Lists of texts under `all`, `chat` and `post`. */
            style: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "active" | "inactive";
            /** @description Whether the agent is active. */
            enabled: boolean;
            /** @description Epoch ms. */
            createdAt: number;
            /** @description Epoch ms. */
            updatedAt: number;
        };
        UpdateAgentBody: {
            name?: string;
            username?: string | null;
            /** @description System prompt. */
            system?: string | null;
            /** @description Texts by name, such as `replyTemplate`. */
            templates?: {
                [key: string]: unknown;
            } | null;
            /** @description Text, or a list of texts. */
            bio?: string | string[];
            /** @description Text, or a list of texts. */
            lore?: string | string[] | null;
            /**
             * @description Conversations, each a list of `{ name, content }`.
             * @example [
             *       [
             *         {
             *           "name": "Ada",
             *           "content": {
             *             "text": "Hello."
             *           }
             *         }
             *       ]
             *     ]
             */
            messageExamples?: {
                [key: string]: unknown;
            }[][] | null;
            postExamples?: string[] | null;
            topics?: string[] | null;
            adjectives?: string[] | null;
            /** @description Facts, and documents below the characters folder. */
            knowledge?: (string | {
                [key: string]: unknown;
            })[] | null;
            /** @description Names of plugins. */
            plugins?: string[] | null;
            settings?: {
                [key: string]: unknown;
            } | null;
            secrets?: {
                [key: string]: unknown;
            } | null;
            /** @description Lists of texts under `all`, `chat` and `post`. */
            style?: {
                [key: string]: unknown;
            } | null;
        };
        AgentStatusView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "inactive";
        };
        StoppedAgentView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            message: string;
        };
        DocumentProgressView: {
            /** @description Pieces that are stored. */
            done: number;
            /** @description Pieces of the content; 0 until it has been read. */
            total: number;
        };
        DocumentErrorView: {
            code: string;
            message: string;
            details: string;
        };
        DocumentView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            /** @example handbook.md */
            name: string;
            /** @enum {string} */
            source: "upload" | "text" | "url" | "character";
            /**
             * @description The address of a document from the web.
             * @example https://example.com/handbook.html
             */
            url: string | null;
            /**
             * @description Null until a document from the web has been downloaded.
             * @example text/markdown
             */
            mediaType: string | null;
            /** @description Bytes; null until a document from the web has been downloaded. */
            size: number | null;
            /** @enum {string} */
            status: "pending" | "processing" | "ready" | "failed";
            progress: components["schemas"]["DocumentProgressView"];
            /** @description Pieces that can be recalled; while a document is replaced, those of its previous content too. */
            pieces: number;
            /** @description Why the last attempt failed. */
            error: components["schemas"]["DocumentErrorView"] | null;
            /**
             * Format: date-time
             * @description @format date-time
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description @format date-time
             */
            updatedAt: string;
        };
        DocumentsView: {
            documents: components["schemas"]["DocumentView"][];
            /** @description Documents of the agent. */
            total: number;
            /** @description Absent on the last page. */
            nextCursor?: string;
        };
        PieceView: {
            /**
             * Format: uuid
             * @description Id of the memory. @format uuid
             */
            id: string;
            /** @description From 0. */
            position: number;
            /** @description The headings above the piece, outermost first; null without headings. */
            heading: string | null;
            /** @description Page of a PDF, from 1. */
            page: number | null;
        };
        DocumentDetailsView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            /** @example handbook.md */
            name: string;
            /** @enum {string} */
            source: "upload" | "text" | "url" | "character";
            /**
             * @description The address of a document from the web.
             * @example https://example.com/handbook.html
             */
            url: string | null;
            /**
             * @description Null until a document from the web has been downloaded.
             * @example text/markdown
             */
            mediaType: string | null;
            /** @description Bytes; null until a document from the web has been downloaded. */
            size: number | null;
            /** @enum {string} */
            status: "pending" | "processing" | "ready" | "failed";
            progress: components["schemas"]["DocumentProgressView"];
            /** @description Pieces that can be recalled; while a document is replaced, those of its previous content too. */
            pieces: number;
            /** @description Why the last attempt failed. */
            error: components["schemas"]["DocumentErrorView"] | null;
            /**
             * Format: date-time
             * @description @format date-time
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description @format date-time
             */
            updatedAt: string;
            places: components["schemas"]["PieceView"][];
            /** @description Absent on the last page of places. */
            nextCursor?: string;
        };
        MessageServerView: {
            id: string;
            name: string;
            /** @description The platform that the server mirrors. */
            sourceType: string;
            /** @description Its id on that platform. */
            sourceId: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601. */
            updatedAt: string;
        };
        MessageServerListView: {
            messageServers: components["schemas"]["MessageServerView"][];
            /** @description The same list under its older name. */
            servers: components["schemas"]["MessageServerView"][];
            /** @description With a `limit`: the `cursor` of the next page; null on the last. */
            nextCursor?: string | null;
        };
        CreateServerBody: {
            name: string;
            /** @description The platform that the server mirrors; `api` when absent. */
            sourceType?: string;
            /** @description Its id on that platform. */
            sourceId?: string | null;
            /** @description Stored in the metadata. */
            description?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        NewMessageServerView: {
            id: string;
            name: string;
            /** @description The platform that the server mirrors. */
            sourceType: string;
            /** @description Its id on that platform. */
            sourceId: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601. */
            updatedAt: string;
            server: components["schemas"]["MessageServerView"];
        };
        SyncedChannelBody: {
            /** @description Its id on that platform; entries with the same id are the same channel. */
            sourceId: string;
            name: string;
            /**
             * @description Channel type: any known name or alias.
             * @example text
             * @example voice
             * @example dm
             * @example group
             * @example CHANNEL
             * @example SELF
             * @example DM
             * @example GROUP
             * @example VOICE_DM
             * @example VOICE_GROUP
             * @example FEED
             * @example THREAD
             * @example WORLD
             * @example FORUM
             * @example API
             */
            type?: string;
            description?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
        };
        SyncChannelsBody: {
            channels: components["schemas"]["SyncedChannelBody"][];
        };
        SyncedView: {
            synced: number;
            /** @description Ids of the channels, in the order of the request. */
            channelIds: string[];
        };
        ServerAgents: {
            messageServerId: string;
            /** @description Ids of the server's agents. */
            agents: string[];
        };
        ServerAgentsView: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["ServerAgents"];
            messageServerId: string;
            /** @description Ids of the server's agents. */
            agents: string[];
        };
        AgentBody: {
            /** Format: uuid */
            agentId: string;
        };
        ServerAgent: {
            messageServerId: string;
            agentId: string;
            message: string;
        };
        ServerAgentView: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["ServerAgent"];
            messageServerId: string;
            agentId: string;
            message: string;
        };
        CurrentServerView: {
            messageServerId: string;
        };
        AgentServers: {
            agentId: string;
            /** @description Ids of the agent's message servers. */
            messageServers: string[];
        };
        AgentServersView: {
            /** @description Always true. */
            success: boolean;
            data: components["schemas"]["AgentServers"];
            agentId: string;
            /** @description Ids of the agent's message servers. */
            messageServers: string[];
        };
        ChannelView: {
            id: string;
            name: string;
            /** @description The message server that holds the channel. */
            serverId: string;
            /** @description The same as `serverId`. */
            messageServerId: string;
            /** @description Channel type as the creator wrote it; `text` for a channel created without one. */
            type: string;
            /** @description Channel type that agents use: SELF, DM, GROUP, VOICE_DM, VOICE_GROUP, FEED, THREAD, WORLD, FORUM or API. */
            channelType: string;
            description: string;
            /** @description The same as `description`. */
            topic: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @description The platform whose channel this one mirrors. */
            sourceType: string | null;
            /** @description Its id on that platform. */
            sourceId: string | null;
            /** @description How a message is handled that arrives while a turn is in progress: enqueue, reject or interrupt. */
            turnPolicy: string;
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601. */
            updatedAt: string;
        };
        NewChannelView: {
            channel: components["schemas"]["ChannelView"];
            id: string;
            name: string;
            /** @description The message server that holds the channel. */
            serverId: string;
            /** @description The same as `serverId`. */
            messageServerId: string;
            /** @description Channel type as the creator wrote it; `text` for a channel created without one. */
            type: string;
            /** @description Channel type that agents use: SELF, DM, GROUP, VOICE_DM, VOICE_GROUP, FEED, THREAD, WORLD, FORUM or API. */
            channelType: string;
            description: string;
            /** @description The same as `description`. */
            topic: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @description The platform whose channel this one mirrors. */
            sourceType: string | null;
            /** @description Its id on that platform. */
            sourceId: string | null;
            /** @description How a message is handled that arrives while a turn is in progress: enqueue, reject or interrupt. */
            turnPolicy: string;
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601. */
            updatedAt: string;
        };
        CreateChannelBody: {
            name: string;
            /** Format: uuid */
            serverId?: string;
            /**
             * Format: uuid
             * @description Alias of `serverId`, as in responses.
             */
            messageServerId?: string;
            /** Format: uuid */
            server_id?: string;
            /** Format: uuid */
            message_server_id?: string;
            /**
             * @description Channel type: any known name or alias.
             * @example text
             * @example voice
             * @example dm
             * @example group
             * @example CHANNEL
             * @example SELF
             * @example DM
             * @example GROUP
             * @example VOICE_DM
             * @example VOICE_GROUP
             * @example FEED
             * @example THREAD
             * @example WORLD
             * @example FORUM
             * @example API
             */
            type?: string;
            /** @description Alias of `participantCentralUserIds`. */
            participants?: string[];
            /** @description Replaces the stored metadata; with `?metadata=merge` it is merged into it. */
            metadata?: {
                [key: string]: unknown;
            };
            description?: string | null;
            topic?: string | null;
            /** @description The complete list of participants. */
            participantCentralUserIds?: string[];
            /** @enum {string} */
            turnPolicy?: "enqueue" | "reject" | "interrupt";
        };
        UpdateChannelBody: {
            name?: string;
            /** @description Replaces the stored metadata; with `?metadata=merge` it is merged into it. */
            metadata?: {
                [key: string]: unknown;
            };
            description?: string | null;
            topic?: string | null;
            /** @description The complete list of participants. */
            participantCentralUserIds?: string[];
            /** @enum {string} */
            turnPolicy?: "enqueue" | "reject" | "interrupt";
        };
        ChannelAgentsView: {
            channelId: string;
            /** @description Ids of all participants. */
            participants: string[];
            /** @description Ids of the agents among them. */
            agents: string[];
        };
        ChannelAgentView: {
            /** @description Always true. */
            success: boolean;
            channelId: string;
            agentId: string;
            message: string;
        };
        PostChannelMessageBody: {
            content: string;
            /**
             * Format: uuid
             * @description Author of the message; may be sent as the header X-Entity-Id instead.
             */
            author_id?: string;
            /** Format: uuid */
            authorId?: string;
            /** Format: uuid */
            message_server_id?: string;
            /** Format: uuid */
            server_id?: string;
            /** Format: uuid */
            in_reply_to_message_id?: string | null;
            raw_message?: {
                [key: string]: unknown;
            } | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            source_type?: string;
            author_display_name?: string;
            attachments?: {
                [key: string]: unknown;
            }[] | null;
            /** @description The author's own id for this message; posting it again returns the stored message. */
            clientMessageId?: string;
            /**
             * @description How the reply is delivered; over socket.io when absent.
             * @enum {string|null}
             */
            transport?: "http" | "sync" | "sse" | "stream" | "websocket" | null;
            /**
             * @description Older name of `transport`.
             * @enum {string|null}
             */
            mode?: "http" | "sync" | "sse" | "stream" | "websocket" | null;
        };
        PendingReplyView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            agentId: string;
            /**
             * Format: uuid
             * @description Id of the reply's message, once it is stored. @format uuid
             */
            replyId: string;
            /**
             * Format: uuid
             * @description Id of the answered message. @format uuid
             */
            inReplyTo: string;
        };
        MessageView: {
            id: string;
            channelId: string;
            serverId: string;
            /** @description The same as `serverId`. */
            messageServerId: string;
            /** @description The user or agent that wrote the message. */
            authorId: string;
            authorName: string | null;
            content: string;
            /** @description The message as the author's client sent it; may have `text`, `thought`, `actions` and `attachments`. */
            rawMessage: {
                [key: string]: unknown;
            } | null;
            /** @description Source of the message; `agent_response` for agents' replies. */
            sourceType: string;
            sourceId: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Id of the answered message. */
            inReplyToRootMessageId: string | null;
            /**
             * Format: uuid
             * @description The same as `inReplyToRootMessageId`. @format uuid
             */
            inReplyTo: string | null;
            /** @description Its own id if it is an agent's reply to `inReplyTo`, otherwise null. A message that an action sends is not the reply. */
            replyId: string | null;
            /** @description The author's own id for the message. */
            clientMessageId: string | null;
            isAgent: boolean;
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601; later than `createdAt` after an edit. */
            updatedAt: string;
            /** @description Position in the channel. */
            seq: number;
            /** @description Position in the journal. */
            offset: number;
            channel_id: string;
            server_id: string;
            message_server_id: string;
            author_id: string;
            raw_message: {
                [key: string]: unknown;
            } | null;
            source_type: string;
            in_reply_to_message_id: string | null;
            /** @description Epoch milliseconds. */
            created_at: number;
            /** @description Epoch milliseconds. */
            updated_at: number;
        };
        AgentResponseView: {
            text: string;
            thought?: string;
            /** @description Names of the actions that the agent ran. */
            actions: string[];
            /** @description Names of the providers that contributed to the prompt. */
            providers: string[];
            metadata: {
                [key: string]: unknown;
            };
            /** @description Whether the agent ran at most one action. */
            simple: boolean;
            /**
             * Format: uuid
             * @description The same as `replyId`. @format uuid
             */
            responseId: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            agentId: string;
            /**
             * Format: uuid
             * @description The same as `replyId`. @format uuid
             */
            messageId: string;
            /**
             * Format: uuid
             * @description Id of the reply's message. @format uuid
             */
            replyId: string;
            /**
             * Format: uuid
             * @description Id of the answered message. @format uuid
             */
            inReplyTo: string;
        };
        PostedMessageView: {
            /**
             * Format: uuid
             * @description Id of this message. @format uuid
             */
            inReplyTo: string | null;
            /**
             * Format: uuid
             * @description Id of the first pending reply; null when no agent will reply. @format uuid
             */
            replyId: string | null;
            /** @description Pending replies. */
            replies: components["schemas"]["PendingReplyView"][];
            userMessage: components["schemas"]["MessageView"];
            /** @description Null when no agent replied; absent with a transport that does not wait. */
            agentResponse?: components["schemas"]["AgentResponseView"] | null;
            /** @description All replies, if there are several. */
            agentResponses?: components["schemas"]["AgentResponseView"][];
            id: string;
            channelId: string;
            serverId: string;
            /** @description The same as `serverId`. */
            messageServerId: string;
            /** @description The user or agent that wrote the message. */
            authorId: string;
            authorName: string | null;
            content: string;
            /** @description The message as the author's client sent it; may have `text`, `thought`, `actions` and `attachments`. */
            rawMessage: {
                [key: string]: unknown;
            } | null;
            /** @description Source of the message; `agent_response` for agents' replies. */
            sourceType: string;
            sourceId: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Id of the answered message. */
            inReplyToRootMessageId: string | null;
            /** @description The author's own id for the message. */
            clientMessageId: string | null;
            isAgent: boolean;
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601; later than `createdAt` after an edit. */
            updatedAt: string;
            /** @description Position in the channel. */
            seq: number;
            /** @description Position in the journal. */
            offset: number;
            channel_id: string;
            server_id: string;
            message_server_id: string;
            author_id: string;
            raw_message: {
                [key: string]: unknown;
            } | null;
            source_type: string;
            in_reply_to_message_id: string | null;
            /** @description Epoch milliseconds. */
            created_at: number;
            /** @description Epoch milliseconds. */
            updated_at: number;
        };
        PageTimesView: {
            /** @description Epoch ms of the oldest. */
            before: number;
            /** @description Epoch ms of the newest. */
            after: number;
        };
        PageCursorsView: {
            /** @description Send as `before` for older messages. */
            before: string;
            /** @description Send as `after` for newer messages. */
            after: string;
        };
        MessagePageView: {
            messages: components["schemas"]["MessageView"][];
            /** @description Whether more messages follow in the requested direction. */
            hasMore: boolean;
            /** @description Absent for an empty page, as is `nextCursor`. */
            cursors?: components["schemas"]["PageTimesView"];
            nextCursor?: components["schemas"]["PageCursorsView"];
        };
        DeletedView: {
            /** @description Always true. */
            success: boolean;
            deleted: number;
        };
        CancelledAnswersView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            messageId: string;
            cancelled: components["schemas"]["CancelledAnswerView"][];
        };
        UpdateMessageBody: {
            content?: string;
            /** @description Replaces the stored metadata. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        SearchMessagesBody: {
            /** @description Words, and phrases in double quotes; a message must contain all of them. When absent, only the filters apply. */
            query?: string;
            /** Format: uuid */
            channelId?: string;
            /** Format: uuid */
            authorId?: string;
            /** @description Earliest time of a message: epoch milliseconds or ISO 8601. */
            from?: number | string;
            /** @description Latest time of a message: epoch milliseconds or ISO 8601. */
            to?: number | string;
            /** @description Page size, 1 to 100; 50 when absent. */
            limit?: number;
            /** @description `nextCursor` of the previous page. */
            cursor?: string;
            /** @description Number of messages to skip. Prefer a cursor, which is stable while messages are stored and deleted. */
            offset?: number;
            /** @description Page number, from 1; alternative to `offset`. */
            page?: number;
        };
        FoundMessagesView: {
            messages: components["schemas"]["MessageView"][];
            hasMore: boolean;
            /** @description Cursor of the next page; absent on the last one. */
            nextCursor?: string;
        };
        MediaView: {
            /**
             * Format: uuid
             * @description Id of the file. @format uuid
             */
            id: string;
            /** @description URL path of the file. Every client that knows it can read the file. */
            url: string;
            /** @description image, video, audio or document; for files of channels, the full media type. */
            type: string;
            /** @description Media type, detected from the content. */
            mimeType: string;
            /** @description Last segment of the URL. */
            filename: string;
            /** @description File name from the upload. */
            originalName: string;
            /** @description Bytes. */
            size: number;
        };
        TimeoutConfigBody: {
            timeoutMinutes?: number;
            autoRenew?: boolean;
            maxDurationMinutes?: number;
            warningThresholdMinutes?: number;
        };
        CreateSessionBody: {
            /** Format: uuid */
            agentId: string;
            /** Format: uuid */
            userId: string;
            metadata?: {
                platform?: string;
                username?: string;
                discriminator?: string;
                avatar?: string;
            } & {
                [key: string]: unknown;
            };
            timeoutConfig?: components["schemas"]["TimeoutConfigBody"];
            /**
             * @description How a message is handled that arrives while a turn is in progress; `enqueue` when absent.
             * @enum {string}
             */
            turnPolicy?: "enqueue" | "reject" | "interrupt";
        };
        TimeoutConfigView: {
            /** @description Inactivity timeout, minutes, 5 to 1440. */
            timeoutMinutes: number;
            /** @description Whether activity renews the session. */
            autoRenew: boolean;
            /** @description Maximum duration, minutes. */
            maxDurationMinutes: number;
            /** @description Time before the expiry at which the warning is sent, minutes. */
            warningThresholdMinutes: number;
        };
        SessionResponse: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            sessionId: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            agentId: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            userId: string;
            /**
             * Format: date-time
             * @description @format date-time
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description @format date-time
             */
            expiresAt: string;
            /** @description As given at creation. */
            metadata: {
                [key: string]: unknown;
            };
            timeoutConfig: components["schemas"]["TimeoutConfigView"];
            /**
             * Format: uuid
             * @description The channel of the session's messages. @format uuid
             */
            channelId: string;
            /**
             * Format: date-time
             * @description @format date-time
             */
            lastActivity: string;
            renewalCount: number;
            /** @description Milliseconds until the session expires. */
            timeRemaining: number;
            /** @description Whether the warning threshold is reached. */
            isNearExpiration: boolean;
            /** @enum {string} */
            status: "active" | "expiring" | "expired" | "ended";
            /** @description Session token, valid for this session only; returned at creation if the server requires credentials. */
            token?: string;
        };
        SessionStatsView: {
            totalSessions: number;
            activeSessions: number;
            /** @description Expired sessions that still return 410. */
            expiredSessions: number;
        };
        SessionListView: {
            sessions: components["schemas"]["SessionResponse"][];
            /** @description Total number of live sessions that match the query. */
            total: number;
            stats: components["schemas"]["SessionStatsView"];
        };
        SessionsHealthView: {
            /**
             * @description `degraded`: warnings and expiries are currently not announced.
             * @enum {string}
             */
            status: "healthy" | "degraded";
            activeSessions: number;
            expiringSoon: number;
            /**
             * Format: date-time
             * @description @format date-time
             */
            timestamp: string;
            /** @description Seconds since the server started. */
            uptime: number;
        };
        EndedSessionView: {
            success: boolean;
            message: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            sessionId: string;
        };
        SessionMessageBody: {
            /** @description Text of 1 to 4000 characters. */
            content: string;
            /** @description A list of objects with type, url and name. */
            attachments?: {
                [key: string]: unknown;
            }[] | null;
            /** @description An object of at most 10,240 characters of JSON. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description The user's own id for this message; posting it again returns the stored message. */
            clientMessageId?: string;
            /**
             * @description How the reply is delivered; over socket.io when absent.
             * @enum {string|null}
             */
            transport?: "http" | "sync" | "sse" | "stream" | "websocket" | null;
            /**
             * @description Older name of `transport`.
             * @enum {string|null}
             */
            mode?: "http" | "sync" | "sse" | "stream" | "websocket" | null;
        };
        SessionStatusView: {
            /**
             * Format: date-time
             * @description @format date-time
             */
            expiresAt: string;
            renewalCount: number;
            /** @description Whether this message renewed the session. */
            wasRenewed: boolean;
            isNearExpiration: boolean;
        };
        SessionPostedView: {
            /**
             * Format: uuid
             * @description Id of the user's message. @format uuid
             */
            id: string;
            content: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            authorId: string;
            /**
             * Format: date-time
             * @description @format date-time
             */
            createdAt: string;
            metadata: {
                [key: string]: unknown;
            };
            success: boolean;
            /**
             * Format: uuid
             * @description Id of the user's message, which the reply answers. @format uuid
             */
            inReplyTo: string;
            /**
             * Format: uuid
             * @description Id of the pending reply; null when no agent will reply. @format uuid
             */
            replyId: string | null;
            /** @description Pending replies. */
            replies: components["schemas"]["PendingReplyView"][];
            userMessage: components["schemas"]["MessageView"];
            /** @description Null when the agent did not reply; absent with a transport that does not wait. */
            agentResponse?: components["schemas"]["AgentResponseView"] | null;
            /** @description All replies, if there are several. */
            agentResponses?: components["schemas"]["AgentResponseView"][];
            sessionStatus: components["schemas"]["SessionStatusView"];
        };
        FactView: {
            /**
             * Format: uuid
             * @description Id of its memory, which can be changed and deleted like any other. @format uuid
             */
            id: string;
            text: string;
            /**
             * @description Its topic; may be empty.
             * @example home
             */
            key: string;
            /**
             * Format: date-time
             * @description When the user said so. @format date-time
             */
            validFrom: string;
            /**
             * Format: date-time
             * @description When the user said otherwise; null while the fact holds. @format date-time
             */
            validUntil: string | null;
            /**
             * Format: uuid
             * @description The fact whose value it changed; null when it changed none. @format uuid
             */
            replaces: string | null;
            /** @description Ids of the memories of the messages that it comes from. */
            sources: string[];
        };
        ProfileView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            userId: string;
            /** @description At most 100, newest first, those that no longer hold included. */
            facts: components["schemas"]["FactView"][];
        };
        RunCountsView: {
            /** @description Completed actions. */
            actions: number;
            /** @description Completed model calls. */
            modelCalls: number;
            /** @description Failed actions, evaluators and attempts. */
            errors: number;
            /** @description Completed evaluators. */
            evaluators: number;
        };
        RunSummaryView: {
            /**
             * Format: uuid
             * @description Id of the run; equal to the id of its reply. @format uuid
             */
            runId: string;
            /** @enum {string} */
            status: "completed" | "timeout" | "started" | "error";
            /** @description When the run started, epoch ms; null while it is queued. */
            startedAt: number | null;
            /** @description Epoch ms; null until the run ends. */
            endedAt: number | null;
            /** @description ms; null until the run ends. */
            durationMs: number | null;
            /**
             * Format: uuid
             * @description Id of the answered message. @format uuid
             */
            messageId: string;
            /**
             * Format: uuid
             * @description Id of the agent's room. @format uuid
             */
            roomId: string;
            /**
             * Format: uuid
             * @description Id of the message's channel. @format uuid
             */
            channelId: string;
            /**
             * Format: uuid
             * @description Id of the message's author; null when the message was deleted. @format uuid
             */
            entityId: string | null;
            /** @description Number of attempts (`attempts`), and the error of a run that ended without an answer (`error`). */
            metadata: {
                [key: string]: unknown;
            };
            counts: components["schemas"]["RunCountsView"];
        };
        RunsView: {
            runs: components["schemas"]["RunSummaryView"][];
            /** @description Number of matching runs, counted up to 1000. */
            total: number;
            hasMore: boolean;
            /** @description Cursor of the next page; null on the last page. */
            nextCursor: string | null;
        };
        RunEventView: {
            /** @enum {string} */
            type: "RUN_STARTED" | "MEMORY_RECALLED" | "PROMPT_SENT" | "MODEL_USED" | "ACTION_STARTED" | "ACTION_COMPLETED" | "EVALUATOR_COMPLETED" | "RUN_ENDED";
            /** @description Epoch ms. */
            timestamp: number;
            /**
             * @description Details of the event: names, tokens, durations, results. For MEMORY_RECALLED: the memories found, and what was skipped and why. For
             *     PROMPT_SENT (RUN_PROMPTS): the prompt of the model call, with its messages, tools and parameters.
             */
            data: {
                [key: string]: unknown;
            };
        };
        RunView: {
            summary: components["schemas"]["RunSummaryView"];
            events: components["schemas"]["RunEventView"][];
        };
        RecallBody: {
            /** @description The message for which memories are searched. */
            text: string;
            /**
             * Format: uuid
             * @description The user who would send the message alone. The caller's credential has to vouch for the user. Without it, only the agent's own facts and
             *     documents are searched.
             */
            userId?: string;
        };
        RecalledMemoryView: {
            id: string;
            roomId: string;
            authorId: string;
            authorName: string | null;
            /** @description Type of the memory: `messages`, `facts`, … */
            type: string;
            text: string;
            /** @description Epoch ms. */
            createdAt: number;
            /** @description How well the memory matches, 0 to 1. */
            score: number;
            /** @description Cosine similarity of its best piece, -1 to 1; null when the semantic search did not find it. */
            similarity: number | null;
            /** @description The searches that found it. */
            foundBy: ("meaning" | "related" | "words" | "recency" | "unseen")[];
        };
        RecalledPassageView: {
            /** @description Id of the piece, a memory. */
            id: string;
            documentId: string;
            /** @description Name of the document. */
            document: string;
            /** @description Page and heading. */
            place: string;
            text: string;
            score: number;
        };
        LeftOutMemoryView: {
            id: string;
            score: number;
            /** @enum {string} */
            reason: "duplicate" | "limit" | "budget" | "threshold";
        };
        SearchOutcomeView: {
            /** @description Number of memories and pieces of documents. */
            found?: number;
            /**
             * @description Reason; see the guide "Memory".
             * @enum {string}
             */
            skipped?: "failed" | "no_question" | "off" | "nothing_embedded" | "nothing_allowed" | "cold" | "late" | "resting" | "cancelled";
            /** @description Milliseconds since the start of the recall. */
            durationMs: number;
        };
        RecallView: {
            /** @description In the order of the prompt: oldest first. */
            memories: components["schemas"]["RecalledMemoryView"][];
            /** @description The lines of the prompt for these memories. */
            lines: string[];
            documents: components["schemas"]["RecalledPassageView"][];
            leftOut: components["schemas"]["LeftOutMemoryView"][];
            /** @description The semantic search. */
            byMeaning: components["schemas"]["SearchOutcomeView"];
            /** @description The search by words. */
            byWords: components["schemas"]["SearchOutcomeView"];
            /** @description Milliseconds. */
            durationMs: number;
        };
        CreateJobBody: {
            /** Format: uuid */
            userId: string;
            /** @description The question. */
            content: string;
            /**
             * Format: uuid
             * @description The agent to ask. Defaults to the first running agent.
             */
            agentId?: string;
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Time limit of the answer, ms. Defaults to 30000. */
            timeoutMs?: number;
        };
        NewJobView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            jobId: string;
            /** @enum {string} */
            status: "pending" | "processing" | "failed" | "completed" | "timeout";
            /** @description Epoch milliseconds. */
            createdAt: number;
            /** @description Epoch milliseconds; without an answer by then the job is `timeout`. */
            expiresAt: number;
            /**
             * Format: uuid
             * @description Id of the reply, known before the reply exists; null when the question was deleted. @format uuid
             */
            replyId: string | null;
            /**
             * Format: uuid
             * @description Id of the question as a message. @format uuid
             */
            inReplyTo: string;
        };
        JobMessageView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            /** @description Empty when the agent did not answer. */
            content: string;
            /**
             * Format: uuid
             * @description The agent. @format uuid
             */
            authorId: string;
            /** @description Epoch milliseconds. */
            createdAt: number;
            metadata: {
                [key: string]: unknown;
            };
        };
        JobResultView: {
            message: components["schemas"]["JobMessageView"];
            /** @description False when the agent chose not to answer. */
            didRespond: boolean;
            /** @description From question to answer, ms. */
            processingTimeMs: number;
        };
        JobView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            jobId: string;
            /** @enum {string} */
            status: "pending" | "processing" | "failed" | "completed" | "timeout";
            /** @description Epoch milliseconds. */
            createdAt: number;
            /** @description Epoch milliseconds; without an answer by then the job is `timeout`. */
            expiresAt: number;
            /**
             * Format: uuid
             * @description Id of the reply, known before the reply exists; null when the question was deleted. @format uuid
             */
            replyId: string | null;
            /**
             * Format: uuid
             * @description Id of the question as a message. @format uuid
             */
            inReplyTo: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            agentId: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            userId: string;
            /**
             * Format: uuid
             * @description Channel of the question and the answer. @format uuid
             */
            channelId: string;
            prompt: string;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Present when the job is completed. */
            result?: components["schemas"]["JobResultView"];
            /** @description Why a failed or timed-out job has no answer. */
            error?: string;
            /** @description Error code. */
            errorCode?: string;
        };
        JobListView: {
            jobs: components["schemas"]["JobView"][];
            /** @description Total number of jobs. */
            total: number;
            /** @description Number of jobs in this page. */
            filtered: number;
            /** @description Cursor of the next page; absent on the last page. */
            nextCursor?: string;
        };
        JobStatusCountsView: {
            pending: number;
            processing: number;
            completed: number;
            failed: number;
            timeout: number;
        };
        JobMetricsView: {
            /** @description Average duration of completed jobs, ms. */
            averageProcessingTimeMs: number;
            successRate: number;
            failureRate: number;
            timeoutRate: number;
        };
        JobsHealthView: {
            healthy: boolean;
            /** @description Epoch milliseconds. */
            timestamp: number;
            totalJobs: number;
            statusCounts: components["schemas"]["JobStatusCountsView"];
            metrics: components["schemas"]["JobMetricsView"];
            /** @description Maximum number of stored jobs. */
            maxJobs: number;
        };
        GenerateTitleBody: {
            /**
             * Format: uuid
             * @description The agent whose model generates the title.
             */
            agentId: string;
        };
        TitleView: {
            /** @description Null when the conversation is too short. */
            title: string | null;
            /**
             * Format: uuid
             * @description @format uuid
             */
            channelId: string;
            /** @description Why the title is null. */
            reason?: string;
        };
        SpeechOptionsBody: {
            /**
             * @description `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`.
             * @enum {string}
             */
            format?: "wav" | "mp3" | "mpeg" | "ogg";
            /** @description Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
            speed?: number;
            /**
             * @description Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's
             *     voice.
             */
            voice?: string;
            /** @description BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
            language?: string;
        };
        SynthesizeBody: {
            /** @description The text to speak. Markdown, emoji and links are omitted or read as a person would. */
            text?: string;
            /**
             * Format: uuid
             * @description Id of a message in a channel of the agent; its text is spoken.
             */
            messageId?: string;
            /** @description Speech options; they take precedence over the same fields beside `text`. */
            options?: components["schemas"]["SpeechOptionsBody"];
            /**
             * @description `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`.
             * @enum {string}
             */
            format?: "wav" | "mp3" | "mpeg" | "ogg";
            /** @description Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
            speed?: number;
            /**
             * @description Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's
             *     voice.
             */
            voice?: string;
            /** @description BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
            language?: string;
        };
        GenerateSpeechBody: {
            /**
             * @description `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`.
             * @enum {string}
             */
            format?: "wav" | "mp3" | "mpeg" | "ogg";
            /** @description Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
            speed?: number;
            /**
             * @description Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's
             *     voice.
             */
            voice?: string;
            /** @description BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
            language?: string;
            /** @description The text to speak. Markdown, emoji and links are omitted or read as a person would. */
            text: string;
            /** @description Accepted for compatibility and ignored: no engine supports it. */
            pitch?: number;
            /** @description Speech options; they take precedence over the same fields beside `text`. */
            options?: components["schemas"]["SpeechOptionsBody"];
        };
        VoiceView: {
            /** @description Id for the field `voice`. */
            id: string;
            name: string;
            /** @description BCP 47 tag. */
            language: string;
            gender?: string;
            description?: string;
            /** @description Whether this is the engine's default voice. */
            isDefault: boolean;
        };
        VoicesView: {
            /** @description Provider of the engine, such as `embedded` or `openai`. */
            provider: string;
            /** @description Name of the engine or model. */
            engine: string;
            /** @description Supported languages (BCP 47); null when the engine accepts any. */
            languages: string[] | null;
            /** @description Voice in the agent's character; null when the character names none. */
            agentVoice: string | null;
            voices: components["schemas"]["VoiceView"][];
        };
        TranscriptSegmentView: {
            text: string;
            /** @description Seconds from the start of the recording. */
            startSeconds: number;
            endSeconds: number;
            /** @description Confidence, 0 to 1; absent when the engine does not report it. */
            confidence?: number;
        };
        TranscriptionView: {
            /** @description Empty for a silent recording. */
            text: string;
            segments: components["schemas"]["TranscriptSegmentView"][];
            /** @description Provider of the engine, such as `embedded` or `openai`. */
            provider: string;
            /** @description Name of the engine or model. */
            engine: string;
            /** @description BCP 47 tag; null when neither the request nor the engine named a language. */
            language: string | null;
            /** @description Duration of the recording; null when unknown. */
            durationSeconds: number | null;
            /** @description Media type, detected from the content. */
            mediaType: string;
            /** @description The `userId` of the request; null when it had none. */
            userId: string | null;
        };
        StageTimesView: {
            transcription: number;
            /** @description From the message to the answer. */
            turn: number;
            synthesis: number;
            total: number;
        };
        ConversationView: {
            /** @description Text of the agent's answer. */
            text: string;
            /** @description Audio of the answer, base64; empty when the agent did not answer. */
            audio: string;
            /** @description Transcript of the recording. */
            transcription: string;
            /** @description Whether the agent answered. Also false for a silent recording. */
            didRespond: boolean;
            /** @description Media type of the audio. */
            mediaType: string;
            /** @description Duration of the audio, seconds. */
            duration: number;
            /** @description Channel of the message and the answer. */
            channelId: string;
            /** @description Id of the user's message; null for a silent recording. */
            messageId: string | null;
            /** @description Same as `messageId`. */
            inReplyTo: string | null;
            /** @description Id of the agent's message; null when the agent did not answer. */
            replyId: string | null;
            userId: string;
            timings: components["schemas"]["StageTimesView"];
        };
        AudioMessageView: {
            /** @description Transcript of the recording. */
            transcription: string;
            /** @description Text of the agent's answer. */
            message: string;
            /** @description Audio of the answer, base64; empty when the agent did not answer. */
            audio: string;
            /** @description Whether the agent answered. Also false for a silent recording. */
            didRespond: boolean;
            /** @description Media type of the audio. */
            mediaType: string;
            /** @description Duration of the audio, seconds. */
            duration: number;
            /** @description Channel of the message and the answer. */
            channelId: string;
            /** @description Id of the user's message; null for a silent recording. */
            messageId: string | null;
            /** @description Same as `messageId`. */
            inReplyTo: string | null;
            /** @description Id of the agent's message; null when the agent did not answer. */
            replyId: string | null;
            userId: string;
            timings: components["schemas"]["StageTimesView"];
        };
        ProcessedAudioView: {
            /** @description Transcript of the recording. */
            text: string;
            /** @description Text of the agent's answer. */
            response: string;
            /** @description Audio of the answer, base64; empty when the agent did not answer. */
            audioResponse: string;
            /** @description Whether the agent answered. Also false for a silent recording. */
            didRespond: boolean;
            /** @description Media type of the audio. */
            mediaType: string;
            /** @description Duration of the audio, seconds. */
            duration: number;
            /** @description Channel of the message and the answer. */
            channelId: string;
            /** @description Id of the user's message; null for a silent recording. */
            messageId: string | null;
            /** @description Same as `messageId`. */
            inReplyTo: string | null;
            /** @description Id of the agent's message; null when the agent did not answer. */
            replyId: string | null;
            userId: string;
            timings: components["schemas"]["StageTimesView"];
        };
        LogEntryView: {
            /** @description 10 trace, 20 debug, 27 success, 28 progress, 29 log, 30 info, 40 warn, 50 error, 60 fatal. */
            level: number;
            /** @description Epoch ms. */
            time: number;
            msg: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            agentId?: string;
            agentName?: string;
            /** @description Component that wrote the line. */
            part?: string;
            requestId?: string;
        } & {
            [key: string]: unknown;
        };
        ServerLogsView: {
            logs?: components["schemas"]["LogEntryView"][];
            /** @description Number of lines in `logs`. */
            count?: number;
            /** @description Number of matching lines. */
            total?: number;
            requestedLevel?: string;
            /** @description Same as `requestedLevel`. */
            level?: string;
            agentName?: string;
            agentId?: string;
            /** @description Level names, most severe first. */
            levels?: string[];
            /** @description Number of added lines. */
            received?: number;
        };
        ClearedLogsView: {
            /** @enum {string} */
            status: "success";
            message: string;
            /** @description Number of cleared lines. */
            cleared: number;
        };
        AgentLogView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            agentId: string;
            /**
             * Format: uuid
             * @description Same as `agentId`. @format uuid
             */
            entityId: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            roomId: string | null;
            /** @description run_event, action, evaluator, log, or `useModel:` with the model type. */
            type: string;
            /** @description 20 debug, 30 info, 40 warn, 50 error, 60 fatal. */
            level: number;
            /** @description Details of the entry. */
            body: {
                [key: string]: unknown;
            };
            /** @description Epoch ms. */
            createdAt: number;
            /** @description Value for `before` that returns the entries after this one in the list. */
            cursor: string;
        };
        ExternalMessageBody: {
            /** @description Id on the platform; a repeated message is stored once. */
            id: string;
            /** @description Id of the author: a UUID of a user, or the id on the platform. */
            authorId: string;
            content: string;
            authorName?: string;
            /** @description When it was written; stored in the metadata. */
            timestamp?: number | string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        IngestBody: {
            /** Format: uuid */
            channel_id?: string;
            /** Format: uuid */
            message_server_id?: string;
            /**
             * Format: uuid
             * @description Alias of `message_server_id`.
             */
            server_id?: string;
            /** Format: uuid */
            author_id?: string;
            content?: string;
            author_display_name?: string | null;
            raw_message?: {
                [key: string]: unknown;
            } | null;
            /** @description The message's id on the platform; a repeated message is stored once. */
            source_id?: string | null;
            source_type?: string;
            /** Format: uuid */
            in_reply_to_message_id?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The agent that should answer.
             */
            agentId?: string;
            /** @description The channel: a UUID, or its id on the platform. */
            roomId?: string;
            /** @description The author: a UUID, or the id on the platform. */
            userId?: string;
            text?: string;
            /** @description Alias of `source_id`. */
            sourceId?: string;
            /** @description Alias of `source_type`. */
            sourceType?: string;
            /** @description The platform of a batch. */
            platform?: string;
            /** @description The channel of a batch. */
            channelId?: string;
            messages?: components["schemas"]["ExternalMessageBody"][];
        };
        IngestedView: {
            /**
             * Format: uuid
             * @description Id of the first message. @format uuid
             */
            messageId: string | null;
            /** @description Ids of all messages, in order. */
            messageIds: string[];
            /** @description Number of messages. */
            processed: number;
            message: string;
        };
        AskExternalBody: {
            platform: string;
            /** @description The message's id on the platform; a repeated request returns the same answer. */
            messageId: string;
            /** @description The channel: a UUID, or its id on the platform. */
            channelId: string;
            /** @description The author: a UUID, or the id on the platform. */
            userId: string;
            content: string;
            /**
             * Format: uuid
             * @description The agent that should answer; by default the first running one when the channel does not exist yet.
             */
            agentId?: string;
            attachments?: {
                [key: string]: unknown;
            }[] | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        ExternalAnswerView: {
            /**
             * Format: uuid
             * @description Id of the stored message. @format uuid
             */
            messageId: string;
            /**
             * Format: uuid
             * @description Id of the message that the reply answers; the same as `messageId`. @format uuid
             */
            inReplyTo: string;
            /**
             * Format: uuid
             * @description Id of the reply; null when the agent stays silent. @format uuid
             */
            replyId: string | null;
            /** @description Null when the agent stays silent. */
            response: string | null;
        };
        CompleteBody: {
            /** Format: uuid */
            messageId?: string;
            /** @enum {string} */
            status?: "completed" | "failed";
            error?: string | null;
            /** Format: uuid */
            channel_id?: string;
            /** Format: uuid */
            message_server_id?: string;
            /** Format: uuid */
            agentId?: string;
            /** @description The channel of a question: a UUID or any text; by default the direct channel of user and agent. */
            roomId?: string;
            /** @description The user that asks: a UUID or any text. */
            userId?: string;
            prompt?: string;
        };
        CompletedView: {
            /** @description Always true. */
            success: boolean;
            /** @description The answer; null when the agent stays silent, absent for an announcement. */
            response?: string | null;
        };
        WebsocketView: {
            /** @enum {string} */
            protocol: "socket.io";
            /**
             * @description Version of the Engine.IO protocol, as in its query parameter EIO.
             * @enum {number}
             */
            version: 4;
            /** @description Path at which the socket is opened, over WebSocket or long polling. */
            path: string;
            transports: ("websocket" | "polling")[];
            /** @description Fields of the handshake's `auth`. */
            auth: string[];
            /** @description Document that describes the events. */
            documentation: string;
        };
        SubmitBody: {
            /** Format: uuid */
            channel_id?: string;
            /** Format: uuid */
            channelId?: string;
            /** Format: uuid */
            server_id?: string;
            /** Format: uuid */
            message_server_id?: string;
            /** Format: uuid */
            serverId?: string;
            /** Format: uuid */
            messageServerId?: string;
            /** Format: uuid */
            author_id?: string;
            /** Format: uuid */
            authorId?: string;
            /**
             * Format: uuid
             * @description Alias of `author_id`.
             */
            agentId?: string;
            content: string;
            source_type?: string;
            sourceType?: string;
            raw_message?: {
                [key: string]: unknown;
            };
            rawMessage?: {
                [key: string]: unknown;
            };
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description Id for the stored message, chosen by the caller.
             */
            messageId?: string;
            /** Format: uuid */
            in_reply_to_message_id?: string | null;
            /** Format: uuid */
            inReplyToMessageId?: string | null;
        };
        UpdateActionBody: {
            content?: string;
            /** @description Replaces the stored metadata. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Replaces the stored one. */
            raw_message?: {
                [key: string]: unknown;
            };
            source_type?: string;
            /** Format: uuid */
            in_reply_to_message_id?: string;
            /** Format: uuid */
            author_id?: string;
            /** @description The message's id on its platform of origin. */
            server_message_id?: string;
        };
        AliveView: {
            /** @enum {string} */
            status: "ok";
            /**
             * Format: date-time
             * @description @format date-time
             */
            timestamp: string;
        };
        DependenciesView: {
            /** @enum {string} */
            agents: "healthy" | "no_agents";
            /**
             * @description `failing` while calls of a chat model of the server fail; the status tells why.
             * @enum {string}
             */
            models: "healthy" | "failing";
        };
        HealthView: {
            /**
             * @description `OK` while at least one agent is running and the chat models answer.
             * @enum {string}
             */
            status: "OK" | "DEGRADED";
            version: string;
            /**
             * Format: date-time
             * @description @format date-time
             */
            timestamp: string;
            /** @description Seconds since the server started. */
            uptime: number;
            /** @description Number of running agents. */
            agentCount: number;
            dependencies: components["schemas"]["DependenciesView"];
            /** @description Reports of the components, such as `database` and `models`; empty for callers without a required credential. */
            checks: {
                [key: string]: unknown;
            };
        };
        PingView: {
            pong: boolean;
            /** @description Epoch ms. */
            timestamp: number;
        };
        HelloView: {
            message: string;
        };
        AgentCountsView: {
            total: number;
            active: number;
            inactive: number;
        };
        MemoryUseView: {
            /** @description Used heap, bytes. */
            used: number;
            /** @description Total heap, bytes. */
            total: number;
            /** @description Resident set size, bytes. */
            rss: number;
            /** @description `used` as a percentage of `total`. */
            percentage: number;
        };
        ModelInUseView: {
            provider: string;
            model: string;
        };
        ModelFailureView: {
            /**
             * Format: date-time
             * @description @format date-time
             */
            at: string;
            code: string;
            /** @description `key`, `quota`, `rate`, `model`, `address`, `timeout`, `service`, `response`, `context`, `request`, or null. */
            reason: string | null;
            message: string;
            /** @description What to do. */
            details: string;
        };
        ModelServiceView: {
            /** @enum {string} */
            kind: "chat" | "embeddings";
            provider: string;
            model: string;
            /** @description Whether an agent's settings name the service or its key. */
            ofAgent: boolean;
            /** @description Whether calls fail at present, for a reason that concerns every call. */
            failing: boolean;
            /**
             * Format: date-time
             * @description Null without a success. @format date-time
             */
            lastSuccessAt: string | null;
            /** @description The last failure; null after a success. */
            lastFailure: components["schemas"]["ModelFailureView"] | null;
        };
        ModelsInUseView: {
            chat: components["schemas"]["ModelInUseView"];
            /** @description Null when recall uses words only. */
            embeddings: components["schemas"]["ModelInUseView"] | null;
            /** @description The models of services that this process has called since it started, up to 256. */
            services: components["schemas"]["ModelServiceView"][];
        };
        EngineInUseView: {
            provider: string;
            engine: string;
            /** @description BCP 47 primary subtags; absent when the engine accepts any language. */
            languages?: string[];
        };
        SpeechInUseView: {
            /** @description Null when disabled. */
            synthesis: components["schemas"]["EngineInUseView"] | null;
            /** @description Null when disabled. */
            transcription: components["schemas"]["EngineInUseView"] | null;
        };
        StatusView: {
            /** @enum {string} */
            status: "ok";
            /** @description Number of running agents. */
            agentCount: number;
            /**
             * Format: date-time
             * @description @format date-time
             */
            timestamp: string;
            agents: components["schemas"]["AgentCountsView"];
            memory: components["schemas"]["MemoryUseView"];
            /** @description Seconds since the server started. */
            uptime: number;
            version: string;
            models: components["schemas"]["ModelsInUseView"];
            speech: components["schemas"]["SpeechInUseView"];
        };
        VersionView: {
            version: string;
            /** @enum {string} */
            source: "server";
            /**
             * Format: date-time
             * @description @format date-time
             */
            timestamp: string;
            environment: string;
            /** @description Seconds since the server started. */
            uptime: number;
        };
        LiveView: {
            /** @enum {string} */
            status: "live";
        };
        ReadinessChecks: {
            /**
             * @description A write was committed less than a second ago.
             * @enum {string}
             */
            database: "writable";
            /**
             * @description How the server learns of writes of other processes: `connected` at once, `polled` with a delay, because a pooler drops notifications or
             *     NATS cannot be reached, `not_needed` on SQLite.
             * @enum {string}
             */
            notifications: "connected" | "polled" | "not_needed";
            /**
             * @description A warning only: `failing` while calls of a chat model of the server fail.
             * @enum {string}
             */
            models: "healthy" | "failing";
            /** @description Why `notifications` is `polled`, and what to do; that an upgrade of several servers is not complete; missing otherwise. */
            advice?: string;
        };
        ReadyView: {
            /** @enum {string} */
            status: "ready";
            checks: components["schemas"]["ReadinessChecks"];
        };
        StartedView: {
            /** @enum {string} */
            status: "started";
        };
        StoppingView: {
            success: boolean;
            message: string;
        };
        RuntimeAgentView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "inactive";
        };
        RuntimeView: {
            version: string;
            /** @description Version of Node.js. */
            node: string;
            platform: string;
            /** @description Seconds. */
            uptime: number;
            agents: components["schemas"]["RuntimeAgentView"][];
            /** @description Number of running agents. */
            activeAgents: number;
            /** @description Open HTTP and socket connections. */
            connections: number;
            /** @description Memory by kind, bytes: `rss` of the process, `heapUsed` and others. */
            memory: {
                [key: string]: number;
            };
        };
        ServerEnvironmentView: {
            /** @description `sqlite` or `postgres`. */
            database: string;
            /** @description The models in use. */
            models: {
                [key: string]: unknown;
            };
            /** @description Names of the set variables. */
            configured: string[];
        };
        ServerEntryView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            name: string;
            /** @description Always `active`. */
            status: string;
            /** @description Ids of its agents. */
            agents: string[];
            sourceType: string;
            sourceId: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description ISO 8601. */
            createdAt: string;
            /** @description ISO 8601. */
            updatedAt: string;
        };
        DebugView: {
            runtime: components["schemas"]["RuntimeView"];
            environment: components["schemas"]["ServerEnvironmentView"];
            servers: components["schemas"]["ServerEntryView"][];
            count: number;
        };
        ServersView: {
            servers: components["schemas"]["ServerEntryView"][];
            count: number;
        };
        ServerConfigView: {
            /** @description Whether operations need an API key. */
            requiresAuth: boolean;
        };
        UpdateEnvironmentBody: {
            /** @description Values by variable name: text, a number or true/false sets the variable, null removes it, a mask leaves it unchanged. */
            content: {
                [key: string]: unknown;
            };
            /** @description False removes variables that `content` does not name. Defaults to true. */
            merge?: boolean;
        };
        EnvironmentUpdatedView: {
            success: boolean;
            message: string;
        };
        TrustedDeviceView: {
            /** @enum {string} */
            kind: "sev-snp" | "tdx" | "tpm";
            path: string;
        };
        TeeStatusView: {
            /**
             * @description `PRODUCTION` when the machine issues quotes, else `OFF`.
             * @enum {string}
             */
            mode: "OFF" | "PRODUCTION";
            /**
             * @description Kind of confidential VM; null when the machine is not one.
             * @enum {string|null}
             */
            vendor: "sev-snp" | "tdx" | null;
            /** @description Whether `POST /api/tee/attestation` is available. */
            attestation: boolean;
            devices: components["schemas"]["TrustedDeviceView"][];
        };
        TeeAgentView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            name: string;
            /** @description Always null: quotes are created on request. */
            attestation: string | null;
        };
        TeeAgentsView: {
            agents: components["schemas"]["TeeAgentView"][];
        };
        AttestationBody: {
            /**
             * @description Up to 64 bytes for the quote, hexadecimal: a challenge, or a hash of longer data.
             * @example 5eed0123
             */
            reportData: string;
        };
        AttestationView: {
            /** @description The quote, base64. */
            quote: string;
            /** @description Epoch ms. */
            timestamp: number;
            /** @description Name of the kernel driver, such as `sev_guest` or `tdx_guest`. */
            provider: string;
            /** @description The report data of the request, in lower case. */
            reportData: string;
        };
        PluginRouteView: {
            type: string;
            path: string;
            name: string | null;
            public: boolean;
            /** @description Whether it accepts file uploads. */
            isMultipart: boolean;
            /** @description All paths of the route. */
            paths: string[];
            /** @description Built-in routes that this route replaces: newer operations and the page at `/`. */
            shadows: string[];
            /** @description For `STATIC /`: routes that take precedence over it. */
            shadowedBy: string[];
        };
        PluginProblemView: {
            plugin: string;
            /** @description For example `service weather` or `action WEATHER`. */
            component: string;
            /** @description Reason of the last failure. */
            reason: string;
            /** @description Number of failures. */
            count: number;
        };
        PluginView: {
            name: string;
            /** @description File, folder or package of the plugin. */
            source: string;
            /** @enum {string} */
            state: "failed" | "loaded";
            routes: components["schemas"]["PluginRouteView"][];
            /** @description Present when the plugin is loaded. */
            description?: string;
            version?: string | null;
            problems?: components["schemas"]["PluginProblemView"][];
            /** @description Why the plugin failed to load. */
            reason?: string;
        };
        PluginsView: {
            plugins: components["schemas"]["PluginView"][];
        };
        AgentPanelView: {
            /** @description Name of the route. */
            name: string;
            /** @description URL path of the page. */
            path: string;
            /** @description Same as `path`. */
            url: string;
            /** @description Always `plugin`. */
            type: string;
        };
        DeliveryView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            id: string;
            plugin: string;
            route: string;
            /**
             * Format: uuid
             * @description @format uuid
             */
            agentId: string;
            /**
             * @description `inline`: the sender waits for the handler; `ack`: the delivery is handled after the response.
             * @enum {string}
             */
            mode: "inline" | "ack";
            /** @description The delivery id that the sender assigned. */
            senderId: string | null;
            /** @enum {string} */
            status: "failed" | "received" | "running" | "done" | "dead";
            attempts: number;
            /** @description Epoch ms. */
            nextAttemptAt: number | null;
            /** @description Why the last attempt failed. */
            error: string | null;
            /** @description Epoch ms. */
            createdAt: number;
            /** @description Epoch ms. */
            updatedAt: number;
        };
        DeliveriesView: {
            deliveries: components["schemas"]["DeliveryView"][];
        };
        ReplayView: {
            delivery: components["schemas"]["DeliveryView"];
        };
        PersonalRecordView: {
            /** @description What it is: `messages`, `memories`, `sessions`, … */
            kind: string;
            record: {
                [key: string]: unknown;
            };
        };
        UserExportView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            userId: string;
            records: components["schemas"]["PersonalRecordView"][];
        };
        ErasedKindView: {
            kind: string;
            /** @description Rows. */
            deleted: number;
            /** @description Rows that stay without what they said about the user. */
            redacted: number;
        };
        ForgetRequestView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            requestId: string;
            /** @enum {string} */
            status: "running" | "done" | "queued";
            /** @description The request covers the user's data up to this journal offset. */
            upToOffset: number;
            /**
             * Format: date-time
             * @description @format date-time
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description Null until the end. @format date-time
             */
            finishedAt: string | null;
            erased: components["schemas"]["ErasedKindView"][];
            /** @description Names of the backups in DATA_DIR/backups, which still hold the data; null until the end. */
            backups: string[] | null;
        };
        DocumentForm: {
            /**
             * Format: binary
             * @description A Markdown, plain text, HTML, PDF or DOCX file. Its name identifies the document.
             */
            file: string;
        };
        DocumentBody: {
            /**
             * Format: uri
             * @description The address of a Markdown, plain text, HTML, PDF or DOCX document.
             */
            url?: string;
            /** @description Text in Markdown. */
            text?: string;
            /** @description Identifies the document among those of the agent; required with `text`. */
            name?: string;
        };
        UploadBody: {
            /**
             * Format: binary
             * @description The file.
             */
            file: string;
        };
        TranscriptionFields: {
            /**
             * Format: binary
             * @description The recording.
             */
            file: string;
            /**
             * Format: uuid
             * @description Id of the speaker; returned in the response and logged.
             */
            userId?: string;
            /** @description BCP 47 tag of the speech, for example `en-US`. Defaults to the engine's language, or the language that it detects. */
            language?: string;
        };
        SaidBody: {
            text: string;
        };
        ConversationBody: {
            /** @description The user's message. */
            text?: string;
            /** @description Alternative to `text`: the last element is the user's message; the others are ignored. */
            messages?: components["schemas"]["SaidBody"][];
            /**
             * @description `wav` (the default), `mp3` (or `mpeg`), or `ogg`; takes precedence over `Accept`.
             * @enum {string}
             */
            format?: "wav" | "mp3" | "mpeg" | "ogg";
            /** @description Speaking rate, 0.25 to 4; 1 is the normal rate of the voice. */
            speed?: number;
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description Channel of the message; created when it does not exist. Without this and `roomId`, a new channel.
             */
            channelId?: string;
            /** @description Same as `channelId`, but any text. The same text always selects the same channel of the agent. */
            roomId?: string;
            /**
             * Format: uuid
             * @description Id of the speaker. Without this and `entityId`, a new user.
             */
            userId?: string;
            /** @description Same as `userId`, but any text. */
            entityId?: string;
            userName?: string;
            name?: string;
            /** @description The client's own id for the message. A message with an id that was already used is not stored again. */
            clientMessageId?: string;
            /**
             * @description Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's
             *     voice.
             */
            voice?: string;
            /** @description BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
            language?: string;
        };
        ConversationFields: {
            /**
             * Format: binary
             * @description The recording.
             */
            file: string;
            /**
             * @description Audio format of the answer: `wav` (the default), `mp3` or `ogg`. The format of the recording is detected from its content.
             * @enum {string}
             */
            responseFormat?: "wav" | "mp3" | "mpeg" | "ogg";
            /** @description A JSON object as text. */
            metadata?: string;
            /**
             * Format: uuid
             * @description Channel of the message; created when it does not exist. Without this and `roomId`, a new channel.
             */
            channelId?: string;
            /** @description Same as `channelId`, but any text. The same text always selects the same channel of the agent. */
            roomId?: string;
            /**
             * Format: uuid
             * @description Id of the speaker. Without this and `entityId`, a new user.
             */
            userId?: string;
            /** @description Same as `userId`, but any text. */
            entityId?: string;
            userName?: string;
            name?: string;
            /** @description The client's own id for the message. A message with an id that was already used is not stored again. */
            clientMessageId?: string;
            /**
             * @description Id or name of a voice of the engine. Names of OpenAI voices (`alloy`, `nova`, …) select the most similar voice. Defaults to the agent's
             *     voice.
             */
            voice?: string;
            /** @description BCP 47 tag of the text, for example `en-US`. Defaults to the language of the engine. */
            language?: string;
        };
        SubmittedLineBody: {
            /** @enum {string} */
            level: "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace";
            message: string;
            /** @description Source of the line. */
            source?: string;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        SubmitLogsBody: {
            /** @description Up to 1000 lines. Without it, the request reads the log. */
            logs?: components["schemas"]["SubmittedLineBody"][];
        };
        ParticipantView: {
            id: string;
            channelId: string;
            /** @description Id of the user or agent; the same as `id`. */
            userId: string;
            /** @description The agent's name; empty for a user. */
            name: string;
            /** @description `agent` or `user`. */
            role: string;
            /** @description ISO 8601. */
            joinedAt: string;
        };
        ParticipantListView: {
            participants: components["schemas"]["ParticipantView"][];
        };
        ChannelListView: {
            channels: components["schemas"]["ChannelView"][];
            /** @description Cursor of the next page; absent on the last one. */
            nextCursor?: string;
        };
        GroupRoomView: {
            id: string;
            agentId: string;
            name: string;
            source: string;
            worldId: string | null;
            messageServerId: string | null;
            /** @description Always `API`. */
            type: string;
        };
        GroupView: {
            worldId: string;
            rooms: components["schemas"]["GroupRoomView"][];
        };
        CancelledAnswerView: {
            /**
             * Format: uuid
             * @description @format uuid
             */
            agentId: string;
            /**
             * Format: uuid
             * @description Id that the reply would have had. @format uuid
             */
            replyId: string;
        };
        Error: {
            /** @constant */
            success: false;
            error: {
                /** @description An entry of docs/reference/errors.md. */
                code: string;
                /** @description The cause, with the name of the field if there is one. */
                message: string;
                /** @description A remedy or more information. */
                details: string;
            };
            /** @description Also in the header X-Request-Id and in the log. */
            requestId?: string;
        };
    };
    responses: {
        /** @description BAD_REQUEST: The request is invalid; the message gives the reason. INVALID_JSON: The request body is not valid JSON. VALIDATION_ERROR: A body field, query parameter or header has the wrong shape or value. */
        "BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_JSON" | "VALIDATION_ERROR";
                    };
                };
            };
        };
        /** @description FORBIDDEN: The credential does not allow this. */
        FORBIDDEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "FORBIDDEN";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_IN_PROGRESS: The request with this Idempotency-Key is still in progress; retry after the time in Retry-After. IDEMPOTENCY_OUTCOME_UNKNOWN: The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated. */
        "IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_OUTCOME_UNKNOWN";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key was already used for a different request. */
        IDEMPOTENCY_KEY_REUSED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_KEY_REUSED";
                    };
                };
            };
        };
        /** @description INTERNAL_ERROR: An unexpected error; the log contains the cause under the request id. */
        INTERNAL_ERROR: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "INTERNAL_ERROR";
                    };
                };
            };
        };
        /** @description PAYLOAD_TOO_LARGE: The request body is larger than the limit. */
        PAYLOAD_TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "PAYLOAD_TOO_LARGE";
                    };
                };
            };
        };
        /** @description RATE_LIMIT_EXCEEDED: Too many requests; retry after the time in Retry-After. */
        RATE_LIMIT_EXCEEDED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "RATE_LIMIT_EXCEEDED";
                    };
                };
            };
        };
        /** @description SERVER_STOPPING: The server is shutting down; retry shortly. STORAGE_UNAVAILABLE: The database is temporarily not writable; nothing was written. */
        "SERVER_STOPPING.STORAGE_UNAVAILABLE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "SERVER_STOPPING" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
        /** @description STORAGE_FULL: The disk is full; nothing was written. */
        STORAGE_FULL: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "STORAGE_FULL";
                    };
                };
            };
        };
        /** @description UNAUTHORIZED: The operation requires a credential; it is missing, wrong, expired or revoked. */
        UNAUTHORIZED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "UNAUTHORIZED";
                    };
                };
            };
        };
        /** @description UNSUPPORTED_MEDIA_TYPE: The request body has a media type this operation does not read. */
        UNSUPPORTED_MEDIA_TYPE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "UNSUPPORTED_MEDIA_TYPE";
                    };
                };
            };
        };
        /** @description BAD_REQUEST: The request is invalid; the message gives the reason. */
        BAD_REQUEST: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST";
                    };
                };
            };
        };
        /** @description BAD_REQUEST: The request is invalid; the message gives the reason. INVALID_ID: An id in the path is not a UUID (8-4-4-4-12 hexadecimal digits of any version). */
        "BAD_REQUEST.INVALID_ID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_ID";
                    };
                };
            };
        };
        /** @description KEY_NOT_FOUND: No API key has this id. */
        KEY_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "KEY_NOT_FOUND";
                    };
                };
            };
        };
        /** @description BAD_REQUEST: The request is invalid; the message gives the reason. VALIDATION_ERROR: A body field, query parameter or header has the wrong shape or value. */
        "BAD_REQUEST.VALIDATION_ERROR": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "VALIDATION_ERROR";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. */
        AGENT_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND";
                    };
                };
            };
        };
        /** @description BAD_REQUEST: The request is invalid; the message gives the reason. INVALID_ID: An id in the path is not a UUID (8-4-4-4-12 hexadecimal digits of any version). INVALID_JSON: The request body is not valid JSON. VALIDATION_ERROR: A body field, query parameter or header has the wrong shape or value. */
        "BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_ID" | "INVALID_JSON" | "VALIDATION_ERROR";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. WORLD_NOT_FOUND: The agent has no world with this id. */
        "AGENT_NOT_FOUND.WORLD_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "WORLD_NOT_FOUND";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_IN_PROGRESS: The request with this Idempotency-Key is still in progress; retry after the time in Retry-After. IDEMPOTENCY_OUTCOME_UNKNOWN: The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated. ROOM_EXISTS: A room with this id exists and belongs to another agent. */
        "IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.ROOM_EXISTS": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_OUTCOME_UNKNOWN" | "ROOM_EXISTS";
                    };
                };
            };
        };
        /** @description BAD_REQUEST: The request is invalid; the message gives the reason. INVALID_ID: An id in the path is not a UUID (8-4-4-4-12 hexadecimal digits of any version). VALIDATION_ERROR: A body field, query parameter or header has the wrong shape or value. */
        "BAD_REQUEST.INVALID_ID.VALIDATION_ERROR": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_ID" | "VALIDATION_ERROR";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. ROOM_NOT_FOUND: The agent has no room with this id. */
        "AGENT_NOT_FOUND.ROOM_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "ROOM_NOT_FOUND";
                    };
                };
            };
        };
        /** @description CONFLICT: The request conflicts with the current state. */
        CONFLICT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "CONFLICT";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. ROOM_NOT_FOUND: The agent has no room with this id. SUMMARY_NOT_FOUND: The conversation has no summary. */
        "AGENT_NOT_FOUND.ROOM_NOT_FOUND.SUMMARY_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "ROOM_NOT_FOUND" | "SUMMARY_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. MEMORY_NOT_FOUND: The agent has no memory with this id. */
        "AGENT_NOT_FOUND.MEMORY_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "MEMORY_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. MEMORY_NOT_FOUND: The agent has no memory with this id. MEMORY_VERSION_NOT_FOUND: The memory has no former version with this number, or none at all. */
        "AGENT_NOT_FOUND.MEMORY_NOT_FOUND.MEMORY_VERSION_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "MEMORY_NOT_FOUND" | "MEMORY_VERSION_NOT_FOUND";
                    };
                };
            };
        };
        /** @description BAD_REQUEST: The request is invalid; the message gives the reason. CHARACTER_INVALID: The character has missing, unknown or mistyped fields. INVALID_ID: An id in the path is not a UUID (8-4-4-4-12 hexadecimal digits of any version). INVALID_JSON: The request body is not valid JSON. VALIDATION_ERROR: A body field, query parameter or header has the wrong shape or value. */
        "BAD_REQUEST.CHARACTER_INVALID.INVALID_ID.INVALID_JSON.VALIDATION_ERROR": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "CHARACTER_INVALID" | "INVALID_ID" | "INVALID_JSON" | "VALIDATION_ERROR";
                    };
                };
            };
        };
        /** @description CONFLICT: The request conflicts with the current state. IDEMPOTENCY_IN_PROGRESS: The request with this Idempotency-Key is still in progress; retry after the time in Retry-After. IDEMPOTENCY_OUTCOME_UNKNOWN: The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated. */
        "CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_OUTCOME_UNKNOWN";
                    };
                };
            };
        };
        /** @description CONFLICT: The request conflicts with the current state. DOCUMENT_LIMIT_REACHED: The agent has as many documents as KNOWLEDGE_DOCUMENT_LIMIT allows. IDEMPOTENCY_IN_PROGRESS: The request with this Idempotency-Key is still in progress; retry after the time in Retry-After. IDEMPOTENCY_OUTCOME_UNKNOWN: The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated. */
        "CONFLICT.DOCUMENT_LIMIT_REACHED.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "DOCUMENT_LIMIT_REACHED" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_OUTCOME_UNKNOWN";
                    };
                };
            };
        };
        /** @description FILE_TOO_LARGE: The uploaded file is larger than the limit. PAYLOAD_TOO_LARGE: The request body is larger than the limit. */
        "FILE_TOO_LARGE.PAYLOAD_TOO_LARGE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "FILE_TOO_LARGE" | "PAYLOAD_TOO_LARGE";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. DOCUMENT_NOT_FOUND: The agent has no document with this id. */
        "AGENT_NOT_FOUND.DOCUMENT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "DOCUMENT_NOT_FOUND";
                    };
                };
            };
        };
        /** @description MESSAGE_SERVER_NOT_FOUND: No message server has this id. */
        MESSAGE_SERVER_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "MESSAGE_SERVER_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. MESSAGE_SERVER_NOT_FOUND: No message server has this id. */
        "AGENT_NOT_FOUND.MESSAGE_SERVER_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "MESSAGE_SERVER_NOT_FOUND";
                    };
                };
            };
        };
        /** @description MESSAGE_SERVER_NOT_FOUND: No message server has this id. PARTICIPANT_NOT_FOUND: The agent is not a participant of this channel or message server. */
        "MESSAGE_SERVER_NOT_FOUND.PARTICIPANT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "MESSAGE_SERVER_NOT_FOUND" | "PARTICIPANT_NOT_FOUND";
                    };
                };
            };
        };
        /** @description CHANNEL_NOT_FOUND: No channel has this id. */
        CHANNEL_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "CHANNEL_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. CHANNEL_NOT_FOUND: No channel has this id. */
        "AGENT_NOT_FOUND.CHANNEL_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "CHANNEL_NOT_FOUND";
                    };
                };
            };
        };
        /** @description CHANNEL_NOT_FOUND: No channel has this id. PARTICIPANT_NOT_FOUND: The agent is not a participant of this channel or message server. */
        "CHANNEL_NOT_FOUND.PARTICIPANT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "CHANNEL_NOT_FOUND" | "PARTICIPANT_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. CHANNEL_NOT_FOUND: No channel has this id. MESSAGE_SERVER_NOT_FOUND: No message server has this id. */
        "AGENT_NOT_FOUND.CHANNEL_NOT_FOUND.MESSAGE_SERVER_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "MESSAGE_SERVER_NOT_FOUND";
                    };
                };
            };
        };
        /** @description CONFLICT: The request conflicts with the current state. IDEMPOTENCY_IN_PROGRESS: The request with this Idempotency-Key is still in progress; retry after the time in Retry-After. IDEMPOTENCY_OUTCOME_UNKNOWN: The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated. MESSAGE_EXISTS: A message with this id and different content exists. TURN_CANCELLED: The answer was cancelled by a newer message (turn policy "interrupt") or at the request of a client, or its message, channel or agent was deleted or stopped. TURN_IN_PROGRESS: The turn policy of the channel is "reject" and a turn is in progress. */
        "CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "CONFLICT" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_OUTCOME_UNKNOWN" | "MESSAGE_EXISTS" | "TURN_CANCELLED" | "TURN_IN_PROGRESS";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key was already used for a different request. SESSION_RENEWAL_FAILED: The session has reached its maximum duration and cannot be renewed. */
        "IDEMPOTENCY_KEY_REUSED.SESSION_RENEWAL_FAILED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_KEY_REUSED" | "SESSION_RENEWAL_FAILED";
                    };
                };
            };
        };
        /** @description INTERNAL_ERROR: An unexpected error; the log contains the cause under the request id. TURN_FAILED: The answer failed because of a server error; the message is stored and the turn is recorded as failed. */
        "INTERNAL_ERROR.TURN_FAILED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "INTERNAL_ERROR" | "TURN_FAILED";
                    };
                };
            };
        };
        /** @description MODEL_REJECTED: The language model rejected the request, for example because of a wrong key or an unknown model name; the details name the setting. MODEL_UNAVAILABLE: The language model was unreachable, failed repeatedly or has no quota left; the message is stored and the turn is recorded as failed. SERVER_STOPPING: The server is shutting down; retry shortly. STORAGE_UNAVAILABLE: The database is temporarily not writable; nothing was written. */
        "MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "MODEL_REJECTED" | "MODEL_UNAVAILABLE" | "SERVER_STOPPING" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
        /** @description SESSION_EXPIRED: The session has expired; create a new one. */
        SESSION_EXPIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "SESSION_EXPIRED";
                    };
                };
            };
        };
        /** @description TURN_TIMEOUT: The answer was not ready within the time limit. */
        TURN_TIMEOUT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "TURN_TIMEOUT";
                    };
                };
            };
        };
        /** @description CHANNEL_NOT_FOUND: No channel has this id. MESSAGE_NOT_FOUND: No message has this id in this channel. */
        "CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "CHANNEL_NOT_FOUND" | "MESSAGE_NOT_FOUND";
                    };
                };
            };
        };
        /** @description MESSAGE_NOT_FOUND: No message has this id in this channel. */
        MESSAGE_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "MESSAGE_NOT_FOUND";
                    };
                };
            };
        };
        /** @description MEDIA_NOT_FOUND: No file has this address, or it was deleted with its owner. */
        MEDIA_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "MEDIA_NOT_FOUND";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_IN_PROGRESS: The request with this Idempotency-Key is still in progress; retry after the time in Retry-After. IDEMPOTENCY_KEY_NOT_RANDOM: The Idempotency-Key was used before. Without a credential only a random UUID (version 4) may be repeated. IDEMPOTENCY_OUTCOME_UNKNOWN: The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated. */
        "IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_KEY_NOT_RANDOM.IDEMPOTENCY_OUTCOME_UNKNOWN": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_NOT_RANDOM" | "IDEMPOTENCY_OUTCOME_UNKNOWN";
                    };
                };
            };
        };
        /** @description SESSION_NOT_FOUND: No session has this id. */
        SESSION_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "SESSION_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. CHANNEL_NOT_FOUND: No channel has this id. SESSION_NOT_FOUND: No session has this id. */
        "AGENT_NOT_FOUND.CHANNEL_NOT_FOUND.SESSION_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "SESSION_NOT_FOUND";
                    };
                };
            };
        };
        /** @description MESSAGE_NOT_FOUND: No message has this id in this channel. SESSION_NOT_FOUND: No session has this id. */
        "MESSAGE_NOT_FOUND.SESSION_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "MESSAGE_NOT_FOUND" | "SESSION_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. RUN_NOT_FOUND: The agent has no run with this id. */
        "AGENT_NOT_FOUND.RUN_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "RUN_NOT_FOUND";
                    };
                };
            };
        };
        /** @description JOB_NOT_FOUND: No job has this id, or it is no longer kept. */
        JOB_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "JOB_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. MESSAGE_NOT_FOUND: No message has this id in this channel. */
        "AGENT_NOT_FOUND.MESSAGE_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "MESSAGE_NOT_FOUND";
                    };
                };
            };
        };
        /** @description AUDIO_BUSY: The speech engines are busy; retry after the time in Retry-After. MODEL_REJECTED: The language model rejected the request, for example because of a wrong key or an unknown model name; the details name the setting. MODEL_UNAVAILABLE: The language model was unreachable, failed repeatedly or has no quota left; the message is stored and the turn is recorded as failed. SERVER_STOPPING: The server is shutting down; retry shortly. STORAGE_UNAVAILABLE: The database is temporarily not writable; nothing was written. */
        "AUDIO_BUSY.MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AUDIO_BUSY" | "MODEL_REJECTED" | "MODEL_UNAVAILABLE" | "SERVER_STOPPING" | "STORAGE_UNAVAILABLE";
                    };
                };
            };
        };
        /** @description BAD_REQUEST: The request is invalid; the message gives the reason. INVALID_ID: An id in the path is not a UUID (8-4-4-4-12 hexadecimal digits of any version). INVALID_JSON: The request body is not valid JSON. UNKNOWN_VOICE: The speech engine has no voice with this name; the details list the available voices. VALIDATION_ERROR: A body field, query parameter or header has the wrong shape or value. */
        "BAD_REQUEST.INVALID_ID.INVALID_JSON.UNKNOWN_VOICE.VALIDATION_ERROR": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "BAD_REQUEST" | "INVALID_ID" | "INVALID_JSON" | "UNKNOWN_VOICE" | "VALIDATION_ERROR";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key was already used for a different request. LANGUAGE_NOT_SUPPORTED: The speech engine does not support this language; the details name the setting to change. */
        "IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_KEY_REUSED" | "LANGUAGE_NOT_SUPPORTED";
                    };
                };
            };
        };
        /** @description AUDIO_TOO_LONG: The recording is longer than AUDIO_MAX_SECONDS. FILE_TOO_LARGE: The uploaded file is larger than the limit. PAYLOAD_TOO_LARGE: The request body is larger than the limit. */
        "AUDIO_TOO_LONG.FILE_TOO_LARGE.PAYLOAD_TOO_LARGE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AUDIO_TOO_LONG" | "FILE_TOO_LARGE" | "PAYLOAD_TOO_LARGE";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_KEY_REUSED: The Idempotency-Key was already used for a different request. LANGUAGE_NOT_SUPPORTED: The speech engine does not support this language; the details name the setting to change. NO_AUDIO_TRACK: The file contains no audio track. */
        "IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED.NO_AUDIO_TRACK": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_KEY_REUSED" | "LANGUAGE_NOT_SUPPORTED" | "NO_AUDIO_TRACK";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_IN_PROGRESS: The request with this Idempotency-Key is still in progress; retry after the time in Retry-After. IDEMPOTENCY_OUTCOME_UNKNOWN: The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated. MESSAGE_EXISTS: A message with this id and different content exists. TURN_CANCELLED: The answer was cancelled by a newer message (turn policy "interrupt") or at the request of a client, or its message, channel or agent was deleted or stopped. TURN_IN_PROGRESS: The turn policy of the channel is "reject" and a turn is in progress. */
        "IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_OUTCOME_UNKNOWN" | "MESSAGE_EXISTS" | "TURN_CANCELLED" | "TURN_IN_PROGRESS";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. LOG_NOT_FOUND: The agent has no log entry with this id, or it is no longer kept. */
        "AGENT_NOT_FOUND.LOG_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "LOG_NOT_FOUND";
                    };
                };
            };
        };
        /** @description IDEMPOTENCY_IN_PROGRESS: The request with this Idempotency-Key is still in progress; retry after the time in Retry-After. IDEMPOTENCY_OUTCOME_UNKNOWN: The request with this Idempotency-Key was interrupted after it made changes, and cannot be repeated. MESSAGE_EXISTS: A message with this id and different content exists. */
        "IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_OUTCOME_UNKNOWN" | "MESSAGE_EXISTS";
                    };
                };
            };
        };
        /** @description AGENT_NOT_FOUND: No running agent has this id. CHANNEL_NOT_FOUND: No channel has this id. MESSAGE_NOT_FOUND: No message has this id in this channel. */
        "AGENT_NOT_FOUND.CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "AGENT_NOT_FOUND" | "CHANNEL_NOT_FOUND" | "MESSAGE_NOT_FOUND";
                    };
                };
            };
        };
        /** @description NOT_FOUND: No operation has this path and method. */
        NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "NOT_FOUND";
                    };
                };
            };
        };
        /** @description TEE_NOT_AVAILABLE: The machine has no trusted hardware that issues quotes. */
        TEE_NOT_AVAILABLE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "TEE_NOT_AVAILABLE";
                    };
                };
            };
        };
        /** @description DELIVERY_NOT_FOUND: The plugin has received no webhook delivery with this id, or it is no longer kept. PLUGIN_NOT_FOUND: No plugin has this name. */
        "DELIVERY_NOT_FOUND.PLUGIN_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "DELIVERY_NOT_FOUND" | "PLUGIN_NOT_FOUND";
                    };
                };
            };
        };
        /** @description FORGET_REQUEST_NOT_FOUND: No request with this id was made to forget this user. */
        FORGET_REQUEST_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "FORGET_REQUEST_NOT_FOUND";
                    };
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    keysList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "keys": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "scope": "text",
                     *             "agents": [
                     *               "text"
                     *             ],
                     *             "users": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "expiresAt": "2026-01-31T12:00:00.000Z",
                     *             "revokedAt": "2026-01-31T12:00:00.000Z",
                     *             "lastUsedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["KeysView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    keysCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "scope": "read",
                 *       "agents": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "users": "all",
                 *       "expiresAt": "2026-01-31T12:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["CreateKeyBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "key": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "scope": "text",
                     *           "agents": [
                     *             "text"
                     *           ],
                     *           "users": {},
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "expiresAt": "2026-01-31T12:00:00.000Z",
                     *           "revokedAt": "2026-01-31T12:00:00.000Z",
                     *           "lastUsedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "token": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedKeyView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    keysRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "scope": "text",
                     *         "agents": [
                     *           "text"
                     *         ],
                     *         "users": {},
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "expiresAt": "2026-01-31T12:00:00.000Z",
                     *         "revokedAt": "2026-01-31T12:00:00.000Z",
                     *         "lastUsedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["KeyView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["KEY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    allWorldsList: {
        parameters: {
            query?: {
                /** @description Only the worlds of this agent. */
                agentId?: string;
                /** @description Page size, 1 to 1000 (1000 when absent). */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "worlds": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "createdAt": 1769860800000
                     *           }
                     *         ],
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WorldsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    groupsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentIds": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "name": "Ada",
                 *       "description": "text",
                 *       "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "source": "text",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["CreateGroupBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "source": "text",
                     *           "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["GroupRoomView"][] | components["schemas"]["GroupView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    groupsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    groupsForget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "deleted": 0,
                     *       "data": {
                     *         "success": true,
                     *         "deleted": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedGroupMemoriesView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedGroupMemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    worldsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "sourceType": "text",
                 *       "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "metadata": {},
                 *       "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWorldBody"];
            };
        };
        responses: {
            /** @description The agent joined the world. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "world": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "createdAt": 1769860800000
                     *         },
                     *         "success": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedWorldView"];
                    };
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "world": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "createdAt": 1769860800000
                     *         },
                     *         "success": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedWorldView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.WORLD_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    worldsUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                worldId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "metadata": {},
                 *       "settings": {}
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWorldBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "world": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "createdAt": 1769860800000
                     *         },
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "settings": {}
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UpdatedWorldView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.WORLD_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    roomsList: {
        parameters: {
            query?: {
                worldId?: string;
                channelId?: string;
                /** @description Page size, 1 to 1000 (1000 when absent). */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                after?: string;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "rooms": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "source": "text",
                     *             "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "entities": [
                     *               {
                     *                 "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *                 "name": "Ada"
                     *               }
                     *             ],
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "type": "text",
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": 1769860800000,
                     *             "updatedAt": 1769860800000
                     *           }
                     *         ],
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RoomsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    roomsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "type": "text",
                 *       "source": "text",
                 *       "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["CreateRoomBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "source": "text",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "entities": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada"
                     *           }
                     *         ],
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RoomView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.ROOM_EXISTS"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    roomsListAlias1: {
        parameters: {
            query?: {
                worldId?: string;
                channelId?: string;
                /** @description Page size, 1 to 1000 (1000 when absent). */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                after?: string;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "rooms": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "source": "text",
                     *             "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "entities": [
                     *               {
                     *                 "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *                 "name": "Ada"
                     *               }
                     *             ],
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "type": "text",
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": 1769860800000,
                     *             "updatedAt": 1769860800000
                     *           }
                     *         ],
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RoomsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    roomsCreateAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "type": "text",
                 *       "source": "text",
                 *       "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["CreateRoomBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "source": "text",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "entities": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada"
                     *           }
                     *         ],
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RoomView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.ROOM_EXISTS"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    roomsRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "source": "text",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "entities": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada"
                     *           }
                     *         ],
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000,
                     *         "worldName": "Ada"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RoomDetailsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    roomsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    roomsUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRoomBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "source": "text",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "entities": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada"
                     *           }
                     *         ],
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RoomView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    roomsReadAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "source": "text",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "entities": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada"
                     *           }
                     *         ],
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000,
                     *         "worldName": "Ada"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RoomDetailsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    roomsDeleteAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    roomsUpdateAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["UpdateRoomBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "source": "text",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "entities": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada"
                     *           }
                     *         ],
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RoomView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    roomsSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "text": "Which tea is green?",
                     *         "messages": 0,
                     *         "fromSeq": 0,
                     *         "throughSeq": 0,
                     *         "model": "openai/gpt-5-mini",
                     *         "createdAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SummaryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND.SUMMARY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    roomsSummaryAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "text": "Which tea is green?",
                     *         "messages": 0,
                     *         "fromSeq": 0,
                     *         "throughSeq": 0,
                     *         "model": "openai/gpt-5-mini",
                     *         "createdAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SummaryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND.SUMMARY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    roomsMemoriesOf: {
        parameters: {
            query?: {
                /** @description Type of the memories: `messages` (default), `facts`, `documents`, … */
                tableName?: string;
                /** @description Another name for `tableName`. */
                type?: string;
                roomId?: string;
                /** @description The agent's room of this channel. */
                channelId?: string;
                /** @description Author of the memories. */
                entityId?: string;
                /** @description Text that the content contains. */
                search?: string;
                /** @description Earliest creation time: epoch ms or an ISO 8601 instant. Alias: `start`. */
                from?: string;
                start?: string;
                /** @description Latest creation time: epoch ms or an ISO 8601 instant. Alias: `end`. */
                to?: string;
                end?: string;
                /** @description Older than this: a time, or `nextCursor` of an earlier page. */
                before?: string;
                /** @description Newer than this: a time or a cursor; returns the adjacent page. */
                after?: string;
                /** @description Page size, 1 to 1000 (50 when absent), or `all` for 10,000. Alias: `count`. */
                limit?: string;
                count?: string;
                /** @description Number of memories to skip; prefer `before`. */
                offset?: string;
                /** @description Page number, from 1; prefer `before`. */
                page?: string;
                /** @description Adds the vector of each memory that has one. */
                includeEmbedding?: "true" | "false";
                /** @description Leaves out duplicates of earlier memories. */
                unique?: "true" | "false";
            };
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "memories": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "type": "text",
                     *             "createdAt": 1769860800000,
                     *             "content": {},
                     *             "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "unique": true,
                     *             "metadata": {},
                     *             "embedding": [
                     *               0
                     *             ]
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    roomsMemoriesOfAlias1: {
        parameters: {
            query?: {
                /** @description Type of the memories: `messages` (default), `facts`, `documents`, … */
                tableName?: string;
                /** @description Another name for `tableName`. */
                type?: string;
                roomId?: string;
                /** @description The agent's room of this channel. */
                channelId?: string;
                /** @description Author of the memories. */
                entityId?: string;
                /** @description Text that the content contains. */
                search?: string;
                /** @description Earliest creation time: epoch ms or an ISO 8601 instant. Alias: `start`. */
                from?: string;
                start?: string;
                /** @description Latest creation time: epoch ms or an ISO 8601 instant. Alias: `end`. */
                to?: string;
                end?: string;
                /** @description Older than this: a time, or `nextCursor` of an earlier page. */
                before?: string;
                /** @description Newer than this: a time or a cursor; returns the adjacent page. */
                after?: string;
                /** @description Page size, 1 to 1000 (50 when absent), or `all` for 10,000. Alias: `count`. */
                limit?: string;
                count?: string;
                /** @description Number of memories to skip; prefer `before`. */
                offset?: string;
                /** @description Page number, from 1; prefer `before`. */
                page?: string;
                /** @description Adds the vector of each memory that has one. */
                includeEmbedding?: "true" | "false";
                /** @description Leaves out duplicates of earlier memories. */
                unique?: "true" | "false";
            };
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "memories": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "type": "text",
                     *             "createdAt": 1769860800000,
                     *             "content": {},
                     *             "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "unique": true,
                     *             "metadata": {},
                     *             "embedding": [
                     *               0
                     *             ]
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    memoriesList: {
        parameters: {
            query?: {
                /** @description Type of the memories: `messages` (default), `facts`, `documents`, … */
                tableName?: string;
                /** @description Another name for `tableName`. */
                type?: string;
                roomId?: string;
                /** @description The agent's room of this channel. */
                channelId?: string;
                /** @description Author of the memories. */
                entityId?: string;
                /** @description Text that the content contains. */
                search?: string;
                /** @description Earliest creation time: epoch ms or an ISO 8601 instant. Alias: `start`. */
                from?: string;
                start?: string;
                /** @description Latest creation time: epoch ms or an ISO 8601 instant. Alias: `end`. */
                to?: string;
                end?: string;
                /** @description Older than this: a time, or `nextCursor` of an earlier page. */
                before?: string;
                /** @description Newer than this: a time or a cursor; returns the adjacent page. */
                after?: string;
                /** @description Page size, 1 to 1000 (50 when absent), or `all` for 10,000. Alias: `count`. */
                limit?: string;
                count?: string;
                /** @description Number of memories to skip; prefer `before`. */
                offset?: string;
                /** @description Page number, from 1; prefer `before`. */
                page?: string;
                /** @description Adds the vector of each memory that has one. */
                includeEmbedding?: "true" | "false";
                /** @description Leaves out duplicates of earlier memories. */
                unique?: "true" | "false";
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "memories": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "type": "text",
                     *             "createdAt": 1769860800000,
                     *             "content": {},
                     *             "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "unique": true,
                     *             "metadata": {},
                     *             "embedding": [
                     *               0
                     *             ]
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    memoriesDeleteAll: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": 0,
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "deleted": 0,
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedMemoriesView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedMemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesListAlias1: {
        parameters: {
            query?: {
                /** @description Type of the memories: `messages` (default), `facts`, `documents`, … */
                tableName?: string;
                /** @description Another name for `tableName`. */
                type?: string;
                roomId?: string;
                /** @description The agent's room of this channel. */
                channelId?: string;
                /** @description Author of the memories. */
                entityId?: string;
                /** @description Text that the content contains. */
                search?: string;
                /** @description Earliest creation time: epoch ms or an ISO 8601 instant. Alias: `start`. */
                from?: string;
                start?: string;
                /** @description Latest creation time: epoch ms or an ISO 8601 instant. Alias: `end`. */
                to?: string;
                end?: string;
                /** @description Older than this: a time, or `nextCursor` of an earlier page. */
                before?: string;
                /** @description Newer than this: a time or a cursor; returns the adjacent page. */
                after?: string;
                /** @description Page size, 1 to 1000 (50 when absent), or `all` for 10,000. Alias: `count`. */
                limit?: string;
                count?: string;
                /** @description Number of memories to skip; prefer `before`. */
                offset?: string;
                /** @description Page number, from 1; prefer `before`. */
                page?: string;
                /** @description Adds the vector of each memory that has one. */
                includeEmbedding?: "true" | "false";
                /** @description Leaves out duplicates of earlier memories. */
                unique?: "true" | "false";
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "memories": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "type": "text",
                     *             "createdAt": 1769860800000,
                     *             "content": {},
                     *             "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "unique": true,
                     *             "metadata": {},
                     *             "embedding": [
                     *               0
                     *             ]
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    memoriesDeleteAllAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": 0,
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "deleted": 0,
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedMemoriesView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedMemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesDeleteRoom: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": 0,
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "deleted": 0,
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedMemoriesView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedMemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesDeleteRoomAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                roomId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted": 0,
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "deleted": 0,
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedMemoriesView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedMemoriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.ROOM_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "createdAt": 1769860800000,
                     *         "content": {},
                     *         "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "unique": true,
                     *         "metadata": {},
                     *         "embedding": [
                     *           0
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    memoriesDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedMemoryView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedMemoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "text",
                 *       "metadata": {},
                 *       "embedding": [
                 *         0
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMemoryBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "createdAt": 1769860800000,
                     *         "content": {},
                     *         "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "unique": true,
                     *         "metadata": {},
                     *         "embedding": [
                     *           0
                     *         ],
                     *         "message": "Which tea is green?",
                     *         "memory": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "createdAt": 1769860800000,
                     *           "content": {},
                     *           "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "unique": true,
                     *           "metadata": {},
                     *           "embedding": [
                     *             0
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UpdatedMemoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesReadAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "createdAt": 1769860800000,
                     *         "content": {},
                     *         "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "unique": true,
                     *         "metadata": {},
                     *         "embedding": [
                     *           0
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    memoriesDeleteAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedMemoryView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedMemoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesUpdateAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "text",
                 *       "metadata": {},
                 *       "embedding": [
                 *         0
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMemoryBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "createdAt": 1769860800000,
                     *         "content": {},
                     *         "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "unique": true,
                     *         "metadata": {},
                     *         "embedding": [
                     *           0
                     *         ],
                     *         "message": "Which tea is green?",
                     *         "memory": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "createdAt": 1769860800000,
                     *           "content": {},
                     *           "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "unique": true,
                     *           "metadata": {},
                     *           "embedding": [
                     *             0
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UpdatedMemoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesHistory: {
        parameters: {
            query?: {
                /** @description Page size. Defaults to 20. */
                limit?: number;
                /** @description Only versions below this number: the `nextCursor` of the previous page. */
                before?: string;
            };
            header?: never;
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "version": 0,
                     *         "versions": [
                     *           {
                     *             "version": 0,
                     *             "content": {},
                     *             "metadata": {},
                     *             "changedAt": 1769860800000,
                     *             "changedBy": "text"
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemoryHistoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    memoriesHistoryAlias1: {
        parameters: {
            query?: {
                /** @description Page size. Defaults to 20. */
                limit?: number;
                /** @description Only versions below this number: the `nextCursor` of the previous page. */
                before?: string;
            };
            header?: never;
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "version": 0,
                     *         "versions": [
                     *           {
                     *             "version": 0,
                     *             "content": {},
                     *             "metadata": {},
                     *             "changedAt": 1769860800000,
                     *             "changedBy": "text"
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemoryHistoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    memoriesUndo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["UndoMemoryBody"];
            };
        };
        responses: {
            /**
             * @description This is a change like any other: the present version becomes the newest former one, so undoing twice restores it. To
             *     go back further, name the version.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "createdAt": 1769860800000,
                     *         "content": {},
                     *         "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "unique": true,
                     *         "metadata": {},
                     *         "embedding": [
                     *           0
                     *         ],
                     *         "message": "Which tea is green?",
                     *         "memory": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "createdAt": 1769860800000,
                     *           "content": {},
                     *           "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "unique": true,
                     *           "metadata": {},
                     *           "embedding": [
                     *             0
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UpdatedMemoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND.MEMORY_VERSION_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    memoriesUndoAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
                memoryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["UndoMemoryBody"];
            };
        };
        responses: {
            /**
             * @description This is a change like any other: the present version becomes the newest former one, so undoing twice restores it. To
             *     go back further, name the version.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "createdAt": 1769860800000,
                     *         "content": {},
                     *         "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "unique": true,
                     *         "metadata": {},
                     *         "embedding": [
                     *           0
                     *         ],
                     *         "message": "Which tea is green?",
                     *         "memory": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "createdAt": 1769860800000,
                     *           "content": {},
                     *           "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "worldId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "unique": true,
                     *           "metadata": {},
                     *           "embedding": [
                     *             0
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UpdatedMemoryView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MEMORY_NOT_FOUND.MEMORY_VERSION_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    agentsList: {
        parameters: {
            query?: {
                /** @description Page size, up to 1000; all agents when absent. */
                limit?: number;
                /** @description `nextCursor` of the previous page; stays valid when agents are deleted. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "agents": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "characterName": "Ada",
                     *             "username": "text",
                     *             "bio": "text",
                     *             "topics": [
                     *               "text"
                     *             ],
                     *             "status": "active",
                     *             "createdAt": 1769860800000,
                     *             "updatedAt": 1769860800000
                     *           }
                     *         ],
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentsView"];
                    };
                };
            };
            /** @description The body is the one whose `ETag` is in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    agentsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "characterJson": {
                 *         "name": "Ada",
                 *         "bio": "I am Ada."
                 *       },
                 *       "characterPath": "text",
                 *       "agent": {
                 *         "name": "Ada",
                 *         "bio": "I am Ada."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateAgentBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "character": {},
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "characterName": "Ada",
                     *         "username": "text",
                     *         "system": "text",
                     *         "templates": {},
                     *         "bio": "text",
                     *         "lore": "text",
                     *         "messageExamples": [
                     *           [
                     *             {}
                     *           ]
                     *         ],
                     *         "postExamples": [
                     *           "text"
                     *         ],
                     *         "topics": [
                     *           "text"
                     *         ],
                     *         "adjectives": [
                     *           "text"
                     *         ],
                     *         "knowledge": [
                     *           "text"
                     *         ],
                     *         "plugins": [
                     *           "text"
                     *         ],
                     *         "settings": {},
                     *         "secrets": {},
                     *         "style": {},
                     *         "status": "active",
                     *         "enabled": true,
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.CHARACTER_INVALID.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    agentsRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "characterName": "Ada",
                     *         "username": "text",
                     *         "system": "text",
                     *         "templates": {},
                     *         "bio": "text",
                     *         "lore": "text",
                     *         "messageExamples": [
                     *           [
                     *             {}
                     *           ]
                     *         ],
                     *         "postExamples": [
                     *           "text"
                     *         ],
                     *         "topics": [
                     *           "text"
                     *         ],
                     *         "adjectives": [
                     *           "text"
                     *         ],
                     *         "knowledge": [
                     *           "text"
                     *         ],
                     *         "plugins": [
                     *           "text"
                     *         ],
                     *         "settings": {},
                     *         "secrets": {},
                     *         "style": {},
                     *         "status": "active",
                     *         "enabled": true,
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    agentsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    agentsUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "username": "text",
                 *       "system": "text",
                 *       "templates": {},
                 *       "bio": "text",
                 *       "lore": "text",
                 *       "messageExamples": [
                 *         [
                 *           {
                 *             "name": "Ada",
                 *             "content": {
                 *               "text": "Hello."
                 *             }
                 *           }
                 *         ]
                 *       ],
                 *       "postExamples": [
                 *         "text"
                 *       ],
                 *       "topics": [
                 *         "text"
                 *       ],
                 *       "adjectives": [
                 *         "text"
                 *       ],
                 *       "knowledge": [
                 *         "text"
                 *       ],
                 *       "plugins": [
                 *         "text"
                 *       ],
                 *       "settings": {},
                 *       "secrets": {},
                 *       "style": {}
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAgentBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "characterName": "Ada",
                     *         "username": "text",
                     *         "system": "text",
                     *         "templates": {},
                     *         "bio": "text",
                     *         "lore": "text",
                     *         "messageExamples": [
                     *           [
                     *             {}
                     *           ]
                     *         ],
                     *         "postExamples": [
                     *           "text"
                     *         ],
                     *         "topics": [
                     *           "text"
                     *         ],
                     *         "adjectives": [
                     *           "text"
                     *         ],
                     *         "knowledge": [
                     *           "text"
                     *         ],
                     *         "plugins": [
                     *           "text"
                     *         ],
                     *         "settings": {},
                     *         "secrets": {},
                     *         "style": {},
                     *         "status": "active",
                     *         "enabled": true,
                     *         "createdAt": 1769860800000,
                     *         "updatedAt": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.CHARACTER_INVALID.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    agentsStart: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "status": "active"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentStatusView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    agentsStop: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "name": "Ada",
                     *       "status": "active",
                     *       "message": "Which tea is green?",
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "status": "active",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StoppedAgentView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["StoppedAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    knowledgeList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100. Defaults to 50. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "documents": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "handbook.md",
                     *             "source": "upload",
                     *             "url": "https://example.com/handbook.html",
                     *             "mediaType": "text/markdown",
                     *             "size": 0,
                     *             "status": "pending",
                     *             "progress": {
                     *               "done": 0,
                     *               "total": 0
                     *             },
                     *             "pieces": 0,
                     *             "error": {
                     *               "code": "text",
                     *               "message": "Which tea is green?",
                     *               "details": "text"
                     *             },
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "total": 0,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DocumentsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    knowledgeAdd: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentForm"];
                /**
                 * @example {
                 *       "url": "https://example.org/picture.png",
                 *       "text": "Which tea is green?",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentBody"];
            };
        };
        responses: {
            /**
             * @description A document with the same name or address is replaced. The document is read in the background: its `status` and the journal's
             *     `knowledge.updated` tell when.
             */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "handbook.md",
                     *         "source": "upload",
                     *         "url": "https://example.com/handbook.html",
                     *         "mediaType": "text/markdown",
                     *         "size": 0,
                     *         "status": "pending",
                     *         "progress": {
                     *           "done": 0,
                     *           "total": 0
                     *         },
                     *         "pieces": 0,
                     *         "error": {
                     *           "code": "text",
                     *           "message": "Which tea is green?",
                     *           "details": "text"
                     *         },
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DocumentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["CONFLICT.DOCUMENT_LIMIT_REACHED.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    knowledgeEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    knowledgeRead: {
        parameters: {
            query?: {
                /** @description Number of places, 1 to 100. Defaults to 50. */
                limit?: number;
                /** @description The `nextCursor` of the previous page: the position of its last piece. */
                cursor?: string;
            };
            header?: never;
            path: {
                agentId: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "handbook.md",
                     *         "source": "upload",
                     *         "url": "https://example.com/handbook.html",
                     *         "mediaType": "text/markdown",
                     *         "size": 0,
                     *         "status": "pending",
                     *         "progress": {
                     *           "done": 0,
                     *           "total": 0
                     *         },
                     *         "pieces": 0,
                     *         "error": {
                     *           "code": "text",
                     *           "message": "Which tea is green?",
                     *           "details": "text"
                     *         },
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "places": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "position": 0,
                     *             "heading": "text",
                     *             "page": 0
                     *           }
                     *         ],
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DocumentDetailsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.DOCUMENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    knowledgeReplace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentForm"];
                /**
                 * @example {
                 *       "url": "https://example.org/picture.png",
                 *       "text": "Which tea is green?",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentBody"];
            };
        };
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "handbook.md",
                     *         "source": "upload",
                     *         "url": "https://example.com/handbook.html",
                     *         "mediaType": "text/markdown",
                     *         "size": 0,
                     *         "status": "pending",
                     *         "progress": {
                     *           "done": 0,
                     *           "total": 0
                     *         },
                     *         "pieces": 0,
                     *         "error": {
                     *           "code": "text",
                     *           "message": "Which tea is green?",
                     *           "details": "text"
                     *         },
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DocumentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.DOCUMENT_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    knowledgeDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.DOCUMENT_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000; all message servers when absent. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messageServers": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "servers": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessageServerListView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "sourceType": "text",
                 *       "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "description": "text",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["CreateServerBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "server": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewMessageServerView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversListAlias1: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000; all message servers when absent. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messageServers": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "servers": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessageServerListView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversCreateAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "sourceType": "text",
                 *       "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "description": "text",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["CreateServerBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "server": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewMessageServerView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversListAlias2: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000; all message servers when absent. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messageServers": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "servers": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessageServerListView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversCreateAlias2: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "sourceType": "text",
                 *       "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "description": "text",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["CreateServerBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "server": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewMessageServerView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversDeleteAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversDeleteAlias2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversChannelsOf: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000; all channels when absent. */
                limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelView"][] | components["schemas"]["ChannelListView"];
                    };
                };
            };
            /** @description The body is the one whose `ETag` is in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversChannelsOfAlias1: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000; all channels when absent. */
                limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelView"][] | components["schemas"]["ChannelListView"];
                    };
                };
            };
            /** @description The body is the one whose `ETag` is in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversChannelsOfAlias2: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 1000; all channels when absent. */
                limit?: number;
                /** @description `X-Next-Cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelView"][] | components["schemas"]["ChannelListView"];
                    };
                };
            };
            /** @description The body is the one whose `ETag` is in `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversSync: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channels": [
                 *         {
                 *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *           "name": "Ada",
                 *           "type": "text",
                 *           "description": "text",
                 *           "metadata": {}
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SyncChannelsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "synced": 0,
                     *         "channelIds": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SyncedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversSyncAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channels": [
                 *         {
                 *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *           "name": "Ada",
                 *           "type": "text",
                 *           "description": "text",
                 *           "metadata": {}
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SyncChannelsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "synced": 0,
                     *         "channelIds": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SyncedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversSyncAlias2: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channels": [
                 *         {
                 *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *           "name": "Ada",
                 *           "type": "text",
                 *           "description": "text",
                 *           "metadata": {}
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SyncChannelsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "synced": 0,
                     *         "channelIds": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SyncedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversAgentsOf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agents": [
                     *             "text"
                     *           ]
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agents": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversAddAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["AgentBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message": "Which tea is green?"
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversAgentsOfAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agents": [
                     *             "text"
                     *           ]
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agents": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversAddAgentAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["AgentBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message": "Which tea is green?"
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversAgentsOfAlias2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agents": [
                     *             "text"
                     *           ]
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agents": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serversAddAgentAlias2: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                messageServerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["AgentBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message": "Which tea is green?"
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversRemoveAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message": "Which tea is green?"
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND.PARTICIPANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversRemoveAgentAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message": "Which tea is green?"
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND.PARTICIPANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serversRemoveAgentAlias2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageServerId: string;
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message": "Which tea is green?"
                     *         },
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND.PARTICIPANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    directoryCurrent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CurrentServerView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    directoryServersOf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "data": {
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServers": [
                     *             "text"
                     *           ]
                     *         },
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServers": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentServersView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    directoryDirectChannel: {
        parameters: {
            query?: {
                currentUserId?: string;
                targetUserId?: string;
                /** @description Alias of `currentUserId`. */
                userId1?: string;
                /** @description Alias of `targetUserId`. */
                userId2?: string;
                /** @description The message server of the channel; the default one when absent. */
                dmServerId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channel": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    directoryCreateGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "type": "text",
                 *       "participants": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "metadata": {},
                 *       "description": "text",
                 *       "topic": "text",
                 *       "participantCentralUserIds": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "turnPolicy": "enqueue"
                 *     }
                 */
                "application/json": components["schemas"]["CreateChannelBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channel": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "type": "text",
                 *       "participants": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "metadata": {},
                 *       "description": "text",
                 *       "topic": "text",
                 *       "participantCentralUserIds": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "turnPolicy": "enqueue"
                 *     }
                 */
                "application/json": components["schemas"]["CreateChannelBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channel": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsCreateAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "type": "text",
                 *       "participants": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "metadata": {},
                 *       "description": "text",
                 *       "topic": "text",
                 *       "participantCentralUserIds": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "turnPolicy": "enqueue"
                 *     }
                 */
                "application/json": components["schemas"]["CreateChannelBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channel": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channel": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsUpdate: {
        parameters: {
            query?: {
                /** @description `merge` merges the metadata into the stored metadata; otherwise it replaces it. */
                metadata?: "merge";
            };
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "metadata": {},
                 *       "description": "text",
                 *       "topic": "text",
                 *       "participantCentralUserIds": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "turnPolicy": "enqueue"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateChannelBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsReadAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channel": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelsReadAlias2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channel": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelsDeleteAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsUpdateAlias1: {
        parameters: {
            query?: {
                /** @description `merge` merges the metadata into the stored metadata; otherwise it replaces it. */
                metadata?: "merge";
            };
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "metadata": {},
                 *       "description": "text",
                 *       "topic": "text",
                 *       "participantCentralUserIds": [
                 *         "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *       ],
                 *       "turnPolicy": "enqueue"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateChannelBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsReadAlias3: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channel": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "channelType": "text",
                     *           "description": "text",
                     *           "topic": "text",
                     *           "metadata": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "turnPolicy": "text",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         },
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "name": "Ada",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "type": "text",
                     *         "channelType": "text",
                     *         "description": "text",
                     *         "topic": "text",
                     *         "metadata": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "turnPolicy": "text",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewChannelView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelsParticipants: {
        parameters: {
            query?: {
                /** @description `true` returns objects instead of ids. */
                expand?: "true" | "false";
            };
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: string[] | components["schemas"]["ParticipantView"][] | components["schemas"]["ParticipantListView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelsParticipantsAlias1: {
        parameters: {
            query?: {
                /** @description `true` returns objects instead of ids. */
                expand?: "true" | "false";
            };
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: string[] | components["schemas"]["ParticipantView"][] | components["schemas"]["ParticipantListView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelsAgentsOf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "participants": [
                     *           "text"
                     *         ],
                     *         "agents": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelAgentsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelsAddAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["AgentBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.CHANNEL_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsAgentsOfAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "participants": [
                     *           "text"
                     *         ],
                     *         "agents": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelAgentsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelsAddAgentAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["AgentBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.CHANNEL_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsRemoveAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND.PARTICIPANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelsRemoveAgentAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelAgentView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND.PARTICIPANT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesHistory: {
        parameters: {
            query?: {
                /** @description Page size, clamped to 1 to 100; 50 when absent. */
                limit?: string;
                /** @description Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */
                before?: string;
                /** @description Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */
                after?: string;
            };
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messages": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorName": "Ada",
                     *             "content": "Which tea is green?",
                     *             "rawMessage": {},
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "isAgent": true,
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z",
                     *             "seq": 0,
                     *             "offset": 0,
                     *             "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "raw_message": {},
                     *             "source_type": "text",
                     *             "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "created_at": 1769860800000,
                     *             "updated_at": 1769860800000
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "cursors": {
                     *           "before": 0,
                     *           "after": 0
                     *         },
                     *         "nextCursor": {
                     *           "before": "text",
                     *           "after": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessagePageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelMessagesPost: {
        parameters: {
            query?: never;
            header?: {
                "x-entity-id"?: string;
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Which tea is green?",
                 *       "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "raw_message": {},
                 *       "metadata": {},
                 *       "source_type": "text",
                 *       "author_display_name": "text",
                 *       "attachments": [
                 *         {}
                 *       ],
                 *       "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "transport": "http",
                 *       "mode": "http"
                 *     }
                 */
                "application/json": components["schemas"]["PostChannelMessageBody"];
            };
        };
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replies": [
                     *           {
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ],
                     *         "userMessage": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "authorName": "Ada",
                     *           "content": "Which tea is green?",
                     *           "rawMessage": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "isAgent": true,
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z",
                     *           "seq": 0,
                     *           "offset": 0,
                     *           "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "raw_message": {},
                     *           "source_type": "text",
                     *           "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "created_at": 1769860800000,
                     *           "updated_at": 1769860800000
                     *         },
                     *         "agentResponse": {
                     *           "text": "Which tea is green?",
                     *           "thought": "text",
                     *           "actions": [
                     *             "text"
                     *           ],
                     *           "providers": [
                     *             "text"
                     *           ],
                     *           "metadata": {},
                     *           "simple": true,
                     *           "responseId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *         },
                     *         "agentResponses": [
                     *           {
                     *             "text": "Which tea is green?",
                     *             "thought": "text",
                     *             "actions": [
                     *               "text"
                     *             ],
                     *             "providers": [
                     *               "text"
                     *             ],
                     *             "metadata": {},
                     *             "simple": true,
                     *             "responseId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ],
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorName": "Ada",
                     *         "content": "Which tea is green?",
                     *         "rawMessage": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "isAgent": true,
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "seq": 0,
                     *         "offset": 0,
                     *         "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "raw_message": {},
                     *         "source_type": "text",
                     *         "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "created_at": 1769860800000,
                     *         "updated_at": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PostedMessageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.CHANNEL_NOT_FOUND.MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS"];
            410: components["responses"]["SESSION_EXPIRED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.SESSION_RENEWAL_FAILED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesClear: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of deleted messages, in the dialect eliza. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "deleted": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesHistoryAlias1: {
        parameters: {
            query?: {
                /** @description Page size, clamped to 1 to 100; 50 when absent. */
                limit?: string;
                /** @description Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */
                before?: string;
                /** @description Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */
                after?: string;
            };
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messages": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorName": "Ada",
                     *             "content": "Which tea is green?",
                     *             "rawMessage": {},
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "isAgent": true,
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z",
                     *             "seq": 0,
                     *             "offset": 0,
                     *             "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "raw_message": {},
                     *             "source_type": "text",
                     *             "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "created_at": 1769860800000,
                     *             "updated_at": 1769860800000
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "cursors": {
                     *           "before": 0,
                     *           "after": 0
                     *         },
                     *         "nextCursor": {
                     *           "before": "text",
                     *           "after": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessagePageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelMessagesPostAlias1: {
        parameters: {
            query?: never;
            header?: {
                "x-entity-id"?: string;
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Which tea is green?",
                 *       "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "raw_message": {},
                 *       "metadata": {},
                 *       "source_type": "text",
                 *       "author_display_name": "text",
                 *       "attachments": [
                 *         {}
                 *       ],
                 *       "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "transport": "http",
                 *       "mode": "http"
                 *     }
                 */
                "application/json": components["schemas"]["PostChannelMessageBody"];
            };
        };
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replies": [
                     *           {
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ],
                     *         "userMessage": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "authorName": "Ada",
                     *           "content": "Which tea is green?",
                     *           "rawMessage": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "isAgent": true,
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z",
                     *           "seq": 0,
                     *           "offset": 0,
                     *           "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "raw_message": {},
                     *           "source_type": "text",
                     *           "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "created_at": 1769860800000,
                     *           "updated_at": 1769860800000
                     *         },
                     *         "agentResponse": {
                     *           "text": "Which tea is green?",
                     *           "thought": "text",
                     *           "actions": [
                     *             "text"
                     *           ],
                     *           "providers": [
                     *             "text"
                     *           ],
                     *           "metadata": {},
                     *           "simple": true,
                     *           "responseId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *         },
                     *         "agentResponses": [
                     *           {
                     *             "text": "Which tea is green?",
                     *             "thought": "text",
                     *             "actions": [
                     *               "text"
                     *             ],
                     *             "providers": [
                     *               "text"
                     *             ],
                     *             "metadata": {},
                     *             "simple": true,
                     *             "responseId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ],
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorName": "Ada",
                     *         "content": "Which tea is green?",
                     *         "rawMessage": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "isAgent": true,
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "seq": 0,
                     *         "offset": 0,
                     *         "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "raw_message": {},
                     *         "source_type": "text",
                     *         "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "created_at": 1769860800000,
                     *         "updated_at": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PostedMessageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.CHANNEL_NOT_FOUND.MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS"];
            410: components["responses"]["SESSION_EXPIRED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.SESSION_RENEWAL_FAILED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesClearAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of deleted messages, in the dialect eliza. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "deleted": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesDeleteAll: {
        parameters: {
            query?: {
                /** @description Delete only this author's messages; all messages when absent. */
                userId?: string;
            };
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "deleted": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesDeleteAllAlias1: {
        parameters: {
            query?: {
                /** @description Delete only this author's messages; all messages when absent. */
                userId?: string;
            };
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "deleted": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "cancelled": [
                     *           {
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CancelledAnswersView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesCancelAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "cancelled": [
                     *           {
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CancelledAnswersView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    channelMessagesDeleteAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    messagesRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorName": "Ada",
                     *         "content": "Which tea is green?",
                     *         "rawMessage": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "isAgent": true,
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "seq": 0,
                     *         "offset": 0,
                     *         "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "raw_message": {},
                     *         "source_type": "text",
                     *         "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "created_at": 1769860800000,
                     *         "updated_at": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    messagesUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Which tea is green?",
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMessageBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorName": "Ada",
                     *         "content": "Which tea is green?",
                     *         "rawMessage": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "isAgent": true,
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "seq": 0,
                     *         "offset": 0,
                     *         "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "raw_message": {},
                     *         "source_type": "text",
                     *         "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "created_at": 1769860800000,
                     *         "updated_at": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    messagesSearch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "text",
                 *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "from": 0,
                 *       "to": 0,
                 *       "limit": 1,
                 *       "cursor": "text",
                 *       "offset": 0,
                 *       "page": 1
                 *     }
                 */
                "application/json": components["schemas"]["SearchMessagesBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messages": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorName": "Ada",
                     *             "content": "Which tea is green?",
                     *             "rawMessage": {},
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "isAgent": true,
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z",
                     *             "seq": 0,
                     *             "offset": 0,
                     *             "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "raw_message": {},
                     *             "source_type": "text",
                     *             "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "created_at": 1769860800000,
                     *             "updated_at": 1769860800000
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FoundMessagesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    uploadsToAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["UploadBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *       "type": "text",
                     *       "mimeType": "text",
                     *       "filename": "text",
                     *       "originalName": "Ada",
                     *       "size": 0,
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *         "type": "text",
                     *         "mimeType": "text",
                     *         "filename": "text",
                     *         "originalName": "Ada",
                     *         "size": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MediaView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    uploadsToAgentAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["UploadBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *       "type": "text",
                     *       "mimeType": "text",
                     *       "filename": "text",
                     *       "originalName": "Ada",
                     *       "size": 0,
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *         "type": "text",
                     *         "mimeType": "text",
                     *         "filename": "text",
                     *         "originalName": "Ada",
                     *         "size": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MediaView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    uploadsToChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["UploadBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *       "type": "text",
                     *       "mimeType": "text",
                     *       "filename": "text",
                     *       "originalName": "Ada",
                     *       "size": 0,
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *         "type": "text",
                     *         "mimeType": "text",
                     *         "filename": "text",
                     *         "originalName": "Ada",
                     *         "size": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MediaView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    uploadsToChannelAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["UploadBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *       "type": "text",
                     *       "mimeType": "text",
                     *       "filename": "text",
                     *       "originalName": "Ada",
                     *       "size": 0,
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *         "type": "text",
                     *         "mimeType": "text",
                     *         "filename": "text",
                     *         "originalName": "Ada",
                     *         "size": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MediaView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    filesOfAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file with its media type; 206 for a Range request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            404: components["responses"]["MEDIA_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    filesOfChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file with its media type; 206 for a Range request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            404: components["responses"]["MEDIA_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    filesGenerated: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file with its media type; 206 for a Range request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            404: components["responses"]["MEDIA_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    sessionsList: {
        parameters: {
            query?: {
                agentId?: string;
                userId?: string;
                /** @description Page size; larger values are reduced to the maximum. */
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "expiresAt": "2026-01-31T12:00:00.000Z",
                     *           "metadata": {},
                     *           "timeoutConfig": {
                     *             "timeoutMinutes": 0,
                     *             "autoRenew": true,
                     *             "maxDurationMinutes": 0,
                     *             "warningThresholdMinutes": 0
                     *           },
                     *           "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "lastActivity": "2026-01-31T12:00:00.000Z",
                     *           "renewalCount": 0,
                     *           "timeRemaining": 0,
                     *           "isNearExpiration": true,
                     *           "status": "active",
                     *           "token": "text"
                     *         }
                     *       ],
                     *       "total": 0,
                     *       "stats": {
                     *         "totalSessions": 0,
                     *         "activeSessions": 0,
                     *         "expiredSessions": 0
                     *       },
                     *       "success": true,
                     *       "data": {
                     *         "sessions": [
                     *           {
                     *             "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "expiresAt": "2026-01-31T12:00:00.000Z",
                     *             "metadata": {},
                     *             "timeoutConfig": {
                     *               "timeoutMinutes": 0,
                     *               "autoRenew": true,
                     *               "maxDurationMinutes": 0,
                     *               "warningThresholdMinutes": 0
                     *             },
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "lastActivity": "2026-01-31T12:00:00.000Z",
                     *             "renewalCount": 0,
                     *             "timeRemaining": 0,
                     *             "isNearExpiration": true,
                     *             "status": "active",
                     *             "token": "text"
                     *           }
                     *         ],
                     *         "total": 0,
                     *         "stats": {
                     *           "totalSessions": 0,
                     *           "activeSessions": 0,
                     *           "expiredSessions": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionListView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SessionListView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    sessionsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "metadata": {
                 *         "platform": "text",
                 *         "username": "text",
                 *         "discriminator": "text",
                 *         "avatar": "text"
                 *       },
                 *       "timeoutConfig": {
                 *         "timeoutMinutes": 5,
                 *         "autoRenew": true,
                 *         "maxDurationMinutes": 1,
                 *         "warningThresholdMinutes": 1
                 *       },
                 *       "turnPolicy": "enqueue"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSessionBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "expiresAt": "2026-01-31T12:00:00.000Z",
                     *       "metadata": {},
                     *       "timeoutConfig": {
                     *         "timeoutMinutes": 0,
                     *         "autoRenew": true,
                     *         "maxDurationMinutes": 0,
                     *         "warningThresholdMinutes": 0
                     *       },
                     *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "lastActivity": "2026-01-31T12:00:00.000Z",
                     *       "renewalCount": 0,
                     *       "timeRemaining": 0,
                     *       "isNearExpiration": true,
                     *       "status": "active",
                     *       "token": "text",
                     *       "success": true,
                     *       "data": {
                     *         "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "expiresAt": "2026-01-31T12:00:00.000Z",
                     *         "metadata": {},
                     *         "timeoutConfig": {
                     *           "timeoutMinutes": 0,
                     *           "autoRenew": true,
                     *           "maxDurationMinutes": 0,
                     *           "warningThresholdMinutes": 0
                     *         },
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "lastActivity": "2026-01-31T12:00:00.000Z",
                     *         "renewalCount": 0,
                     *         "timeRemaining": 0,
                     *         "isNearExpiration": true,
                     *         "status": "active",
                     *         "token": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SessionResponse"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_KEY_NOT_RANDOM.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    sessionsHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "activeSessions": 0,
                     *       "expiringSoon": 0,
                     *       "timestamp": "2026-01-31T12:00:00.000Z",
                     *       "uptime": 0,
                     *       "success": true,
                     *       "data": {
                     *         "status": "healthy",
                     *         "activeSessions": 0,
                     *         "expiringSoon": 0,
                     *         "timestamp": "2026-01-31T12:00:00.000Z",
                     *         "uptime": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionsHealthView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SessionsHealthView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    sessionsRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "expiresAt": "2026-01-31T12:00:00.000Z",
                     *       "metadata": {},
                     *       "timeoutConfig": {
                     *         "timeoutMinutes": 0,
                     *         "autoRenew": true,
                     *         "maxDurationMinutes": 0,
                     *         "warningThresholdMinutes": 0
                     *       },
                     *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "lastActivity": "2026-01-31T12:00:00.000Z",
                     *       "renewalCount": 0,
                     *       "timeRemaining": 0,
                     *       "isNearExpiration": true,
                     *       "status": "active",
                     *       "token": "text",
                     *       "success": true,
                     *       "data": {
                     *         "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "expiresAt": "2026-01-31T12:00:00.000Z",
                     *         "metadata": {},
                     *         "timeoutConfig": {
                     *           "timeoutMinutes": 0,
                     *           "autoRenew": true,
                     *           "maxDurationMinutes": 0,
                     *           "warningThresholdMinutes": 0
                     *         },
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "lastActivity": "2026-01-31T12:00:00.000Z",
                     *         "renewalCount": 0,
                     *         "timeRemaining": 0,
                     *         "isNearExpiration": true,
                     *         "status": "active",
                     *         "token": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SessionResponse"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            410: components["responses"]["SESSION_EXPIRED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    sessionsEnd: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "data": {
                     *         "success": true,
                     *         "message": "Which tea is green?",
                     *         "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EndedSessionView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["EndedSessionView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            410: components["responses"]["SESSION_EXPIRED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    sessionsRenew: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "expiresAt": "2026-01-31T12:00:00.000Z",
                     *       "metadata": {},
                     *       "timeoutConfig": {
                     *         "timeoutMinutes": 0,
                     *         "autoRenew": true,
                     *         "maxDurationMinutes": 0,
                     *         "warningThresholdMinutes": 0
                     *       },
                     *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "lastActivity": "2026-01-31T12:00:00.000Z",
                     *       "renewalCount": 0,
                     *       "timeRemaining": 0,
                     *       "isNearExpiration": true,
                     *       "status": "active",
                     *       "token": "text",
                     *       "success": true,
                     *       "data": {
                     *         "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "expiresAt": "2026-01-31T12:00:00.000Z",
                     *         "metadata": {},
                     *         "timeoutConfig": {
                     *           "timeoutMinutes": 0,
                     *           "autoRenew": true,
                     *           "maxDurationMinutes": 0,
                     *           "warningThresholdMinutes": 0
                     *         },
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "lastActivity": "2026-01-31T12:00:00.000Z",
                     *         "renewalCount": 0,
                     *         "timeRemaining": 0,
                     *         "isNearExpiration": true,
                     *         "status": "active",
                     *         "token": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SessionResponse"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            409: components["responses"]["CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            410: components["responses"]["SESSION_EXPIRED"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.SESSION_RENEWAL_FAILED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    sessionsConfigure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeoutMinutes": 5,
                 *       "autoRenew": true,
                 *       "maxDurationMinutes": 1,
                 *       "warningThresholdMinutes": 1
                 *     }
                 */
                "application/json": components["schemas"]["TimeoutConfigBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "expiresAt": "2026-01-31T12:00:00.000Z",
                     *       "metadata": {},
                     *       "timeoutConfig": {
                     *         "timeoutMinutes": 0,
                     *         "autoRenew": true,
                     *         "maxDurationMinutes": 0,
                     *         "warningThresholdMinutes": 0
                     *       },
                     *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "lastActivity": "2026-01-31T12:00:00.000Z",
                     *       "renewalCount": 0,
                     *       "timeRemaining": 0,
                     *       "isNearExpiration": true,
                     *       "status": "active",
                     *       "token": "text",
                     *       "success": true,
                     *       "data": {
                     *         "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "expiresAt": "2026-01-31T12:00:00.000Z",
                     *         "metadata": {},
                     *         "timeoutConfig": {
                     *           "timeoutMinutes": 0,
                     *           "autoRenew": true,
                     *           "maxDurationMinutes": 0,
                     *           "warningThresholdMinutes": 0
                     *         },
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "lastActivity": "2026-01-31T12:00:00.000Z",
                     *         "renewalCount": 0,
                     *         "timeRemaining": 0,
                     *         "isNearExpiration": true,
                     *         "status": "active",
                     *         "token": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SessionResponse"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            410: components["responses"]["SESSION_EXPIRED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    sessionsHeartbeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "expiresAt": "2026-01-31T12:00:00.000Z",
                     *       "metadata": {},
                     *       "timeoutConfig": {
                     *         "timeoutMinutes": 0,
                     *         "autoRenew": true,
                     *         "maxDurationMinutes": 0,
                     *         "warningThresholdMinutes": 0
                     *       },
                     *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "lastActivity": "2026-01-31T12:00:00.000Z",
                     *       "renewalCount": 0,
                     *       "timeRemaining": 0,
                     *       "isNearExpiration": true,
                     *       "status": "active",
                     *       "token": "text",
                     *       "success": true,
                     *       "data": {
                     *         "sessionId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "expiresAt": "2026-01-31T12:00:00.000Z",
                     *         "metadata": {},
                     *         "timeoutConfig": {
                     *           "timeoutMinutes": 0,
                     *           "autoRenew": true,
                     *           "maxDurationMinutes": 0,
                     *           "warningThresholdMinutes": 0
                     *         },
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "lastActivity": "2026-01-31T12:00:00.000Z",
                     *         "renewalCount": 0,
                     *         "timeRemaining": 0,
                     *         "isNearExpiration": true,
                     *         "status": "active",
                     *         "token": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionResponse"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SessionResponse"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            409: components["responses"]["CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            410: components["responses"]["SESSION_EXPIRED"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.SESSION_RENEWAL_FAILED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    sessionMessagesHistory: {
        parameters: {
            query?: {
                /** @description Page size, clamped to 1 to 100; 50 when absent. */
                limit?: string;
                /** @description Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */
                before?: string;
                /** @description Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */
                after?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "messages": [
                     *         {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "authorName": "Ada",
                     *           "content": "Which tea is green?",
                     *           "rawMessage": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "isAgent": true,
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z",
                     *           "seq": 0,
                     *           "offset": 0,
                     *           "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "raw_message": {},
                     *           "source_type": "text",
                     *           "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "created_at": 1769860800000,
                     *           "updated_at": 1769860800000
                     *         }
                     *       ],
                     *       "hasMore": true,
                     *       "cursors": {
                     *         "before": 0,
                     *         "after": 0
                     *       },
                     *       "nextCursor": {
                     *         "before": "text",
                     *         "after": "text"
                     *       },
                     *       "success": true,
                     *       "data": {
                     *         "messages": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorName": "Ada",
                     *             "content": "Which tea is green?",
                     *             "rawMessage": {},
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "isAgent": true,
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z",
                     *             "seq": 0,
                     *             "offset": 0,
                     *             "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "raw_message": {},
                     *             "source_type": "text",
                     *             "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "created_at": 1769860800000,
                     *             "updated_at": 1769860800000
                     *           }
                     *         ],
                     *         "hasMore": true,
                     *         "cursors": {
                     *           "before": 0,
                     *           "after": 0
                     *         },
                     *         "nextCursor": {
                     *           "before": "text",
                     *           "after": "text"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MessagePageView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessagePageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            410: components["responses"]["SESSION_EXPIRED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    sessionMessagesPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Which tea is green?",
                 *       "attachments": [
                 *         {}
                 *       ],
                 *       "metadata": {},
                 *       "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "transport": "http",
                 *       "mode": "http"
                 *     }
                 */
                "application/json": components["schemas"]["SessionMessageBody"];
            };
        };
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "content": "Which tea is green?",
                     *       "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "metadata": {},
                     *       "success": true,
                     *       "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "replies": [
                     *         {
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *         }
                     *       ],
                     *       "userMessage": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorName": "Ada",
                     *         "content": "Which tea is green?",
                     *         "rawMessage": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "isAgent": true,
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "seq": 0,
                     *         "offset": 0,
                     *         "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "raw_message": {},
                     *         "source_type": "text",
                     *         "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "created_at": 1769860800000,
                     *         "updated_at": 1769860800000
                     *       },
                     *       "agentResponse": {
                     *         "text": "Which tea is green?",
                     *         "thought": "text",
                     *         "actions": [
                     *           "text"
                     *         ],
                     *         "providers": [
                     *           "text"
                     *         ],
                     *         "metadata": {},
                     *         "simple": true,
                     *         "responseId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *       },
                     *       "agentResponses": [
                     *         {
                     *           "text": "Which tea is green?",
                     *           "thought": "text",
                     *           "actions": [
                     *             "text"
                     *           ],
                     *           "providers": [
                     *             "text"
                     *           ],
                     *           "metadata": {},
                     *           "simple": true,
                     *           "responseId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *         }
                     *       ],
                     *       "sessionStatus": {
                     *         "expiresAt": "2026-01-31T12:00:00.000Z",
                     *         "renewalCount": 0,
                     *         "wasRenewed": true,
                     *         "isNearExpiration": true
                     *       },
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "content": "Which tea is green?",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "metadata": {},
                     *         "success": true,
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replies": [
                     *           {
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ],
                     *         "userMessage": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "authorName": "Ada",
                     *           "content": "Which tea is green?",
                     *           "rawMessage": {},
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "isAgent": true,
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z",
                     *           "seq": 0,
                     *           "offset": 0,
                     *           "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "raw_message": {},
                     *           "source_type": "text",
                     *           "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "created_at": 1769860800000,
                     *           "updated_at": 1769860800000
                     *         },
                     *         "agentResponse": {
                     *           "text": "Which tea is green?",
                     *           "thought": "text",
                     *           "actions": [
                     *             "text"
                     *           ],
                     *           "providers": [
                     *             "text"
                     *           ],
                     *           "metadata": {},
                     *           "simple": true,
                     *           "responseId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *         },
                     *         "agentResponses": [
                     *           {
                     *             "text": "Which tea is green?",
                     *             "thought": "text",
                     *             "actions": [
                     *               "text"
                     *             ],
                     *             "providers": [
                     *               "text"
                     *             ],
                     *             "metadata": {},
                     *             "simple": true,
                     *             "responseId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ],
                     *         "sessionStatus": {
                     *           "expiresAt": "2026-01-31T12:00:00.000Z",
                     *           "renewalCount": 0,
                     *           "wasRenewed": true,
                     *           "isNearExpiration": true
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SessionPostedView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SessionPostedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.CHANNEL_NOT_FOUND.SESSION_NOT_FOUND"];
            409: components["responses"]["CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS"];
            410: components["responses"]["SESSION_EXPIRED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.SESSION_RENEWAL_FAILED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    sessionMessagesCancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                sessionId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "cancelled": [
                     *         {
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *         }
                     *       ],
                     *       "success": true,
                     *       "data": {
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "cancelled": [
                     *           {
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CancelledAnswersView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CancelledAnswersView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_NOT_FOUND.SESSION_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            410: components["responses"]["SESSION_EXPIRED"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    profilesRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "facts": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "text": "Which tea is green?",
                     *             "key": "home",
                     *             "validFrom": "2026-01-31T12:00:00.000Z",
                     *             "validUntil": "2026-01-31T12:00:00.000Z",
                     *             "replaces": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "sources": [
                     *               "text"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ProfileView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    runsList: {
        parameters: {
            query?: {
                /** @description Id of the agent's room, or of the channel. */
                roomId?: string;
                /** @description Status of the runs. */
                status?: "all" | "started" | "completed" | "timeout" | "error";
                /** @description Page size. Defaults to 20. */
                limit?: number;
                /** @description Earliest start: epoch ms or an ISO 8601 instant. */
                from?: string;
                /** @description Latest start: epoch ms or an ISO 8601 instant. */
                to?: string;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "runs": [
                     *           {
                     *             "runId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "status": "completed",
                     *             "startedAt": 1769860800000,
                     *             "endedAt": 1769860800000,
                     *             "durationMs": 0,
                     *             "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "counts": {
                     *               "actions": 0,
                     *               "modelCalls": 0,
                     *               "errors": 0,
                     *               "evaluators": 0
                     *             }
                     *           }
                     *         ],
                     *         "total": 0,
                     *         "hasMore": true,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RunsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    runsRead: {
        parameters: {
            query?: {
                /** @description Id of the agent's room, or of the channel, that the run must belong to. */
                roomId?: string;
            };
            header?: never;
            path: {
                agentId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "summary": {
                     *           "runId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "status": "completed",
                     *           "startedAt": 1769860800000,
                     *           "endedAt": 1769860800000,
                     *           "durationMs": 0,
                     *           "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "counts": {
                     *             "actions": 0,
                     *             "modelCalls": 0,
                     *             "errors": 0,
                     *             "evaluators": 0
                     *           }
                     *         },
                     *         "events": [
                     *           {
                     *             "type": "RUN_STARTED",
                     *             "timestamp": 1769860800000,
                     *             "data": {}
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RunView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.RUN_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    recallPreview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Which tea is green?",
                 *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["RecallBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "memories": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "authorName": "Ada",
                     *             "type": "text",
                     *             "text": "Which tea is green?",
                     *             "createdAt": 1769860800000,
                     *             "score": 0,
                     *             "similarity": 0,
                     *             "foundBy": [
                     *               "meaning"
                     *             ]
                     *           }
                     *         ],
                     *         "lines": [
                     *           "text"
                     *         ],
                     *         "documents": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "documentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "document": "text",
                     *             "place": "text",
                     *             "text": "Which tea is green?",
                     *             "score": 0
                     *           }
                     *         ],
                     *         "leftOut": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "score": 0,
                     *             "reason": "duplicate"
                     *           }
                     *         ],
                     *         "byMeaning": {
                     *           "found": 0,
                     *           "skipped": "failed",
                     *           "durationMs": 0
                     *         },
                     *         "byWords": {
                     *           "found": 0,
                     *           "skipped": "failed",
                     *           "durationMs": 0
                     *         },
                     *         "durationMs": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RecallView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    jobsList: {
        parameters: {
            query?: {
                /** @description Page size, 1 to 100. Defaults to 50. */
                limit?: number;
                status?: "pending" | "processing" | "completed" | "failed" | "timeout";
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobs": [
                     *         {
                     *           "jobId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "status": "pending",
                     *           "createdAt": 1769860800000,
                     *           "expiresAt": 1769860800000,
                     *           "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "prompt": "Which tea is green?",
                     *           "metadata": {},
                     *           "result": {
                     *             "message": {
                     *               "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *               "content": "Which tea is green?",
                     *               "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *               "createdAt": 1769860800000,
                     *               "metadata": {}
                     *             },
                     *             "didRespond": true,
                     *             "processingTimeMs": 0
                     *           },
                     *           "error": "text",
                     *           "errorCode": "text"
                     *         }
                     *       ],
                     *       "total": 0,
                     *       "filtered": 0,
                     *       "nextCursor": "text",
                     *       "success": true,
                     *       "data": {
                     *         "jobs": [
                     *           {
                     *             "jobId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "status": "pending",
                     *             "createdAt": 1769860800000,
                     *             "expiresAt": 1769860800000,
                     *             "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "prompt": "Which tea is green?",
                     *             "metadata": {},
                     *             "result": {
                     *               "message": {
                     *                 "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *                 "content": "Which tea is green?",
                     *                 "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *                 "createdAt": 1769860800000,
                     *                 "metadata": {}
                     *               },
                     *               "didRespond": true,
                     *               "processingTimeMs": 0
                     *             },
                     *             "error": "text",
                     *             "errorCode": "text"
                     *           }
                     *         ],
                     *         "total": 0,
                     *         "filtered": 0,
                     *         "nextCursor": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobListView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["JobListView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    jobsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "content": "Which tea is green?",
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "metadata": {},
                 *       "timeoutMs": 1000
                 *     }
                 */
                "application/json": components["schemas"]["CreateJobBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "status": "pending",
                     *       "createdAt": 1769860800000,
                     *       "expiresAt": 1769860800000,
                     *       "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "success": true,
                     *       "data": {
                     *         "jobId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "status": "pending",
                     *         "createdAt": 1769860800000,
                     *         "expiresAt": 1769860800000,
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewJobView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NewJobView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    jobsHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "healthy": true,
                     *       "timestamp": 1769860800000,
                     *       "totalJobs": 0,
                     *       "statusCounts": {
                     *         "pending": 0,
                     *         "processing": 0,
                     *         "completed": 0,
                     *         "failed": 0,
                     *         "timeout": 0
                     *       },
                     *       "metrics": {
                     *         "averageProcessingTimeMs": 0,
                     *         "successRate": 0,
                     *         "failureRate": 0,
                     *         "timeoutRate": 0
                     *       },
                     *       "maxJobs": 0,
                     *       "success": true,
                     *       "data": {
                     *         "healthy": true,
                     *         "timestamp": 1769860800000,
                     *         "totalJobs": 0,
                     *         "statusCounts": {
                     *           "pending": 0,
                     *           "processing": 0,
                     *           "completed": 0,
                     *           "failed": 0,
                     *           "timeout": 0
                     *         },
                     *         "metrics": {
                     *           "averageProcessingTimeMs": 0,
                     *           "successRate": 0,
                     *           "failureRate": 0,
                     *           "timeoutRate": 0
                     *         },
                     *         "maxJobs": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobsHealthView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["JobsHealthView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    jobsRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "status": "pending",
                     *       "createdAt": 1769860800000,
                     *       "expiresAt": 1769860800000,
                     *       "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "prompt": "Which tea is green?",
                     *       "metadata": {},
                     *       "result": {
                     *         "message": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "content": "Which tea is green?",
                     *           "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "createdAt": 1769860800000,
                     *           "metadata": {}
                     *         },
                     *         "didRespond": true,
                     *         "processingTimeMs": 0
                     *       },
                     *       "error": "text",
                     *       "errorCode": "text",
                     *       "success": true,
                     *       "data": {
                     *         "jobId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "status": "pending",
                     *         "createdAt": 1769860800000,
                     *         "expiresAt": 1769860800000,
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "prompt": "Which tea is green?",
                     *         "metadata": {},
                     *         "result": {
                     *           "message": {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "content": "Which tea is green?",
                     *             "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "createdAt": 1769860800000,
                     *             "metadata": {}
                     *           },
                     *           "didRespond": true,
                     *           "processingTimeMs": 0
                     *         },
                     *         "error": "text",
                     *         "errorCode": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JobView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["JobView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["JOB_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    titlesGenerate: {
        parameters: {
            query?: {
                /** @description Page size, clamped to 1 to 100; 50 when absent. */
                limit?: string;
                /** @description Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */
                before?: string;
                /** @description Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */
                after?: string;
            };
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["GenerateTitleBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "title": "text",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "reason": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TitleView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.CHANNEL_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    titlesGenerateAlias1: {
        parameters: {
            query?: {
                /** @description Page size, clamped to 1 to 100; 50 when absent. */
                limit?: string;
                /** @description Only messages before this one: epoch ms, an ISO 8601 instant or a cursor. */
                before?: string;
                /** @description Only messages after this one: epoch ms, an ISO 8601 instant or a cursor. */
                after?: string;
            };
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["GenerateTitleBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "title": "text",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "reason": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TitleView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.CHANNEL_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    speechSynthesize: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Which tea is green?",
                 *       "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "options": {
                 *         "format": "wav",
                 *         "speed": 0.25,
                 *         "voice": "text",
                 *         "language": "text"
                 *       },
                 *       "format": "wav",
                 *       "speed": 0.25,
                 *       "voice": "text",
                 *       "language": "text"
                 *     }
                 */
                "application/json": components["schemas"]["SynthesizeBody"];
            };
        };
        responses: {
            /** @description Done; there is no body. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                    "audio/mpeg": string;
                    "audio/ogg": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.UNKNOWN_VOICE.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MESSAGE_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["AUDIO_BUSY.MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    speechGenerate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "wav",
                 *       "speed": 0.25,
                 *       "voice": "text",
                 *       "language": "text",
                 *       "text": "Which tea is green?",
                 *       "pitch": 0,
                 *       "options": {
                 *         "format": "wav",
                 *         "speed": 0.25,
                 *         "voice": "text",
                 *         "language": "text"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GenerateSpeechBody"];
            };
        };
        responses: {
            /** @description Done; there is no body. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                    "audio/mpeg": string;
                    "audio/ogg": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.UNKNOWN_VOICE.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["AUDIO_BUSY.MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    speechVoices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "provider": "text",
                     *         "engine": "text",
                     *         "languages": [
                     *           "text"
                     *         ],
                     *         "agentVoice": "text",
                     *         "voices": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "language": "text",
                     *             "gender": "text",
                     *             "description": "text",
                     *             "isDefault": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VoicesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    transcriptionsCreate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["TranscriptionFields"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "text": "Which tea is green?",
                     *         "segments": [
                     *           {
                     *             "text": "Which tea is green?",
                     *             "startSeconds": 0,
                     *             "endSeconds": 0,
                     *             "confidence": 0
                     *           }
                     *         ],
                     *         "provider": "text",
                     *         "engine": "text",
                     *         "language": "text",
                     *         "durationSeconds": 0,
                     *         "mediaType": "text",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TranscriptionView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["AUDIO_TOO_LONG.FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED.NO_AUDIO_TRACK"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["AUDIO_BUSY.MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    conversationConverse: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "text": "Which tea is green?",
                 *       "messages": [
                 *         {
                 *           "text": "Which tea is green?"
                 *         }
                 *       ],
                 *       "format": "wav",
                 *       "speed": 0.25,
                 *       "metadata": {},
                 *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "userName": "Ada",
                 *       "name": "Ada",
                 *       "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "voice": "text",
                 *       "language": "text"
                 *     }
                 */
                "application/json": components["schemas"]["ConversationBody"];
                "multipart/form-data": components["schemas"]["ConversationFields"];
            };
        };
        responses: {
            /** @description Done. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. Or: Mono audio, streamed while it is generated. `format` or `Accept` selects the format; the default is WAV. `X-Voice` names the voice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "text": "Which tea is green?",
                     *         "audio": "text",
                     *         "transcription": "text",
                     *         "didRespond": true,
                     *         "mediaType": "text",
                     *         "duration": 0,
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "text",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "timings": {
                     *           "transcription": 0,
                     *           "turn": 0,
                     *           "synthesis": 0,
                     *           "total": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ConversationView"];
                    };
                    "audio/wav": string;
                    "audio/mpeg": string;
                    "audio/ogg": string;
                };
            };
            /** @description The agent chose not to answer. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.UNKNOWN_VOICE.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS"];
            410: components["responses"]["SESSION_EXPIRED"];
            413: components["responses"]["AUDIO_TOO_LONG.FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED.NO_AUDIO_TRACK"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["AUDIO_BUSY.MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    conversationSpeech: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["ConversationFields"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "text": "Which tea is green?",
                     *         "audio": "text",
                     *         "transcription": "text",
                     *         "didRespond": true,
                     *         "mediaType": "text",
                     *         "duration": 0,
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "text",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "timings": {
                     *           "transcription": 0,
                     *           "turn": 0,
                     *           "synthesis": 0,
                     *           "total": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ConversationView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.UNKNOWN_VOICE.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS"];
            410: components["responses"]["SESSION_EXPIRED"];
            413: components["responses"]["AUDIO_TOO_LONG.FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED.NO_AUDIO_TRACK"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["AUDIO_BUSY.MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    conversationAudioMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["ConversationFields"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "transcription": "text",
                     *         "message": "Which tea is green?",
                     *         "audio": "text",
                     *         "didRespond": true,
                     *         "mediaType": "text",
                     *         "duration": 0,
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "text",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "timings": {
                     *           "transcription": 0,
                     *           "turn": 0,
                     *           "synthesis": 0,
                     *           "total": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AudioMessageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.UNKNOWN_VOICE.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS"];
            410: components["responses"]["SESSION_EXPIRED"];
            413: components["responses"]["AUDIO_TOO_LONG.FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED.NO_AUDIO_TRACK"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["AUDIO_BUSY.MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    conversationProcessAudio: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["ConversationFields"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "text": "Which tea is green?",
                     *         "response": "text",
                     *         "audioResponse": "text",
                     *         "didRespond": true,
                     *         "mediaType": "text",
                     *         "duration": 0,
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "text",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "timings": {
                     *           "transcription": 0,
                     *           "turn": 0,
                     *           "synthesis": 0,
                     *           "total": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ProcessedAudioView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.UNKNOWN_VOICE.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS.TURN_CANCELLED.TURN_IN_PROGRESS"];
            410: components["responses"]["SESSION_EXPIRED"];
            413: components["responses"]["AUDIO_TOO_LONG.FILE_TOO_LARGE.PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED.LANGUAGE_NOT_SUPPORTED.NO_AUDIO_TRACK"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["AUDIO_BUSY.MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serverLogsQuery: {
        parameters: {
            query?: {
                /** @description Earliest line: epoch ms or an ISO 8601 instant. Defaults to one hour ago. */
                since?: string;
                /** @description Returns only this level. Defaults to `all`. */
                level?: "all" | "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace";
                /** @description Name of an agent, or `all`. */
                agentName?: string;
                /** @description Id of an agent, or `all`. */
                agentId?: string;
                /** @description Maximum number of lines, newest first chosen. Defaults to 100. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logs": [
                     *         {
                     *           "level": 0,
                     *           "time": 1769860800000,
                     *           "msg": "text",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentName": "Ada",
                     *           "part": "text",
                     *           "requestId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *         }
                     *       ],
                     *       "count": 0,
                     *       "total": 0,
                     *       "requestedLevel": "text",
                     *       "level": "text",
                     *       "agentName": "Ada",
                     *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "levels": [
                     *         "text"
                     *       ],
                     *       "received": 0,
                     *       "success": true,
                     *       "data": {
                     *         "logs": [
                     *           {
                     *             "level": 0,
                     *             "time": 1769860800000,
                     *             "msg": "text",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentName": "Ada",
                     *             "part": "text",
                     *             "requestId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ],
                     *         "count": 0,
                     *         "total": 0,
                     *         "requestedLevel": "text",
                     *         "level": "text",
                     *         "agentName": "Ada",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "levels": [
                     *           "text"
                     *         ],
                     *         "received": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerLogsView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerLogsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serverLogsSubmit: {
        parameters: {
            query?: {
                /** @description Earliest line: epoch ms or an ISO 8601 instant. Defaults to one hour ago. */
                since?: string;
                /** @description Returns only this level. Defaults to `all`. */
                level?: "all" | "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace";
                /** @description Name of an agent, or `all`. */
                agentName?: string;
                /** @description Id of an agent, or `all`. */
                agentId?: string;
                /** @description Maximum number of lines, newest first chosen. Defaults to 100. */
                limit?: number;
            };
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "logs": [
                 *         {
                 *           "level": "fatal",
                 *           "message": "Which tea is green?",
                 *           "source": "text",
                 *           "metadata": {}
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SubmitLogsBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "logs": [
                     *         {
                     *           "level": 0,
                     *           "time": 1769860800000,
                     *           "msg": "text",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentName": "Ada",
                     *           "part": "text",
                     *           "requestId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *         }
                     *       ],
                     *       "count": 0,
                     *       "total": 0,
                     *       "requestedLevel": "text",
                     *       "level": "text",
                     *       "agentName": "Ada",
                     *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *       "levels": [
                     *         "text"
                     *       ],
                     *       "received": 0,
                     *       "success": true,
                     *       "data": {
                     *         "logs": [
                     *           {
                     *             "level": 0,
                     *             "time": 1769860800000,
                     *             "msg": "text",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "agentName": "Ada",
                     *             "part": "text",
                     *             "requestId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                     *           }
                     *         ],
                     *         "count": 0,
                     *         "total": 0,
                     *         "requestedLevel": "text",
                     *         "level": "text",
                     *         "agentName": "Ada",
                     *         "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "levels": [
                     *           "text"
                     *         ],
                     *         "received": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServerLogsView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerLogsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serverLogsClear: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Which tea is green?",
                     *       "cleared": 0,
                     *       "success": true,
                     *       "data": {
                     *         "status": "success",
                     *         "message": "Which tea is green?",
                     *         "cleared": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ClearedLogsView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ClearedLogsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    agentLogsList: {
        parameters: {
            query?: {
                /** @description Id of the agent's room. */
                roomId?: string;
                /** @description run_event, action, evaluator, log, or `useModel:` with the model type. */
                type?: string;
                /** @description Excludes this type, and model calls whose type contains this text; may be repeated. */
                excludeTypes?: string[];
                /** @description Returns only this level. */
                level?: "all" | "fatal" | "error" | "warn" | "info" | "log" | "progress" | "success" | "debug" | "trace";
                /** @description Text that the entry contains, case-insensitive. */
                search?: string;
                /** @description Earliest entry: epoch ms or an ISO 8601 instant. Alias: `since`. */
                from?: string;
                since?: string;
                /** @description Latest entry: epoch ms or an ISO 8601 instant. Alias: `until`. */
                to?: string;
                until?: string;
                /** @description Returns older entries: the `cursor` of an entry, or an instant. */
                before?: string;
                /** @description Page size. Defaults to 50. Alias: `count`. */
                limit?: number;
                count?: number;
                /** @description Number of entries to skip; prefer `before`. */
                offset?: string;
                /** @description Page number, from 1; prefer `before`. */
                page?: string;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "entityId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "type": "text",
                     *           "level": 0,
                     *           "body": {},
                     *           "createdAt": 1769860800000,
                     *           "cursor": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentLogView"][];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    agentLogsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                logId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.LOG_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    externalMessagesIngest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "content": "Which tea is green?",
                 *       "author_display_name": "text",
                 *       "raw_message": {},
                 *       "source_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "source_type": "text",
                 *       "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "metadata": {},
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "text": "Which tea is green?",
                 *       "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "sourceType": "text",
                 *       "platform": "text",
                 *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "messages": [
                 *         {
                 *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *           "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *           "content": "Which tea is green?",
                 *           "authorName": "Ada",
                 *           "timestamp": "2026-01-31T12:00:00.000Z",
                 *           "metadata": {}
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["IngestBody"];
            };
        };
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageIds": [
                     *           "text"
                     *         ],
                     *         "processed": 0,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["IngestedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.MESSAGE_SERVER_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    externalMessagesAsk: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "platform": "text",
                 *       "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "content": "Which tea is green?",
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "attachments": [
                 *         {}
                 *       ],
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["AskExternalBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "response": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExternalAnswerView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    externalMessagesComplete: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "status": "completed",
                 *       "error": "text",
                 *       "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "roomId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "prompt": "Which tea is green?"
                 *     }
                 */
                "application/json": components["schemas"]["CompleteBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "success": true,
                     *         "response": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CompletedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND.CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR.TURN_FAILED"];
            503: components["responses"]["MODEL_REJECTED.MODEL_UNAVAILABLE.SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            504: components["responses"]["TURN_TIMEOUT"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    websocketDescribe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "protocol": "socket.io",
                     *       "version": 4,
                     *       "path": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *       "transports": [
                     *         "websocket"
                     *       ],
                     *       "auth": [
                     *         "text"
                     *       ],
                     *       "documentation": "text",
                     *       "success": true,
                     *       "data": {
                     *         "protocol": "socket.io",
                     *         "version": 4,
                     *         "path": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *         "transports": [
                     *           "websocket"
                     *         ],
                     *         "auth": [
                     *           "text"
                     *         ],
                     *         "documentation": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebsocketView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebsocketView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelMessagesReplyEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelMessagesReplyEventsAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND.MESSAGE_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelMessagesEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    channelMessagesEventsAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    sessionEventsEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["SESSION_NOT_FOUND"];
            410: components["responses"]["SESSION_EXPIRED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    sessionMessagesReplyEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events, as docs/reference/events.md lists them; the last one of an answer is `done` or `error`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 41
                     *     event: chunk
                     *     data: {"type":"chunk","index":0,"chunk":"Sencha."}
                     *
                     *     id: 42
                     *     event: done
                     *     data: {"type":"complete","text":"Sencha.","didRespond":true}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_NOT_FOUND.SESSION_NOT_FOUND"];
            410: components["responses"]["SESSION_EXPIRED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    messagesSubmit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "content": "Which tea is green?",
                 *       "source_type": "text",
                 *       "sourceType": "text",
                 *       "raw_message": {},
                 *       "rawMessage": {},
                 *       "metadata": {},
                 *       "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "inReplyToMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["SubmitBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorName": "Ada",
                     *         "content": "Which tea is green?",
                     *         "rawMessage": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "isAgent": true,
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "seq": 0,
                     *         "offset": 0,
                     *         "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "raw_message": {},
                     *         "source_type": "text",
                     *         "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "created_at": 1769860800000,
                     *         "updated_at": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    messagesSubmitAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "content": "Which tea is green?",
                 *       "source_type": "text",
                 *       "sourceType": "text",
                 *       "raw_message": {},
                 *       "rawMessage": {},
                 *       "metadata": {},
                 *       "messageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "inReplyToMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["SubmitBody"];
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorName": "Ada",
                     *         "content": "Which tea is green?",
                     *         "rawMessage": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "isAgent": true,
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "seq": 0,
                     *         "offset": 0,
                     *         "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "raw_message": {},
                     *         "source_type": "text",
                     *         "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "created_at": 1769860800000,
                     *         "updated_at": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["CHANNEL_NOT_FOUND"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN.MESSAGE_EXISTS"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    messagesUpdateAction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                messageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "Which tea is green?",
                 *       "metadata": {},
                 *       "raw_message": {},
                 *       "source_type": "text",
                 *       "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                 *       "server_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateActionBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "channelId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "serverId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "messageServerId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "authorName": "Ada",
                     *         "content": "Which tea is green?",
                     *         "rawMessage": {},
                     *         "sourceType": "text",
                     *         "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "metadata": {},
                     *         "inReplyToRootMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "inReplyTo": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "replyId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "clientMessageId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "isAgent": true,
                     *         "createdAt": "2026-01-31T12:00:00.000Z",
                     *         "updatedAt": "2026-01-31T12:00:00.000Z",
                     *         "seq": 0,
                     *         "offset": 0,
                     *         "channel_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "message_server_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "author_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "raw_message": {},
                     *         "source_type": "text",
                     *         "in_reply_to_message_id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "created_at": 1769860800000,
                     *         "updated_at": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MessageView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["MESSAGE_NOT_FOUND"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    systemAlive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "timestamp": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AliveView"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    systemHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A failing model makes the status `DEGRADED` with 200: the server answers, and another one would not do better. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "OK",
                     *       "version": "text",
                     *       "timestamp": "2026-01-31T12:00:00.000Z",
                     *       "uptime": 0,
                     *       "agentCount": 0,
                     *       "dependencies": {
                     *         "agents": "healthy",
                     *         "models": "healthy"
                     *       },
                     *       "checks": {}
                     *     }
                     */
                    "application/json": components["schemas"]["HealthView"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            /** @description No agent is running. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "OK",
                     *       "version": "text",
                     *       "timestamp": "2026-01-31T12:00:00.000Z",
                     *       "uptime": 0,
                     *       "agentCount": 0,
                     *       "dependencies": {
                     *         "agents": "healthy",
                     *         "models": "healthy"
                     *       },
                     *       "checks": {}
                     *     }
                     */
                    "application/json": components["schemas"]["HealthView"] | components["schemas"]["Error"];
                };
            };
        };
    };
    systemServerHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A failing model makes the status `DEGRADED` with 200: the server answers, and another one would not do better. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "OK",
                     *       "version": "text",
                     *       "timestamp": "2026-01-31T12:00:00.000Z",
                     *       "uptime": 0,
                     *       "agentCount": 0,
                     *       "dependencies": {
                     *         "agents": "healthy",
                     *         "models": "healthy"
                     *       },
                     *       "checks": {},
                     *       "success": true,
                     *       "data": {
                     *         "status": "OK",
                     *         "version": "text",
                     *         "timestamp": "2026-01-31T12:00:00.000Z",
                     *         "uptime": 0,
                     *         "agentCount": 0,
                     *         "dependencies": {
                     *           "agents": "healthy",
                     *           "models": "healthy"
                     *         },
                     *         "checks": {}
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["HealthView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["HealthView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            /** @description No agent is running. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "OK",
                     *       "version": "text",
                     *       "timestamp": "2026-01-31T12:00:00.000Z",
                     *       "uptime": 0,
                     *       "agentCount": 0,
                     *       "dependencies": {
                     *         "agents": "healthy",
                     *         "models": "healthy"
                     *       },
                     *       "checks": {},
                     *       "success": true,
                     *       "data": {
                     *         "status": "OK",
                     *         "version": "text",
                     *         "timestamp": "2026-01-31T12:00:00.000Z",
                     *         "uptime": 0,
                     *         "agentCount": 0,
                     *         "dependencies": {
                     *           "agents": "healthy",
                     *           "models": "healthy"
                     *         },
                     *         "checks": {}
                     *       }
                     *     }
                     */
                    "application/json": (components["schemas"]["HealthView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["HealthView"];
                    }) | components["schemas"]["Error"];
                };
            };
        };
    };
    systemPing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pong": true,
                     *       "timestamp": 1769860800000,
                     *       "success": true,
                     *       "data": {
                     *         "pong": true,
                     *         "timestamp": 1769860800000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PingView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PingView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    systemHello: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Which tea is green?",
                     *       "success": true,
                     *       "data": {
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["HelloView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["HelloView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    systemStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "agentCount": 0,
                     *       "timestamp": "2026-01-31T12:00:00.000Z",
                     *       "agents": {
                     *         "total": 0,
                     *         "active": 0,
                     *         "inactive": 0
                     *       },
                     *       "memory": {
                     *         "used": 0,
                     *         "total": 0,
                     *         "rss": 0,
                     *         "percentage": 0
                     *       },
                     *       "uptime": 0,
                     *       "version": "text",
                     *       "models": {
                     *         "chat": {
                     *           "provider": "text",
                     *           "model": "text"
                     *         },
                     *         "embeddings": {
                     *           "provider": "text",
                     *           "model": "text"
                     *         },
                     *         "services": [
                     *           {
                     *             "kind": "chat",
                     *             "provider": "text",
                     *             "model": "text",
                     *             "ofAgent": true,
                     *             "failing": true,
                     *             "lastSuccessAt": "2026-01-31T12:00:00.000Z",
                     *             "lastFailure": {
                     *               "at": "2026-01-31T12:00:00.000Z",
                     *               "code": "text",
                     *               "reason": "text",
                     *               "message": "Which tea is green?",
                     *               "details": "text"
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "speech": {
                     *         "synthesis": {
                     *           "provider": "text",
                     *           "engine": "text",
                     *           "languages": [
                     *             "text"
                     *           ]
                     *         },
                     *         "transcription": {
                     *           "provider": "text",
                     *           "engine": "text",
                     *           "languages": [
                     *             "text"
                     *           ]
                     *         }
                     *       },
                     *       "success": true,
                     *       "data": {
                     *         "status": "ok",
                     *         "agentCount": 0,
                     *         "timestamp": "2026-01-31T12:00:00.000Z",
                     *         "agents": {
                     *           "total": 0,
                     *           "active": 0,
                     *           "inactive": 0
                     *         },
                     *         "memory": {
                     *           "used": 0,
                     *           "total": 0,
                     *           "rss": 0,
                     *           "percentage": 0
                     *         },
                     *         "uptime": 0,
                     *         "version": "text",
                     *         "models": {
                     *           "chat": {
                     *             "provider": "text",
                     *             "model": "text"
                     *           },
                     *           "embeddings": {
                     *             "provider": "text",
                     *             "model": "text"
                     *           },
                     *           "services": [
                     *             {
                     *               "kind": "chat",
                     *               "provider": "text",
                     *               "model": "text",
                     *               "ofAgent": true,
                     *               "failing": true,
                     *               "lastSuccessAt": "2026-01-31T12:00:00.000Z",
                     *               "lastFailure": {
                     *                 "at": "2026-01-31T12:00:00.000Z",
                     *                 "code": "text",
                     *                 "reason": "text",
                     *                 "message": "Which tea is green?",
                     *                 "details": "text"
                     *               }
                     *             }
                     *           ]
                     *         },
                     *         "speech": {
                     *           "synthesis": {
                     *             "provider": "text",
                     *             "engine": "text",
                     *             "languages": [
                     *               "text"
                     *             ]
                     *           },
                     *           "transcription": {
                     *             "provider": "text",
                     *             "engine": "text",
                     *             "languages": [
                     *               "text"
                     *             ]
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StatusView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["StatusView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    systemVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "text",
                     *       "source": "server",
                     *       "timestamp": "2026-01-31T12:00:00.000Z",
                     *       "environment": "text",
                     *       "uptime": 0,
                     *       "success": true,
                     *       "data": {
                     *         "version": "text",
                     *         "source": "server",
                     *         "timestamp": "2026-01-31T12:00:00.000Z",
                     *         "environment": "text",
                     *         "uptime": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VersionView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VersionView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    probesLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "live"
                     *     }
                     */
                    "application/json": components["schemas"]["LiveView"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    probesReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description Fails as soon as the server is told to stop, and while the database accepts no writes. A failing model is a warning: another
             *       process would not do better. The database is written to at most once a second.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "checks": {
                     *         "database": "writable",
                     *         "notifications": "connected",
                     *         "models": "healthy",
                     *         "advice": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReadyView"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    probesStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "started"
                     *     }
                     */
                    "application/json": components["schemas"]["StartedView"];
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    homeHome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page, for requests that prefer HTML. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    apiDocsDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    apiDocsPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    apiDocsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A style sheet, a script or an image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serverStop: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StoppingView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["StoppingView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    serverDebug: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runtime": {
                     *         "version": "text",
                     *         "node": "text",
                     *         "platform": "text",
                     *         "uptime": 0,
                     *         "agents": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "status": "active"
                     *           }
                     *         ],
                     *         "activeAgents": 0,
                     *         "connections": 0,
                     *         "memory": {}
                     *       },
                     *       "environment": {
                     *         "database": "text",
                     *         "models": {},
                     *         "configured": [
                     *           "text"
                     *         ]
                     *       },
                     *       "servers": [
                     *         {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "status": "text",
                     *           "agents": [
                     *             "text"
                     *           ],
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "count": 0,
                     *       "success": true,
                     *       "data": {
                     *         "runtime": {
                     *           "version": "text",
                     *           "node": "text",
                     *           "platform": "text",
                     *           "uptime": 0,
                     *           "agents": [
                     *             {
                     *               "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *               "name": "Ada",
                     *               "status": "active"
                     *             }
                     *           ],
                     *           "activeAgents": 0,
                     *           "connections": 0,
                     *           "memory": {}
                     *         },
                     *         "environment": {
                     *           "database": "text",
                     *           "models": {},
                     *           "configured": [
                     *             "text"
                     *           ]
                     *         },
                     *         "servers": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "status": "text",
                     *             "agents": [
                     *               "text"
                     *             ],
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "count": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DebugView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DebugView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serverServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "name": "Ada",
                     *           "status": "text",
                     *           "agents": [
                     *             "text"
                     *           ],
                     *           "sourceType": "text",
                     *           "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "metadata": {},
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "count": 0,
                     *       "success": true,
                     *       "data": {
                     *         "servers": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "status": "text",
                     *             "agents": [
                     *               "text"
                     *             ],
                     *             "sourceType": "text",
                     *             "sourceId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "metadata": {},
                     *             "createdAt": "2026-01-31T12:00:00.000Z",
                     *             "updatedAt": "2026-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "count": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServersView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServersView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    serverConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "requiresAuth": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ServerConfigView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    environmentRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {}
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    environmentUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": {},
                 *       "merge": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateEnvironmentBody"];
            };
        };
        responses: {
            /**
             * @description Variables that load code, set data paths or control access cannot be changed; the operator allows further variables with
             *       ENV_EDITABLE. Unchanged and masked values are not changes. A rejected request changes nothing.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EnvironmentUpdatedView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["EnvironmentUpdatedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    environmentReadAlias1: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {}
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    environmentUpdateAlias1: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": {},
                 *       "merge": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateEnvironmentBody"];
            };
        };
        responses: {
            /**
             * @description Variables that load code, set data paths or control access cannot be changed; the operator allows further variables with
             *       ENV_EDITABLE. Unchanged and masked values are not changes. A rejected request changes nothing.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Which tea is green?",
                     *       "data": {
                     *         "success": true,
                     *         "message": "Which tea is green?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EnvironmentUpdatedView"] & {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["EnvironmentUpdatedView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    teeStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "mode": "OFF",
                     *         "vendor": "sev-snp",
                     *         "attestation": true,
                     *         "devices": [
                     *           {
                     *             "kind": "sev-snp",
                     *             "path": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TeeStatusView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    teeAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "agents": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "name": "Ada",
                     *             "attestation": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TeeAgentsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    teeAttest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reportData": "5eed0123"
                 *     }
                 */
                "application/json": components["schemas"]["AttestationBody"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "quote": "text",
                     *         "timestamp": 1769860800000,
                     *         "provider": "text",
                     *         "reportData": "text"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AttestationView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_JSON.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            501: components["responses"]["TEE_NOT_AVAILABLE"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    pluginsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "plugins": [
                     *           {
                     *             "name": "Ada",
                     *             "source": "text",
                     *             "state": "failed",
                     *             "routes": [
                     *               {
                     *                 "type": "text",
                     *                 "path": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *                 "name": "Ada",
                     *                 "public": true,
                     *                 "isMultipart": true,
                     *                 "paths": [
                     *                   "text"
                     *                 ],
                     *                 "shadows": [
                     *                   "text"
                     *                 ],
                     *                 "shadowedBy": [
                     *                   "text"
                     *                 ]
                     *               }
                     *             ],
                     *             "description": "text",
                     *             "version": "text",
                     *             "problems": [
                     *               {
                     *                 "plugin": "text",
                     *                 "component": "text",
                     *                 "reason": "text",
                     *                 "count": 0
                     *               }
                     *             ],
                     *             "reason": "text"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PluginsView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    agentPanelsList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": [
                     *         {
                     *           "name": "Ada",
                     *           "path": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *           "url": "/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png",
                     *           "type": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentPanelView"][];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["AGENT_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    deliveriesList: {
        parameters: {
            query?: {
                status?: "received" | "running" | "done" | "failed" | "dead";
                limit?: string;
                /** @description Id of a delivery; only older deliveries are returned. */
                before?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "deliveries": [
                     *           {
                     *             "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "plugin": "text",
                     *             "route": "text",
                     *             "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "mode": "inline",
                     *             "senderId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *             "status": "failed",
                     *             "attempts": 0,
                     *             "nextAttemptAt": 1769860800000,
                     *             "error": "text",
                     *             "createdAt": 1769860800000,
                     *             "updatedAt": 1769860800000
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeliveriesView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["DELIVERY_NOT_FOUND.PLUGIN_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    deliveriesReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                name: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "delivery": {
                     *           "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "plugin": "text",
                     *           "route": "text",
                     *           "agentId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "mode": "inline",
                     *           "senderId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *           "status": "failed",
                     *           "attempts": 0,
                     *           "nextAttemptAt": 1769860800000,
                     *           "error": "text",
                     *           "createdAt": 1769860800000,
                     *           "updatedAt": 1769860800000
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ReplayView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["DELIVERY_NOT_FOUND.PLUGIN_NOT_FOUND"];
            409: components["responses"]["CONFLICT.IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    privacyExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "userId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "records": [
                     *           {
                     *             "kind": "text",
                     *             "record": {}
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UserExportView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
    privacyForget: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for retries: requests with the same key are executed once and get the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /**
             * @description Runs in the background and survives restarts. Data that arrives after the request stays. While a request is not complete,
             *     asking again returns it.
             */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "requestId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "status": "running",
                     *         "upToOffset": 0,
                     *         "requestedAt": "2026-01-31T12:00:00.000Z",
                     *         "finishedAt": "2026-01-31T12:00:00.000Z",
                     *         "erased": [
                     *           {
                     *             "kind": "text",
                     *             "deleted": 0,
                     *             "redacted": 0
                     *           }
                     *         ],
                     *         "backups": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ForgetRequestView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            409: components["responses"]["IDEMPOTENCY_IN_PROGRESS.IDEMPOTENCY_OUTCOME_UNKNOWN"];
            422: components["responses"]["IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
            507: components["responses"]["STORAGE_FULL"];
        };
    };
    privacyRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "requestId": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                     *         "status": "running",
                     *         "upToOffset": 0,
                     *         "requestedAt": "2026-01-31T12:00:00.000Z",
                     *         "finishedAt": "2026-01-31T12:00:00.000Z",
                     *         "erased": [
                     *           {
                     *             "kind": "text",
                     *             "deleted": 0,
                     *             "redacted": 0
                     *           }
                     *         ],
                     *         "backups": [
                     *           "text"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ForgetRequestView"];
                    };
                };
            };
            400: components["responses"]["BAD_REQUEST.INVALID_ID.VALIDATION_ERROR"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["FORGET_REQUEST_NOT_FOUND"];
            429: components["responses"]["RATE_LIMIT_EXCEEDED"];
            500: components["responses"]["INTERNAL_ERROR"];
            503: components["responses"]["SERVER_STOPPING.STORAGE_UNAVAILABLE"];
        };
    };
}
