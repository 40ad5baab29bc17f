import type { ApiClient } from './api-client.js';
import { toMessage, type ChannelMessage } from './events.js';
import type { MessageView } from './wire.js';

export interface HistoryOptions {
  /** 1 to 100. Default: 50. */
  readonly limit?: number;
  /** `older` of the page before. */
  readonly before?: string | undefined;
  readonly signal?: AbortSignal;
}

export interface HistoryPage {
  /** Oldest first. */
  readonly messages: readonly ChannelMessage[];
  /** For the page of older messages; absent when there are none. */
  readonly older?: string;
  /** Offset to follow the conversation from (`events`): what the page lacks comes after it, with the replies that are still being made. */
  readonly cursor: number;
}

/** Among the newest messages, how many may wait for a reply. */
const WITHOUT_REPLY = 10;

/** A page of the messages of a channel. @throws ParleyError */
export async function channelHistory(
  api: ApiClient,
  channelId: string,
  { limit = 50, before, signal }: HistoryOptions = {},
): Promise<HistoryPage> {
  const page = await api.call('GET /api/messaging/channels/{channelId}/messages', {
    path: { channelId },
    query: { limit, before },
    signal,
  });
  const older = page.hasMore ? page.nextCursor?.before : undefined;
  const messages = page.messages.map(messageOf);
  return { messages: [...messages].reverse(), cursor: cursorOf(page.messages, messages), ...(older && { older }) };
}

/** A message as operations return it. */
export function messageOf(view: MessageView): ChannelMessage {
  return toMessage({ ...view });
}

/**
 * Before the oldest message of the newest few that has no reply yet; else behind the newest message.
 *
 * @param messages those of the page, which begins with the newest
 */
function cursorOf(page: readonly MessageView[], messages: readonly ChannelMessage[]): number {
  const repliedTo = new Set(messages.map(({ inReplyTo }) => inReplyTo));
  const open = page.slice(0, WITHOUT_REPLY).filter((_, index) => !messages[index]!.isAgent && !repliedTo.has(messages[index]!.id));
  const oldest = open.at(-1);
  return (oldest ?? page[0])?.offset ?? 0;
}
