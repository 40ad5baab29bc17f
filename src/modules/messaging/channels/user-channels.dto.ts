import { IsString } from 'class-validator';
import { encodeCursor, IfPresent, IsCount, parseCursor, type ListPosition } from '../../../core/http/index.js';
import { agentsIn } from './channel-types.js';
import { ChannelView, presentChannel } from './channels.dto.js';
import type { UserChannelPage } from './channels.service.js';

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

/** Query of `GET /api/users/{userId}/channels`. */
export class UserChannelsQuery {
  /** Page size. Defaults to 50. */
  @IfPresent()
  @IsCount(MAX_PAGE)
  limit?: string;

  /** The `nextCursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** A channel of a user. */
export class UserChannelView extends ChannelView {
  /** Ids of the agents in the channel. */
  agents!: string[];
}

/** A page of the channels of a user, newest first. */
export class UserChannelsView {
  channels!: UserChannelView[];
  /** With a key that is limited to agents, a page can have fewer channels than its size, or none, and still have a next one. */
  hasMore!: boolean;
  /** Cursor of the next page; null on the last page. */
  nextCursor!: string | null;
}

/** @throws AppError VALIDATION_ERROR */
export function toUserChannels({ limit, cursor }: UserChannelsQuery): { limit: number; before?: Required<ListPosition> } {
  return { limit: Number(limit ?? DEFAULT_PAGE), before: parseCursor('cursor', cursor) };
}

/** @param allowed agents that the caller may see; all when absent */
export function presentUserChannels({ channels, next }: UserChannelPage, allowed?: ReadonlySet<string>): UserChannelsView {
  const shown = channels.map((channel) => ({ ...presentChannel(channel), agents: [...agentsIn(channel)] }));
  return {
    channels: allowed ? shown.filter(({ agents }) => agents.length > 0 && agents.every((id) => allowed.has(id))) : shown,
    hasMore: next !== undefined,
    nextCursor: next ? encodeCursor(next) : null,
  };
}
