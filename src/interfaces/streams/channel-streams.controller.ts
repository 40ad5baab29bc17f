import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  ApiResponses,
  EVENT_STREAM,
  FromCaller,
  AllowScopedTokens,
  lastEventId,
  OperationId,
  PathIdsGuard,
  ApiErrors,
  sendEventStream,
  UuidPipe,
  type Caller,
  type HttpRequest,
  type HttpResponse,
  type StreamEvent,
} from '../../core/http/index.js';
import { offsetOf } from '../../core/journal/index.js';
import {
  REPLY_STREAM,
  CHANNEL_PATHS,
  ChannelReadAccess,
  ChannelsService,
  DeprecatedPathGuard,
  presentChannelEvent,
  Replies,
  ReplyStreams,
} from '../../modules/messaging/index.js';

@Controller(CHANNEL_PATHS)
@UseGuards(DeprecatedPathGuard, PathIdsGuard)
@AllowScopedTokens()
export class ChannelStreamsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly streams: ReplyStreams,
    private readonly replies: Replies,
    private readonly audience: ChannelReadAccess,
    private readonly clock: Clock,
  ) {}

  /** Streams the replies to a message as server-sent events; resumes after Last-Event-ID. */
  @Get(':channelId/messages/:messageId/events')
  @OperationId('channelMessagesReplyEvents')
  @ApiResponses(REPLY_STREAM)
  @ApiErrors('CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'VALIDATION_ERROR')
  async replyEvents(
    @Param('channelId', UuidPipe) channelId: string,
    @Param('messageId', UuidPipe) messageId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.streams.resume(request, response, channelId, messageId);
  }

  /** Streams all events of a channel as server-sent events, from Last-Event-ID (or from now) on, until the channel is deleted. */
  @Get(':channelId/events')
  @OperationId('channelMessagesEvents')
  @ApiResponses(EVENT_STREAM)
  @ApiErrors('CHANNEL_NOT_FOUND', 'VALIDATION_ERROR')
  async events(
    @Param('channelId', UuidPipe) channelId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @FromCaller() caller: Caller,
  ): Promise<void> {
    await this.channels.require(channelId);
    const after = lastEventId(request) ?? (await this.replies.present());
    const { audience, replies } = this;
    await sendEventStream({ request, response, clock: this.clock, channelId }, async function* (signal): AsyncGenerator<StreamEvent> {
      yield { id: after, event: 'ready', data: { channelId, offset: offsetOf(after) } };
      for await (const event of replies.followChannel(channelId, after, signal)) {
        if (event.cursor !== undefined && audience.revokes(event.entry, caller)) return;
        const presented = presentChannelEvent(event);
        if (presented) yield presented;
      }
    });
  }
}
