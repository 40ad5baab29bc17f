import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import {
  ActingUser,
  ApiDialect,
  AllowScopedTokens,
  PathIdsGuard,
  ApiResponses,
  OperationId,
  ApiErrors,
  ApiErrorsOfHooks,
  hearingSignal,
  UuidPipe,
  VouchedUsers,
  type Dialect,
  type HttpRequest,
  type HttpResponse,
  type Users,
} from '../../../core/http/index.js';
import { AppError } from '../../../core/errors/index.js';
import { CreatedId } from '../../../core/idempotency/index.js';
import { isUuid } from '../../../core/ids/index.js';
import { ChannelMessagesService, type ChannelMessage } from './channel-messages.service.js';
import { REPLY_STREAM } from '../replies/reply-stream.dto.js';
import { historyQuery } from './history-query.js';
import {
  CancelledRepliesView,
  ChannelMessageFields,
  DeleteAllQuery,
  DeletedView,
  MessagePageView,
  MessagesQuery,
  PostChannelMessageBody,
  PostedMessageView,
} from './messages.dto.js';
import { presentHistory, presentOutcome, presentPostedMessage } from './messages.presenter.js';
import { MessagesService } from './messages.service.js';
import { CHANNEL_PATHS, DeprecatedPathGuard } from '../paths.js';
import { Replies, REPLY_ERRORS } from '../replies/replies.js';
import { ReplyStreams } from '../replies/reply-streams.js';
import { transportOf } from './transport.js';

const POST_ERRORS = ['CHANNEL_NOT_FOUND', 'MESSAGE_SERVER_NOT_FOUND', 'AGENT_NOT_FOUND', 'MESSAGE_EXISTS', ...REPLY_ERRORS] as const;

@Controller(CHANNEL_PATHS)
@UseGuards(DeprecatedPathGuard, PathIdsGuard)
export class ChannelMessagesController {
  constructor(
    private readonly channelMessages: ChannelMessagesService,
    private readonly messages: MessagesService,
    private readonly replies: Replies,
    private readonly streams: ReplyStreams,
  ) {}

  /** Posts a user's message; `transport` selects whether the response waits for the reply. */
  @Post(':channelId/messages')
  @AllowScopedTokens()
  @ApiErrors(...POST_ERRORS)
  @ApiErrorsOfHooks('messagePolicies')
  async post(
    @Param('channelId', UuidPipe) channelId: string,
    @Body() body: PostChannelMessageBody,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @CreatedId() createdId: string | undefined,
    @VouchedUsers() users: Users,
    @ActingUser() actingUser: string | undefined,
    @Headers('x-entity-id') entityId?: string,
  ): Promise<PostedMessageView | undefined> {
    const transport = transportOf(body);
    const command = { ...commandOf(channelId, body, isUuid(entityId) ? entityId : actingUser), users, id: createdId };
    if (transport === 'websocket') {
      return presentPostedMessage((await this.channelMessages.post(command)).message);
    }
    if (transport === 'sse') {
      await this.streamReplies(command, request, response);
      return undefined;
    }
    await this.channelMessages.requireResponder(command);
    const { posted, outcome } = await this.replies.ask(
      channelId,
      () => this.channelMessages.post(command),
      hearingSignal(request, response, channelId),
    );
    return { ...presentPostedMessage(posted.message), ...presentOutcome(posted.message, outcome) };
  }

  /** Posts a user's message, and streams the replies as server-sent events. */
  @Post(':channelId/messages/stream')
  @OperationId('channelMessagesStream')
  @AllowScopedTokens()
  @ApiResponses(REPLY_STREAM)
  @ApiErrors(...POST_ERRORS)
  @ApiErrorsOfHooks('messagePolicies')
  async stream(
    @Param('channelId', UuidPipe) channelId: string,
    @Body() body: ChannelMessageFields,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @CreatedId() createdId: string | undefined,
    @VouchedUsers() users: Users,
    @ActingUser() actingUser: string | undefined,
    @Headers('x-entity-id') entityId?: string,
  ): Promise<void> {
    const command = { ...commandOf(channelId, body, isUuid(entityId) ? entityId : actingUser), users, id: createdId };
    await this.streamReplies(command, request, response);
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

  /** Stops the replies to a message that are still pending. The message stays; a reply that has ended is not changed. */
  @Post(':channelId/messages/:messageId/cancel')
  @HttpCode(200)
  @AllowScopedTokens()
  @ApiErrors('CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND')
  async cancel(
    @Param('channelId', UuidPipe) channelId: string,
    @Param('messageId', UuidPipe) messageId: string,
  ): Promise<CancelledRepliesView> {
    return { messageId, cancelled: await this.replies.cancel(channelId, messageId) };
  }

  /** Deletes a message. */
  @Delete(':channelId/messages/:messageId')
  @HttpCode(204)
  @ApiErrors('CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND')
  async delete(@Param('channelId', UuidPipe) channelId: string, @Param('messageId', UuidPipe) messageId: string): Promise<void> {
    await this.messages.delete(channelId, messageId);
  }

  private async streamReplies(command: ChannelMessage, request: HttpRequest, response: HttpResponse): Promise<void> {
    await this.channelMessages.requireResponder(command);
    await this.streams.post(request, response, command.channelId, () => this.channelMessages.post(command));
  }
}

/** @param otherwise the author when the body names none */
function commandOf(channelId: string, body: ChannelMessageFields, otherwise: string | undefined): Omit<ChannelMessage, 'users'> {
  const metadata = body.metadata ?? {};
  const authorId = body.author_id ?? body.authorId ?? otherwise;
  if (authorId === undefined) {
    throw new AppError(
      'VALIDATION_ERROR',
      'author_id must be a UUID (8-4-4-4-12 hexadecimal digits)',
      'Name the author in author_id, or in the header X-Entity-Id. A user token and a session token name it by themselves.',
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
