import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { Refuses, VouchedUsers, type HttpResponse, type Users } from '../../../core/http/index.js';
import {
  AskExternalBody,
  CompleteBody,
  CompletedView,
  ExternalAnswerView,
  IngestBody,
  IngestedView,
  toAskedMessage,
  toCompletion,
  toExternalMessages,
} from './external.dto.js';
import { ExternalMessagesService } from './external.service.js';

@Controller('api/messaging')
export class ExternalMessagesController {
  constructor(private readonly external: ExternalMessagesService) {}

  /** Takes in messages of another platform; agents answer them as any other message. */
  @Post('ingest-external')
  @HttpCode(202)
  @Refuses('MESSAGE_SERVER_NOT_FOUND', 'AGENT_NOT_FOUND', 'MESSAGE_EXISTS')
  async ingest(@Body() body: IngestBody, @VouchedUsers() users: Users): Promise<IngestedView> {
    const messageIds = await this.external.ingest(toExternalMessages(body), users);
    return { messageId: messageIds[0] ?? null, messageIds, processed: messageIds.length, message: 'Messages were taken in' };
  }

  /** Takes in a message of another platform and waits for the answer to it. */
  @Post('external-messages')
  @HttpCode(200)
  @Refuses('AGENT_NOT_FOUND', 'MESSAGE_EXISTS', 'MODEL_UNAVAILABLE', 'MODEL_REJECTED', 'TURN_TIMEOUT', 'TURN_FAILED')
  async ask(
    @Body() body: AskExternalBody,
    @VouchedUsers() users: Users,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ExternalAnswerView> {
    const { message, replyId, response: text } = await this.external.ask(toAskedMessage(body), users, goneWith(response));
    return { messageId: message.id, inReplyTo: message.id, replyId, response: text };
  }

  /** Tells who listens that nothing more comes in answer to a message; or, with a prompt, asks an agent and waits. */
  @Post('complete')
  @HttpCode(200)
  @Refuses(
    'MESSAGE_NOT_FOUND',
    'CHANNEL_NOT_FOUND',
    'AGENT_NOT_FOUND',
    'MODEL_UNAVAILABLE',
    'MODEL_REJECTED',
    'TURN_TIMEOUT',
    'TURN_FAILED',
  )
  async complete(
    @Body() body: CompleteBody,
    @VouchedUsers() users: Users,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<CompletedView> {
    const completion = toCompletion(body);
    if ('prompt' in completion) return { success: true, response: await this.external.prompt(completion, users, goneWith(response)) };
    await this.external.complete(completion);
    return { success: true };
  }
}

/** Aborts when the caller goes away before it is answered. */
function goneWith(response: HttpResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
