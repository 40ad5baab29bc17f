import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
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
  sendEventStream,
  type Caller,
  type HttpRequest,
  type HttpResponse,
} from '../../core/http/index.js';
import { CreatedId, JoinsRepetitions } from '../../core/idempotency/index.js';
import { REPLY_ERRORS } from '../../modules/messaging/index.js';
import {
  ForProtocol,
  KnownFields,
  ProtocolResponses,
  ProtocolTurns,
  refuseField,
  setExchangeHeaders,
  StoredExchanges,
  type Exchange,
  type ProtocolRequest,
} from '../../modules/protocols/index.js';
import { pageOf, presentMessage, presentOutputs } from './input-items.js';
import { OpenAiErrors } from './openai-errors.js';
import { partBefore } from './response-state.js';
import { ResponseRequests } from './response-requests.js';
import {
  ItemListView,
  ItemsQuery,
  ResponseEventView,
  ResponseQuery,
  ResponsesBody,
  ResponseView,
  type DeletedResponseView,
} from './responses.dto.js';
import { ResponsesWriter } from './responses-writer.js';
import { StoredResponses, type StoredResponse } from './stored-responses.js';

const DELTA = {
  type: 'response.output_text.delta',
  sequence_number: 2_097_160,
  item_id: 'msg_3f2504e04f8941d39a0c0305e82c3301',
  output_index: 0,
  content_index: 0,
  delta: 'Sencha.',
  logprobs: [],
};
const EVENTS = {
  ...EVENT_STREAM,
  body: ResponseEventView,
  about: 'With `stream`: events as server-sent events, then `[DONE]`.',
  example: DELTA,
};
/** A response in the background goes on without its client. */
const NEVER = new AbortController().signal;

@Controller('v1/responses')
@ForProtocol('openai')
@OpenAiErrors()
@NoEnvelope()
export class OpenAiResponsesController {
  constructor(
    private readonly requests: ResponseRequests,
    private readonly stored: StoredResponses,
    private readonly exchanges: StoredExchanges,
    private readonly turns: ProtocolTurns,
    private readonly responses: ProtocolResponses,
    private readonly clock: Clock,
  ) {}

  /** Lets an agent respond to a message, or go on with the outputs of functions. With `stream`, the response is server-sent events. */
  @Post()
  @HttpCode(200)
  @AllowRestricted()
  @AllowUserTokens()
  @ChecksAgentOf('model')
  @JoinsRepetitions()
  @KnownFields(ResponsesBody)
  @ApiResponses(EVENTS)
  @ApiErrors(
    'AGENT_NOT_FOUND',
    'AGENT_STOPPED',
    'CHANNEL_NOT_FOUND',
    'CONVERSATION_NOT_FOUND',
    'IDEMPOTENCY_KEY_REUSED',
    'PREVIOUS_RESPONSE_NOT_FOUND',
    ...REPLY_ERRORS,
  )
  @ApiErrorsOfHooks('messagePolicies')
  async create(
    @Body() body: ResponsesBody,
    @FromCaller() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
    @CreatedId() createdId: string | undefined,
  ): Promise<ResponseView | undefined> {
    const { asked, settings } = await this.requests.read(body, caller, request, createdId);
    const isAwaited = body.background !== true || body.stream === true;
    const exchange = await this.turns.begin(asked, isAwaited ? disconnectSignal(response) : NEVER);
    setExchangeHeaders(response, exchange);
    const read = (): ReturnType<StoredExchanges['read']> => this.exchanges.read(exchange.message, asked.agent);
    const writer = new ResponsesWriter({ exchange, settings, read });
    if (!isAwaited) {
      exchange.end();
      return this.begun(exchange, caller, settings);
    }
    if (body.stream === true) return this.send(request, response, exchange, asked, writer);
    let view: ResponseView | undefined;
    await this.responses.collect(exchange, asked, undefined, async (final) => {
      view = await writer.view(final);
    });
    return view;
  }

  /** Returns a response as far as it has come. With `stream`, its events, those behind `starting_after`. */
  @Get(':responseId')
  @AllowRestricted()
  @AllowUserTokens()
  @ApiResponses(EVENTS)
  @ApiErrors('RESPONSE_NOT_FOUND')
  async read(
    @Param('responseId') id: string,
    @Query() query: ResponseQuery,
    @FromCaller() caller: Caller,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ResponseView | undefined> {
    const found = await this.stored.require(caller, id);
    const after = query.starting_after;
    if (query.stream !== 'true') {
      if (after !== undefined) refuseField('starting_after', 'must be left out without stream');
      return this.stored.present(found);
    }
    const { stored, part, settings } = found;
    const exchange = this.exchanges.follow(stored, part, disconnectSignal(response));
    const read = (): ReturnType<StoredExchanges['read']> => this.exchanges.read(stored.message, stored.agent);
    const writer = new ResponsesWriter({
      ...{ exchange, settings, read, stored },
      after: after === undefined ? undefined : Number(after),
    });
    return this.send(request, response, exchange, this.askedAgain(found, caller), writer);
  }

  /** Stops a response that has not ended, in the background or not. The text until then is kept. */
  @Post(':responseId/cancel')
  @HttpCode(200)
  @AllowRestricted()
  @AllowUserTokens()
  @ApiErrors('RESPONSE_NOT_FOUND')
  async cancel(@Param('responseId') id: string, @FromCaller() caller: Caller): Promise<ResponseView> {
    const { stored, state } = await this.stored.require(caller, id);
    if (state.status === 'queued' || state.status === 'in_progress') await this.exchanges.cancel(stored);
    return this.stored.present(await this.stored.require(caller, id));
  }

  /** Deletes the message of a response and the whole reply to it, which may be several responses. */
  @Delete(':responseId')
  @AllowRestricted()
  @AllowUserTokens()
  @ApiErrors('RESPONSE_NOT_FOUND')
  async delete(@Param('responseId') id: string, @FromCaller() caller: Caller): Promise<DeletedResponseView> {
    await this.exchanges.delete((await this.stored.require(caller, id)).stored);
    return { id, object: 'response', deleted: true };
  }

  /** Lists what the request of a response sent. */
  @Get(':responseId/input_items')
  @AllowRestricted()
  @AllowUserTokens()
  @ApiErrors('RESPONSE_NOT_FOUND')
  async inputItems(@Param('responseId') id: string, @Query() query: ItemsQuery, @FromCaller() caller: Caller): Promise<ItemListView> {
    const found = await this.stored.require(caller, id);
    const { stored, part } = found;
    if (part === undefined) return pageOf((await this.stored.inputOf(found)).map(presentMessage), query);
    const { rounds } = stored.record;
    const answered = rounds.filter(({ step }) => step < part && step >= (partBefore(rounds, part) ?? 0));
    return pageOf(
      answered.flatMap((round) => presentOutputs(stored.message.id, round)),
      query,
    );
  }

  private async send(
    request: HttpRequest,
    response: HttpResponse,
    exchange: Exchange,
    asked: ProtocolRequest,
    writer: ResponsesWriter,
  ): Promise<undefined> {
    const stream = { request, response, clock: this.clock, channelId: exchange.message.channelId };
    await sendEventStream(stream, () => this.responses.stream(exchange, asked, writer));
  }

  /** A response in the background, as it is now. */
  private async begun({ message, from }: Exchange, caller: Caller, settings: StoredResponse['settings']): Promise<ResponseView> {
    const found = await this.stored.require(caller, this.requests.idOf(message, from.step));
    return this.stored.present({ ...found, settings });
  }

  /** The request of a stored response, as far as its stream needs it. */
  private askedAgain({ stored: { message, agent }, settings }: StoredResponse, caller: Caller): ProtocolRequest {
    const { max_output_tokens: most } = settings;
    return {
      protocol: 'openai',
      ...{ caller, agent, isStored: true },
      messages: [{ role: 'user', text: message.content }],
      turn: { options: most === null ? {} : { maxOutputTokens: most } },
      repetition: { isRetry: false, body: '' },
    };
  }
}
