import type { ApiClient } from './api-client.js';
import { agentIdOf } from './agent-id.js';
import { Chat, type NewMessage } from './chat.js';
import { userId } from './ids.js';
import type { PostedMessageView } from './wire.js';

export interface ConversationOptions {
  /** Id or name of the agent. */
  readonly agent: string;
  /** The user, by any text that your app knows the user by; `userId` makes an id of it. */
  readonly user: string;
  /** Name under which the agent and other participants see the user. */
  readonly userName?: string;
  /** One of several conversations of the user with the agent. Default: the unnamed one. */
  readonly name?: string;
}

/** A conversation that lasts: see `Parley.conversation`. */
export class Conversation extends Chat {
  constructor(
    api: ApiClient,
    ids: { readonly channelId: string; readonly agentId: string; readonly userId: string },
    private readonly userName: string | undefined,
  ) {
    super(api, ids.channelId, ids.agentId, ids.userId);
  }

  protected override post(message: NewMessage, signal: AbortSignal | undefined): Promise<PostedMessageView> {
    return this.api.call('POST /api/messaging/channels/{channelId}/messages', {
      path: { channelId: this.channelId },
      body: { ...message, author_id: this.userId, ...(this.userName !== undefined && { author_display_name: this.userName }) },
      signal,
    });
  }
}

export async function openConversation(api: ApiClient, { agent, user, userName, name }: ConversationOptions): Promise<Conversation> {
  const ids = { agentId: await agentIdOf(api, agent), userId: userId(user) };
  const { id } = await api.call('GET /api/messaging/dm-channel', {
    query: { currentUserId: ids.userId, targetUserId: ids.agentId, name },
  });
  return new Conversation(api, { ...ids, channelId: id }, userName);
}
