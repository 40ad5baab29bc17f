import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiDialect,
  AllowScopedTokens,
  PathIdsGuard,
  ApiResponses,
  disconnectSignal,
  EVENT_STREAM,
  ApiErrors,
  UuidPipe,
  VouchedUsers,
  type Dialect,
  type HttpRequest,
  type HttpResponse,
  type Users,
} from '../../core/http/index.js';
import { AppError } from '../../core/errors/index.js';
import { CreatedId } from '../../core/idempotency/index.js';
import { isUuid } from '../../core/ids/index.js';
import { POLICY_ERRORS } from './message-policies.js';
import { ChannelMessagesService, type ChannelMessage } from './channel-messages.service.js';
import { historyQuery } from './history-query.js';
import {
  CancelledAnswersView,
  DeleteAllQuery,
  DeletedView,
  MessagePageView,
  MessagesQuery,
  PostChannelMessageBody,
  PostedMessageView,
} from './messages.dto.js';
import { presentHistory, presentOutcome, presentPostedMessage } from './messages.presenter.js';
import { MessagesService } from './messages.service.js';
import { CHANNEL_PATHS, DeprecatedPathGuard } from './paths.js';
import { Replies, REPLY_ERRORS } from './replies.js';
import { ReplyStreams } from './reply-streams.js';
import { transportOf } from './transport.js';

@Controller(CHANNEL_PATHS)
@UseGuards(DeprecatedPathGuard, PathIdsGuard)
export class ChannelMessagesController {
  constructor(
    private readonly channelMessages: ChannelMessagesService,
    private readonly messages: MessagesService,
    private readonly replies: Replies,
    private readonly streams: ReplyStreams,
  ) {}

  /** Posts a user's message; `transport` selects how the reply is delivered. */
  @Post(':channelId/messages')
  @AllowScopedTokens()
  @ApiResponses(EVENT_STREAM)
  @ApiErrors('CHANNEL_NOT_FOUND', 'MESSAGE_SERVER_NOT_FOUND', 'AGENT_NOT_FOUND', 'MESSAGE_EXISTS', ...POLICY_ERRORS, ...REPLY_ERRORS)
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
      return presentPostedMessage((await this.channelMessages.post(command)).message);
    }
    await this.channelMessages.requireResponder(command);
    if (transport === 'sse') {
      await this.streams.post(request, response, channelId, () => this.channelMessages.post(command));
      return undefined;
    }
    const { posted, outcome } = await this.replies.postAndWait(
      channelId,
      () => this.channelMessages.post(command),
      disconnectSignal(response),
    );
    return { ...presentPostedMessage(posted.message), ...presentOutcome(posted.message, outcome) };
  }

  /** Messages of a channel, newest first. */
  @Get(':channelId/messages')
  @AllowScopedTokens()
  @ApiErrors('CHANNEL_NOT_FOUND')
  async history(@Param('channelId', UuidPipe) channelId: string, @Query() query: MessagesQuery): Promise<MessagePageView> {
    const page = await this.messages.history(channelId, historyQuery(query));
    return presentHistory(page.messages, page.hasMore);
  }

  /** Deletes all messages of a channel; the dialect eliza returns their number. */
  @Delete(':channelId/messages')
  @HttpCode(204)
  @ApiResponses({ status: 200, body: DeletedView, about: 'The number of deleted messages, in the dialect eliza.' })
  @ApiErrors('CHANNEL_NOT_FOUND')
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

  /** Deletes all messages of a channel, or only one author's with `userId`. */
  @Delete(':channelId/messages/all')
  @ApiErrors('CHANNEL_NOT_FOUND')
  async deleteAll(@Param('channelId', UuidPipe) channelId: string, @Query() { userId }: DeleteAllQuery): Promise<DeletedView> {
    const deleted = await (userId === undefined ? this.messages.clear(channelId) : this.messages.deleteOf(channelId, userId.toLowerCase()));
    return { success: true, deleted };
  }

  /** Stops the answers to a message that are still pending. The message stays; an answer that has ended is not changed. */
  @Post(':channelId/messages/:messageId/cancel')
  @HttpCode(200)
  @AllowScopedTokens()
  @ApiErrors('CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND')
  async cancel(
    @Param('channelId', UuidPipe) channelId: string,
    @Param('messageId', UuidPipe) messageId: string,
  ): Promise<CancelledAnswersView> {
    return { messageId, cancelled: await this.messages.cancelAnswers(channelId, messageId) };
  }

  /** Deletes a message. */
  @Delete(':channelId/messages/:messageId')
  @HttpCode(204)
  @ApiErrors('CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND')
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
