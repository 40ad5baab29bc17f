import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { canAccessAgent, type Caller } from '../../core/http/index.js';
import { isUuid, newId } from '../../core/ids/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { DerivedChannels, UserIds } from '../messaging/index.js';
import type { SpeakingFields } from './conversation.dto.js';
import type { SpeakerContext } from './conversation.types.js';
import { ChannelReach } from './channel-reach.js';

/**
 * Resolves the channel and the author of an utterance. The access guard does not see form fields or derived ids, so this class checks them
 * against the credential.
 */
@Injectable()
export class SpeakerResolver {
  constructor(
    private readonly derived: DerivedChannels,
    private readonly people: UserIds,
    private readonly reachable: ChannelReach,
    private readonly agents: AgentsService,
  ) {}

  /**
   * Generates ids that the request omits.
   *
   * @throws AppError FORBIDDEN when the channel or the author is an agent's that the caller cannot access
   */
  async resolve(agent: Agent, fields: SpeakingFields, caller: Caller): Promise<SpeakerContext> {
    const { channelId, roomId, userId, entityId, userName, name } = fields;
    const channel = channelId ?? (await this.room(agent, roomId)) ?? newId();
    const author = userId ?? (entityId === undefined ? newId() : this.people.fromName(entityId));
    const speaker = { channelId: channel.toLowerCase(), authorId: author.toLowerCase(), authorName: userName ?? name ?? null };
    this.assertMaySpeakAs(caller, speaker.authorId);
    await this.reachable.assertReachable(caller, speaker.channelId);
    return speaker;
  }

  /** @throws AppError FORBIDDEN when `userId` is an agent that the caller cannot access */
  assertMaySpeakAs(caller: Caller, userId: string | undefined): void {
    if (userId === undefined || canAccessAgent(caller, userId) || !this.agents.find(userId)) return;
    throw new AppError(
      'FORBIDDEN',
      'The credential has no access to an agent in the request.',
      `Use a credential with access to agent ${userId}.`,
    );
  }

  private async room({ id }: Agent, roomId: string | undefined): Promise<string | undefined> {
    if (roomId === undefined || isUuid(roomId)) return roomId;
    return (await this.derived.ofConversation(id, roomId)).id;
  }
}
