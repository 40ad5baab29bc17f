import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Headers, UseGuards } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { PathIdsGuard, UuidPipe } from '../../core/http/index.js';
import { CreateChannelBody, presentChannel, presentChannelDetails, toCreate, toUpdate, UpdateChannelBody } from './channels.dto.js';
import { ChannelsService } from './channels.service.js';

@Controller('api/messaging')
@UseGuards(PathIdsGuard)
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** All channels of a message server. */
  @Get('message-servers/:messageServerId/channels')
  async ofServer(@Param('messageServerId', UuidPipe) serverId: string, @Headers('x-api-dialect') dialect?: string): Promise<unknown> {
    const channels = (await this.channels.ofServer(serverId)).map(presentChannel);
    // The one answer whose shape differs between the specification (an array) and the original service.
    return (dialect ?? this.config.apiDialect).startsWith('eliza') ? { channels } : channels;
  }

  /** Creates a channel. */
  @Post('channels')
  async create(@Body() body: CreateChannelBody): Promise<unknown> {
    const channel = presentChannelDetails(await this.channels.create(toCreate(body)));
    return { ...channel, channel };
  }

  @Get('channels/:channelId')
  async read(@Param('channelId', UuidPipe) channelId: string): Promise<unknown> {
    return presentChannelDetails(await this.channels.require(channelId));
  }

  @Get('channels/:channelId/details')
  async details(@Param('channelId', UuidPipe) channelId: string): Promise<unknown> {
    return presentChannelDetails(await this.channels.require(channelId));
  }

  /** Updates channel properties. */
  @Patch('channels/:channelId')
  async update(
    @Param('channelId', UuidPipe) channelId: string,
    @Body() body: UpdateChannelBody,
    @Query('metadata') metadata?: string,
  ): Promise<unknown> {
    return presentChannel(await this.channels.update(channelId, toUpdate(body, metadata === 'merge')));
  }

  /** Deletes a channel with its messages. */
  @Delete('channels/:channelId')
  @HttpCode(204)
  async delete(@Param('channelId', UuidPipe) channelId: string): Promise<void> {
    await this.channels.delete(channelId);
  }
}
