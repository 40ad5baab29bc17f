import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import {
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
  Scope,
  sendEventStream,
  type Caller,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { CreatedId, JoinsRepetitions } from '../../core/idempotency/index.js';
import { REPLY_ERRORS } from '../../modules/messaging/index.js';
import {
  AgentModels,
  ForProtocol,
  KnownFields,
  onlyFields,
  ProtocolResponses,
  ProtocolTurns,
  repetitionOf,
  setExchangeHeaders,
  textAt,
  type ProtocolRequest,
} from '../../modules/protocols/index.js';
import { TokenMeter } from '../../providers/models/index.js';
import { AnthropicErrors } from './anthropic-errors.js';
import { AnthropicVersionGuard } from './anthropic-version.js';
import { readConversation } from './conversation.js';
import { inputTokens } from './input-tokens.js';
import {
  AnthropicCountBody,
  AnthropicEventView,
  AnthropicMessagesBody,
  AnthropicTokensView,
  type AnthropicMessageView,
} from './messages.dto.js';
import { readInputOptions, readMessagesOptions } from './messages-options.js';
import { headOf, MessagesWriter, presentMessage, Thoughts } from './messages-writer.js';

const DELTA = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Sencha.' } };

@Controller('v1/messages')
@UseGuards(AnthropicVersionGuard)
@ForProtocol('anthropic')
@AnthropicErrors()
@NoEnvelope()
@AllowRestricted()
@AllowUserTokens()
export class AnthropicMessagesController {
  constructor(
    private readonly models: AgentModels,
    private readonly turns: ProtocolTurns,
    private readonly responses: ProtocolResponses,
    private readonly meter: TokenMeter,
    private readonly clock: Clock,
  ) {}

  /** Lets an agent reply to a conversation. With `stream`, the response is server-sent events. */
  @Post()
  @HttpCode(200)
  @ChecksAgentOf('model')
  @JoinsRepetitions()
  @KnownFields(AnthropicMessagesBody)
  @ApiResponses({
    ...EVENT_STREAM,
    body: AnthropicEventView,
    about: 'With `stream`: the events of a message, as server-sent events.',
    example: DELTA,
  })
  @ApiErrors(
    'AGENT_NOT_FOUND',
    'AGENT_STOPPED',
    'CHANNEL_NOT_FOUND',
    'IDEMPOTENCY_KEY_REUSED',
    'THREAD_UNSUPPORTED_REQUEST',
    ...REPLY_ERRORS,
  )
  @ApiErrorsOfHooks('messagePolicies')
  async create(
    @Body() body: AnthropicMessagesBody,
    @FromCaller() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @CreatedId() createdId: string | undefined,
  ): Promise<AnthropicMessageView | undefined> {
    const asked = this.requestOf(body, caller, request, createdId);
    const exchange = await this.turns.begin(asked, disconnectSignal(response));
    setExchangeHeaders(response, exchange);
    const head = headOf(exchange, body.model, inputTokens(this.meter, asked));
    if (body.stream !== true) {
      const thoughts = new Thoughts();
      const final = await this.responses.collect(exchange, asked, (event) => thoughts.take(event));
      return presentMessage(head, final, asked.hearsReasoning === true ? thoughts.blocks : []);
    }
    const writer = new MessagesWriter(head, asked.hearsReasoning === true);
    const stream = { request, response, clock: this.clock, channelId: exchange.message.channelId };
    await sendEventStream(stream, () => this.responses.stream(exchange, asked, writer));
    return undefined;
  }

  /** Estimates the tokens of a request. Nothing is stored, and no model is called. */
  @Post('count_tokens')
  @HttpCode(200)
  @Scope('read')
  @ChecksAgentOf('model')
  @KnownFields(AnthropicCountBody)
  @ApiErrors('AGENT_NOT_FOUND')
  count(@Body() body: AnthropicCountBody, @FromCaller() caller: Caller): AnthropicTokensView {
    const { messages, instructions } = readConversation(body.messages, body.system);
    const { turn } = readInputOptions(body);
    this.models.require(caller, body.model);
    return { input_tokens: inputTokens(this.meter, { messages, turn: { ...turn, ...(instructions !== undefined && { instructions }) } }) };
  }

  private requestOf(body: AnthropicMessagesBody, caller: Caller, request: HttpRequest, createdId: string | undefined): ProtocolRequest {
    if (body.thread) {
      throw new AppError('THREAD_UNSUPPORTED_REQUEST', 'thread is not supported here.', 'Send the whole conversation without thread.');
    }
    const { messages, instructions } = readConversation(body.messages, body.system);
    const { turn, hearsReasoning } = readMessagesOptions(body);
    const user = body.metadata ? userOf(body.metadata) : undefined;
    const agent = this.models.requireRunning(caller, body.model);
    this.turns.assertFormat(agent, turn.options, 'output_config.format');
    return {
      protocol: 'anthropic',
      ...{ caller, agent, messages, user, hearsReasoning },
      conversation: request.get('x-conversation-id') || undefined,
      turn: { ...turn, ...(instructions !== undefined && { instructions }) },
      isStored: true,
      repetition: repetitionOf(request, createdId),
    };
  }
}

function userOf({ user_id: user, ...rest }: Readonly<Record<string, unknown>>): string | undefined {
  onlyFields(rest, 'metadata', ['user_id']);
  return user === undefined || user === null ? undefined : textAt(user, 'metadata.user_id');
}
