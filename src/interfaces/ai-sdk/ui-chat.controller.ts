import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import {
  AllowBodiesOf,
  AllowRestricted,
  AllowUserTokens,
  ApiErrors,
  ApiErrorsOfHooks,
  ApiResponses,
  disconnectSignal,
  EVENT_STREAM,
  FromCaller,
  NoEnvelope,
  OperationId,
  sendEventStream,
  type Caller,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { CreatedId, JoinsRepetitions } from '../../core/idempotency/index.js';
import { REPLY_ERRORS } from '../../modules/messaging/index.js';
import {
  AgentModels,
  CONVERSATION_BYTES,
  ForProtocol,
  ProtocolResponses,
  ProtocolTurns,
  refuseField,
  repetitionOf,
  setExchangeHeaders,
  type Exchange,
  type ProtocolRequest,
} from '../../modules/protocols/index.js';
import { UiChatBody, UiMessageChunkView } from './ui-chat.dto.js';
import { readUiMessages, type UiConversation } from './ui-messages.js';
import { UI_STREAM_HEADERS, UiStreamWriter } from './ui-stream.writer.js';
import { readUiTools } from './ui-tools.js';

type Agent = ProtocolRequest['agent'];

const STREAM = {
  ...EVENT_STREAM,
  body: UiMessageChunkView,
  about: 'A UI message stream: parts as server-sent events, then `[DONE]`.',
  example: { type: 'text-delta', id: 'text-1', delta: 'Tea' },
};

// Not `:agentId`, because a name is allowed too; the operations check the access to the agent themselves.
@Controller('api/agents/:agent/chat')
@ForProtocol('ai-sdk')
@NoEnvelope()
export class UiChatController {
  constructor(
    private readonly models: AgentModels,
    private readonly turns: ProtocolTurns,
    private readonly responses: ProtocolResponses,
    private readonly clock: Clock,
  ) {}

  /** Lets an agent reply to a conversation of the AI SDK (`useChat`), and streams the reply. `agent` is a name or an id. */
  @Post()
  @HttpCode(200)
  @AllowRestricted()
  @AllowUserTokens()
  @JoinsRepetitions()
  @AllowBodiesOf(CONVERSATION_BYTES)
  @OperationId('uiChatSend')
  @ApiResponses(STREAM)
  @ApiErrors('VALIDATION_ERROR', 'AGENT_NOT_FOUND', 'AGENT_STOPPED', 'CHANNEL_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', ...REPLY_ERRORS)
  @ApiErrorsOfHooks('messagePolicies')
  async send(
    @Param('agent') name: string,
    @Body() body: UiChatBody,
    @FromCaller() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @CreatedId() createdId: string | undefined,
  ): Promise<void> {
    const asked = this.requestOf(this.agent(caller, name, true), body, caller, request, createdId);
    await this.stream(await this.turns.begin(asked, disconnectSignal(response)), asked, request, response);
  }

  /** Streams the reply to the newest message of a conversation from its beginning, if it has not ended. */
  @Get(':chatId/stream')
  @AllowRestricted()
  @AllowUserTokens()
  @OperationId('uiChatResume')
  @ApiResponses(STREAM, { status: 204, about: 'No reply is under way.' })
  @ApiErrors('AGENT_NOT_FOUND', 'CHANNEL_NOT_FOUND')
  async resume(
    @Param('agent') name: string,
    @Param('chatId') conversation: string,
    @FromCaller() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const agent = this.agent(caller, name, false);
    const asked = { ...presetsOf(caller), caller, agent, conversation };
    const exchange = await this.turns.running(asked, disconnectSignal(response));
    if (!exchange) {
      response.status(204).end();
      return;
    }
    const { content: text } = exchange.message;
    const repetition = { isRetry: false, body: '' };
    await this.stream(exchange, { ...asked, messages: [{ role: 'user', text }], turn: { options: {} }, repetition }, request, response);
  }

  private async stream(exchange: Exchange, asked: ProtocolRequest, request: HttpRequest, response: HttpResponse): Promise<void> {
    setExchangeHeaders(response, exchange);
    const stream = { request, response, clock: this.clock, channelId: exchange.message.channelId, headers: UI_STREAM_HEADERS };
    await sendEventStream(stream, () => this.responses.stream(exchange, asked, new UiStreamWriter(exchange)));
  }

  private agent(caller: Caller, name: string, mustRun: boolean): Agent {
    const agent = this.models.find(caller, name);
    if (!agent) {
      throw new AppError(
        'AGENT_NOT_FOUND',
        `Agent ${name} not found`,
        'The path names an agent by its id or name; GET /api/agents lists them.',
      );
    }
    return mustRun ? this.models.requireRunning(caller, agent.id) : agent;
  }

  private requestOf(agent: Agent, body: UiChatBody, caller: Caller, request: HttpRequest, createdId: string | undefined): ProtocolRequest {
    const { messages, instructions: inMessages, inputId } = conversationOf(body);
    const instructions = [body.system ?? '', inMessages].filter((text) => text !== '').join('\n\n');
    const tools = readUiTools(body.tools);
    return {
      ...presetsOf(caller),
      ...{ caller, agent, messages, conversation: body.id, isWhole: isSent(body.messages) },
      turn: { options: {}, ...(tools.length > 0 && { tools }), ...(instructions !== '' && { instructions }) },
      metadata: {
        ...(inputId !== undefined && { uiMessageId: inputId }),
        ...(body.trigger === 'regenerate-message' && { trigger: body.trigger }),
      },
      repetition: repetitionOf(request, createdId),
    };
  }
}

/** What holds for every conversation of the protocol. Arguments and results of actions may contain secrets. */
function presetsOf({ user, session, scope }: Caller): Pick<ProtocolRequest, 'protocol' | 'isStored' | 'hearsReasoning' | 'seesActions'> {
  const readsRuns = scope !== undefined && user === undefined && session === undefined;
  return { protocol: 'ai-sdk', isStored: true, hearsReasoning: true, seesActions: readsRuns };
}

/** @throws AppError VALIDATION_ERROR naming the field */
function conversationOf({ messages, message, trigger, messageId }: UiChatBody): UiConversation {
  if (isSent(messages)) {
    if (isSent(message)) refuseField('message', 'must not be sent with messages');
    return readUiMessages(messages, 'messages');
  }
  if (!isSent(message)) refuseField('messages', 'must be a list');
  const sent = readUiMessages([message], 'message', true);
  const whole = 'What the server has of the conversation stays. Send messages, the conversation without what is replaced.';
  if (trigger === 'regenerate-message') refuseField('trigger', 'must be submit-message, because message is sent', whole);
  if (isSent(messageId) && message['role'] === 'user') refuseField('messageId', 'must not be sent with a message of the user', whole);
  return sent;
}

function isSent<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}
