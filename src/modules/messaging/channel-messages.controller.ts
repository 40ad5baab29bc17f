import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  lastEventId,
  PathIdsGuard,
  sendEventStream,
  UuidPipe,
  type HttpRequest,
  type HttpResponse,
  type StreamEvent,
} from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { isUuid } from '../../core/ids/index.js';
import { Journal } from '../../core/journal/index.js';
import { ChannelMessagesService, type ChannelMessage } from './channel-messages.service.js';
import { ChannelsService } from './channels.service.js';
import { historyQuery } from './history-query.js';
import { PostChannelMessageBody } from './messages.dto.js';
import { presentHistory, presentMessage, presentOutcome } from './messages.presenter.js';
import { MessagesService } from './messages.service.js';
import { Replies } from './replies.js';
import { presentChannelEntry } from './channel-events.presenter.js';
import { ReplyStreams } from './reply-streams.js';
import { toCommand, SubmitBody } from './submit.dto.js';
import { transportOf } from './transport.js';

@Controller('api/messaging')
@UseGuards(PathIdsGuard)
export class ChannelMessagesController {
  constructor(
    private readonly doors: ChannelMessagesService,
    private readonly messages: MessagesService,
    private readonly channels: ChannelsService,
    private readonly replies: Replies,
    private readonly streams: ReplyStreams,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** Posts a message in an agent's name. */
  @Post('submit')
  async submit(@Body() body: SubmitBody): Promise<unknown> {
    const { message } = await this.doors.submit(toCommand(body));
    return presentMessage(message);
  }

  /** Posts a user's message; `transport` chooses how the answer is heard. */
  @Post('channels/:channelId/messages')
  async post(
    @Param('channelId', UuidPipe) channelId: string,
    @Body() body: PostChannelMessageBody,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @Headers('x-entity-id') entityId?: string,
  ): Promise<unknown> {
    const transport = transportOf(body);
    const command = commandOf(channelId, body, entityId);
    if (transport === 'websocket') {
      const { message } = await this.doors.post(command);
      const userMessage = presentMessage(message);
      return { ...userMessage, userMessage };
    }
    await this.doors.requireResponder(command);
    if (transport === 'sse') return this.streams.post(request, response, channelId, () => this.doors.post(command));
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { posted, outcome } = await this.replies.waitFor(channelId, () => this.doors.post(command), gone.signal);
    const userMessage = presentMessage(posted.message);
    return { ...userMessage, userMessage, ...presentOutcome(posted.message, outcome) };
  }

  /** Messages of a channel, newest first. */
  @Get('channels/:channelId/messages')
  async history(@Param('channelId', UuidPipe) channelId: string, @Query() query: Record<string, unknown>): Promise<unknown> {
    const page = await this.messages.history(channelId, historyQuery(query));
    return presentHistory(page.messages, page.hasMore);
  }

  /** The answers to one message as server-sent events; resumes behind Last-Event-ID. */
  @Get('channels/:channelId/messages/:messageId/events')
  async replyEvents(
    @Param('channelId', UuidPipe) channelId: string,
    @Param('messageId', UuidPipe) messageId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.streams.resume(request, response, channelId, messageId);
  }

  /** Everything that happens in a channel as server-sent events, from Last-Event-ID (or from now) on, without end. */
  @Get('channels/:channelId/events')
  async events(
    @Param('channelId', UuidPipe) channelId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    await this.channels.require(channelId);
    const after = lastEventId(request) ?? this.journal.tail;
    const { journal } = this;
    await sendEventStream({ request, response, clock: this.clock }, async function* (signal): AsyncGenerator<StreamEvent> {
      yield { id: after, event: 'ready', data: { channelId, offset: after } };
      for await (const entry of journal.follow(channelId, after, signal)) yield presentChannelEntry(entry);
    });
  }

  /** Deletes all messages of a channel. */
  @Delete('channels/:channelId/messages')
  @HttpCode(204)
  async clear(@Param('channelId', UuidPipe) channelId: string): Promise<void> {
    await this.messages.clear(channelId);
  }

  @Delete('channels/:channelId/messages/:messageId')
  @HttpCode(204)
  async delete(@Param('channelId', UuidPipe) channelId: string, @Param('messageId', UuidPipe) messageId: string): Promise<void> {
    await this.messages.delete(channelId, messageId);
  }
}

function commandOf(channelId: string, body: PostChannelMessageBody, entityId: string | undefined): ChannelMessage {
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
