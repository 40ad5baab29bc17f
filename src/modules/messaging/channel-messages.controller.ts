import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  ApiDialect,
  InSession,
  lastEventId,
  PathIdsGuard,
  Answers,
  EVENT_STREAM,
  FromCaller,
  Refuses,
  sendEventStream,
  UuidPipe,
  VouchedUsers,
  type Caller,
  type Dialect,
  type HttpRequest,
  type HttpResponse,
  type StreamEvent,
  type Users,
} from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { CreatedId } from '../../core/idempotency/index.js';
import { isUuid } from '../../core/ids/index.js';
import { Journal } from '../../core/journal/index.js';
import { ChannelAudience } from './channel-audience.js';
import { presentChannelEntry } from './channel-events.presenter.js';
import { KEEPER_REFUSALS } from './channel-keepers.js';
import { ChannelMessagesService, type ChannelMessage } from './channel-messages.service.js';
import { ChannelsService } from './channels.service.js';
import { historyQuery } from './history-query.js';
import { DeleteAllQuery, DeletedView, MessagePageView, MessagesQuery, PostChannelMessageBody, PostedMessageView } from './messages.dto.js';
import { presentHistory, presentOutcome, presentPostedMessage } from './messages.presenter.js';
import { MessagesService } from './messages.service.js';
import { CHANNEL_PATHS, DeprecatedPathGuard } from './paths.js';
import { Replies, REPLY_REFUSALS } from './replies.js';
import { ReplyStreams } from './reply-streams.js';
import { transportOf } from './transport.js';

@Controller(CHANNEL_PATHS)
@UseGuards(DeprecatedPathGuard, PathIdsGuard)
export class ChannelMessagesController {
  constructor(
    private readonly doors: ChannelMessagesService,
    private readonly messages: MessagesService,
    private readonly channels: ChannelsService,
    private readonly replies: Replies,
    private readonly streams: ReplyStreams,
    private readonly journal: Journal,
    private readonly audience: ChannelAudience,
    private readonly clock: Clock,
  ) {}

  /** Posts a user's message; `transport` chooses how the answer is heard. */
  @Post(':channelId/messages')
  @InSession()
  @Answers(EVENT_STREAM)
  @Refuses('CHANNEL_NOT_FOUND', 'MESSAGE_SERVER_NOT_FOUND', 'AGENT_NOT_FOUND', 'MESSAGE_EXISTS', ...KEEPER_REFUSALS, ...REPLY_REFUSALS)
  async post(
    @Param('channelId', UuidPipe) channelId: string,
    @Body() body: PostChannelMessageBody,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @CreatedId() createdId: string | undefined,
    @VouchedUsers() users: Users,
    @Headers('x-entity-id') entityId?: string,
  ): Promise<PostedMessageView | undefined> {
    const transport = transportOf(body);
    const command = { ...commandOf(channelId, body, entityId), users, id: createdId };
    if (transport === 'websocket') {
      return presentPostedMessage((await this.doors.post(command)).message);
    }
    await this.doors.requireResponder(command);
    if (transport === 'sse') {
      await this.streams.post(request, response, channelId, () => this.doors.post(command));
      return undefined;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { posted, outcome } = await this.replies.waitFor(channelId, () => this.doors.post(command), gone.signal);
    return { ...presentPostedMessage(posted.message), ...presentOutcome(posted.message, outcome) };
  }

  /** Messages of a channel, newest first. */
  @Get(':channelId/messages')
  @InSession()
  @Refuses('CHANNEL_NOT_FOUND')
  async history(@Param('channelId', UuidPipe) channelId: string, @Query() query: MessagesQuery): Promise<MessagePageView> {
    const page = await this.messages.history(channelId, historyQuery(query));
    return presentHistory(page.messages, page.hasMore);
  }

  /** The answers to one message as server-sent events; resumes behind Last-Event-ID. */
  @Get(':channelId/messages/:messageId/events')
  @InSession()
  @Answers(EVENT_STREAM)
  @Refuses('CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'VALIDATION_ERROR')
  async replyEvents(
    @Param('channelId', UuidPipe) channelId: string,
    @Param('messageId', UuidPipe) messageId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.streams.resume(request, response, channelId, messageId);
  }

  /** Everything that happens in a channel as server-sent events, from Last-Event-ID (or from now) on, without end. */
  @Get(':channelId/events')
  @InSession()
  @Answers(EVENT_STREAM)
  @Refuses('CHANNEL_NOT_FOUND', 'VALIDATION_ERROR')
  async events(
    @Param('channelId', UuidPipe) channelId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @FromCaller() caller: Caller,
  ): Promise<void> {
    await this.channels.require(channelId);
    const after = lastEventId(request) ?? this.journal.tail;
    const { audience, journal } = this;
    await sendEventStream({ request, response, clock: this.clock }, async function* (signal): AsyncGenerator<StreamEvent> {
      yield { id: after, event: 'ready', data: { channelId, offset: after } };
      for await (const entry of journal.follow(channelId, after, signal)) {
        if (audience.closes(entry, caller)) return;
        yield presentChannelEntry(entry);
      }
    });
  }

  /** Deletes all messages of a channel; the dialect eliza hears how many there were. */
  @Delete(':channelId/messages')
  @HttpCode(204)
  @Answers({ status: 200, body: DeletedView, about: 'How many there were, in the dialect eliza.' })
  @Refuses('CHANNEL_NOT_FOUND')
  async clear(
    @Param('channelId', UuidPipe) channelId: string,
    @ApiDialect() dialect: Dialect,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<DeletedView | void> {
    const deleted = await this.messages.clear(channelId);
    if (dialect === 'spec') return undefined;
    response.status(200);
    return { success: true, deleted };
  }

  /** Deletes all messages of a channel, or with `userId` those of one author. */
  @Delete(':channelId/messages/all')
  @Refuses('CHANNEL_NOT_FOUND')
  async deleteAll(@Param('channelId', UuidPipe) channelId: string, @Query() { userId }: DeleteAllQuery): Promise<DeletedView> {
    const deleted = await (userId === undefined ? this.messages.clear(channelId) : this.messages.deleteOf(channelId, userId.toLowerCase()));
    return { success: true, deleted };
  }

  /** Deletes a message. */
  @Delete(':channelId/messages/:messageId')
  @HttpCode(204)
  @Refuses('CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND')
  async delete(@Param('channelId', UuidPipe) channelId: string, @Param('messageId', UuidPipe) messageId: string): Promise<void> {
    await this.messages.delete(channelId, messageId);
  }
}

function commandOf(channelId: string, body: PostChannelMessageBody, entityId: string | undefined): Omit<ChannelMessage, 'users'> {
  const metadata = body.metadata ?? {};
  const authorId = body.author_id ?? body.authorId ?? (isUuid(entityId) ? entityId : undefined);
  if (authorId === undefined) {
    throw new AppError(
      'VALIDATION_ERROR',
      'author_id must be a UUID (8-4-4-4-12 hexadecimal digits)',
      'Name the author in author_id, or in the header X-Entity-Id.',
    );
  }
  return {
    channelId,
    serverId: body.message_server_id ?? body.server_id,
    authorId,
    authorKind: 'user',
    authorName: body.author_display_name ?? null,
    content: body.content,
    rawMessage: body.raw_message ?? (body.attachments ? { text: body.content, attachments: body.attachments } : null),
    sourceType: body.source_type ?? 'eliza_gui',
    metadata: { ...(body.attachments ? { attachments: body.attachments } : {}), ...metadata },
    inReplyTo: body.in_reply_to_message_id ?? null,
    clientMessageId: body.clientMessageId ?? null,
  };
}
