import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { mayReach, type Caller } from '../../core/http/index.js';
import { isUuid, newId } from '../../core/ids/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { DerivedChannels, People } from '../messaging/index.js';
import type { SpeakingFields } from './conversation.dto.js';
import type { SpeakingPlace } from './conversation.types.js';
import { ReachableChannels } from './reachable-channels.js';

/** Where a conversation takes place and who speaks. The access guard cannot look into a form, and sees no ids in names: callers are held to theirs here. */
@Injectable()
export class SpeakingPlaces {
  constructor(
    private readonly derived: DerivedChannels,
    private readonly people: People,
    private readonly reachable: ReachableChannels,
    private readonly agents: AgentsService,
  ) {}

  /** New ids for what the request does not name. @throws AppError FORBIDDEN for another agent's channel, or in another agent's name */
  async find(agent: Agent, fields: SpeakingFields, caller: Caller): Promise<SpeakingPlace> {
    const { channelId, roomId, userId, entityId, userName, name } = fields;
    const channel = channelId ?? (await this.room(agent, roomId)) ?? newId();
    const author = userId ?? (entityId === undefined ? newId() : await this.people.named(entityId));
    const place = { channelId: channel.toLowerCase(), authorId: author.toLowerCase(), authorName: userName ?? name ?? null };
    this.refuseOthers(caller, place.authorId);
    await this.reachable.check(caller, place.channelId);
    return place;
  }

  /** @throws AppError FORBIDDEN when a name is that of an agent that the caller does not reach */
  refuseOthers(caller: Caller, userId: string | undefined): void {
    if (userId === undefined || mayReach(caller, userId) || !this.agents.find(userId)) return;
    throw new AppError('FORBIDDEN', 'The credential is not for an agent that the request names.', `It does not reach the agent ${userId}.`);
  }

  private async room({ id }: Agent, roomId: string | undefined): Promise<string | undefined> {
    if (roomId === undefined || isUuid(roomId)) return roomId;
    return (await this.derived.ofConversation(id, roomId)).id;
  }
}
