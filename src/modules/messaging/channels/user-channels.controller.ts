import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { AllowRestricted, FromCaller, PathIdsGuard, UuidPipe, type Caller } from '../../../core/http/index.js';
import { ChannelsService } from './channels.service.js';
import { presentUserChannels, toUserChannels, UserChannelsQuery, UserChannelsView } from './user-channels.dto.js';

@Controller('api/users/:userId/channels')
@UseGuards(PathIdsGuard)
export class UserChannelsController {
  constructor(private readonly channels: ChannelsService) {}

  /** The channels in which a user takes part, with their agents, newest first. */
  @Get()
  @AllowRestricted()
  async list(
    @Param('userId', UuidPipe) userId: string,
    @Query() query: UserChannelsQuery,
    @FromCaller() { agents }: Caller,
  ): Promise<UserChannelsView> {
    const { limit, before } = toUserChannels(query);
    return presentUserChannels(await this.channels.ofUser(userId, limit, before), agents);
  }
}
