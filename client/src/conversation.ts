import type { ApiClient } from './api-client.js';
import { agentIdOf } from './agent-id.js';
import { Chat, type NewMessage } from './chat.js';
import { userId } from './ids.js';
import { optionalText } from './options.js';
import type { PostedMessageView } from './wire.js';

export interface ConversationOptions {
  /** Id or name of the agent. */
  readonly agent: string;
  /** The user, by any text that your app knows the user by; `userId` makes an id of it. Only with a user token it may be left out. */
  readonly user?: string;
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

export async function openConversation(api: ApiClient, options: ConversationOptions): Promise<Conversation> {
  const user = userIn(options);
  const name = optionalText('name', options.name, 'Leave it out for the unnamed conversation.');
  const userName = optionalText('userName', options.userName, 'Leave it out if the user has no name.');
  const agentId = await agentIdOf(api, options.agent);
  const { id, metadata } = await api.call('GET /api/messaging/dm-channel', {
    query: { currentUserId: user, targetUserId: agentId, name },
  });
  return new Conversation(api, { agentId, userId: user ?? partnerOf(agentId, metadata), channelId: id }, userName);
}

/** The id of the user in options, undefined when the credential says who it is. @throws InvalidError for `user: undefined` */
export function userIn(options: { readonly user?: string }): string | undefined {
  return 'user' in options ? userId(options.user as string) : undefined;
}

/** The other participant of an agent's direct channel. */
function partnerOf(agentId: string, { participantCentralUserIds: both }: Readonly<Record<string, unknown>>): string {
  return (Array.isArray(both) ? (both as readonly string[]) : []).find((id) => id !== agentId) ?? '';
}
