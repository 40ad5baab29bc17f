import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  AllowBodiesOf,
  AllowRestricted,
  AllowUserTokens,
  ApiErrors,
  ApiErrorsOfHooks,
  ApiResponses,
  ChecksAgentOf,
  disconnectSignal,
  EVENT_STREAM,
  FromCaller,
  NoEnvelope,
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
  KnownFields,
  ProtocolResponses,
  ProtocolTurns,
  repetitionOf,
  setExchangeHeaders,
  type ProtocolRequest,
} from '../../modules/protocols/index.js';
import { ChatChunkView, ChatCompletionsBody, ChatCompletionView } from './chat.dto.js';
import { readChatMessages } from './chat-messages.js';
import { readChatOptions } from './chat-options.js';
import { ChatWriter, headOf, presentCompletion } from './chat-writer.js';
import { OpenAiErrors } from './openai-errors.js';

const CHUNK = {
  id: 'chatcmpl-3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  object: 'chat.completion.chunk',
  created: 1_769_860_800,
  model: 'Ada',
  choices: [{ index: 0, delta: { content: 'Sencha.' }, logprobs: null, finish_reason: null }],
};

@Controller('v1/chat')
@ForProtocol('openai')
@OpenAiErrors()
@NoEnvelope()
export class OpenAiChatController {
  constructor(
    private readonly models: AgentModels,
    private readonly turns: ProtocolTurns,
    private readonly responses: ProtocolResponses,
    private readonly clock: Clock,
  ) {}

  /** Lets an agent reply to a conversation. With `stream`, the response is server-sent events. */
  @Post('completions')
  @HttpCode(200)
  @AllowRestricted()
  @AllowUserTokens()
  @ChecksAgentOf('model')
  @JoinsRepetitions()
  @AllowBodiesOf(CONVERSATION_BYTES)
  @KnownFields(ChatCompletionsBody)
  @ApiResponses({
    ...EVENT_STREAM,
    body: ChatChunkView,
    about: 'With `stream`: chunks as server-sent events, then `[DONE]`.',
    example: CHUNK,
  })
  @ApiErrors('AGENT_NOT_FOUND', 'AGENT_STOPPED', 'CHANNEL_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', ...REPLY_ERRORS)
  @ApiErrorsOfHooks('messagePolicies')
  async create(
    @Body() body: ChatCompletionsBody,
    @FromCaller() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @CreatedId() createdId: string | undefined,
  ): Promise<ChatCompletionView | undefined> {
    const asked = this.requestOf(body, caller, request, createdId);
    const exchange = await this.turns.begin(asked, disconnectSignal(response));
    setExchangeHeaders(response, exchange);
    const head = headOf(exchange, body.model);
    if (body.stream !== true) return presentCompletion(head, await this.responses.collect(exchange, asked));
    const writer = new ChatWriter(head, body.stream_options?.['include_usage'] === true);
    const stream = { request, response, clock: this.clock, channelId: exchange.message.channelId };
    await sendEventStream(stream, () => this.responses.stream(exchange, asked, writer));
    return undefined;
  }

  private requestOf(body: ChatCompletionsBody, caller: Caller, request: HttpRequest, createdId: string | undefined): ProtocolRequest {
    const { messages, instructions } = readChatMessages(body.messages);
    const options = readChatOptions(body);
    const agent = this.models.requireRunning(caller, body.model);
    this.turns.assertFormat(agent, options.options, 'response_format');
    return {
      protocol: 'openai',
      ...{ caller, agent, messages },
      user: body.user ?? body.safety_identifier ?? undefined,
      conversation: request.get('x-conversation-id') || undefined,
      turn: { ...options, ...(instructions !== undefined && { instructions }) },
      isStored: body.store !== false,
      ...(body.metadata && { metadata: body.metadata }),
      repetition: repetitionOf(request, createdId),
    };
  }
}
