import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiErrors, VouchedUsers, type HttpResponse, type Users } from '../../core/http/index.js';
import { ExternalMessagesService, MessagesService, REPLY_ERRORS } from '../../modules/messaging/index.js';
import {
  AskExternalBody,
  CompleteBody,
  CompletedView,
  ExternalReplyView,
  IngestBody,
  IngestedView,
  toQuestion,
  toCompletion,
  toExternalMessages,
} from './external.dto.js';

@Controller('api/messaging')
export class ExternalMessagesController {
  constructor(
    private readonly external: ExternalMessagesService,
    private readonly messages: MessagesService,
  ) {}

  /** Stores messages of another platform; agents reply to them like any other message. */
  @Post('ingest-external')
  @HttpCode(202)
  @ApiErrors('MESSAGE_SERVER_NOT_FOUND', 'AGENT_NOT_FOUND', 'MESSAGE_EXISTS')
  async ingest(@Body() body: IngestBody, @VouchedUsers() users: Users): Promise<IngestedView> {
    const messageIds = await this.external.ingest(toExternalMessages(body), users);
    return { messageId: messageIds[0] ?? null, messageIds, processed: messageIds.length, message: 'Messages were taken in' };
  }

  /** Stores a message of another platform and waits for the reply. */
  @Post('external-messages')
  @HttpCode(200)
  @ApiErrors('AGENT_NOT_FOUND', 'MESSAGE_EXISTS', ...REPLY_ERRORS)
  async ask(
    @Body() body: AskExternalBody,
    @VouchedUsers() users: Users,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ExternalReplyView> {
    const { message, replyId, response: text } = await this.external.ask(toQuestion(body), users, goneWith(response));
    return { messageId: message.id, inReplyTo: message.id, replyId, response: text };
  }

  /** Announces that no more replies to a message will follow; or, with a prompt, asks an agent and waits for the reply. */
  @Post('complete')
  @HttpCode(200)
  @ApiErrors('MESSAGE_NOT_FOUND', 'CHANNEL_NOT_FOUND', 'AGENT_NOT_FOUND', ...REPLY_ERRORS)
  async complete(
    @Body() body: CompleteBody,
    @VouchedUsers() users: Users,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<CompletedView> {
    const completion = toCompletion(body);
    if ('prompt' in completion) return { success: true, response: await this.external.prompt(completion, users, goneWith(response)) };
    await this.messages.announceCompletion(completion);
    return { success: true };
  }
}

/** A signal that aborts when the caller disconnects. */
function goneWith(response: HttpResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
