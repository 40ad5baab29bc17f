import { AppError } from '../../core/errors/index.js';
import { iterate, type Polled } from '../../core/iteration/index.js';
import { Log } from '../../core/logging/index.js';
import { askService, CallDeadline, StreamError, StatusError, toAttemptFailure, withRetries, type SdkTarget } from '../sdk/index.js';
import type { ChatApi } from './chat-apis.js';
import { ChatModel, type ChatEvent, type ChatFinish, type ChatRequest } from './chat-model.js';
import { EventsBeforeFinish } from './events-before-finish.js';
import { HeldText } from './held-text.js';
import { LimitedCall } from './limited-call.js';
import type { ServiceLimit } from './service-limit.js';
import { ServiceResponse } from './service-response.js';
import { offeredTools, withFormatInWords } from './wire/demands.js';
import { isRefusal, ModelTraits, refusesSchema } from './wire/model-traits.js';

/** A service that refuses one parameter after the other is not followed any further. */
const MAX_LESSONS = 12;

/** A chat model of a service. It learns from the service's refusals which parameters its model takes. */
export class ServiceChatModel extends ChatModel {
  override readonly provider: string;
  override readonly modelId: string;
  override readonly supportsImages: boolean;
  override readonly supportsDocuments: boolean;
  private readonly log = new Log('models');
  private readonly traits = new ModelTraits();

  /** @param limit how many calls of the service run at a time; absent for a call that says nothing about others */
  constructor(
    private readonly target: SdkTarget,
    private readonly api: ChatApi,
    private readonly limit?: ServiceLimit,
  ) {
    super();
    this.provider = target.provider;
    this.modelId = target.modelId;
    this.supportsImages = target.supportsImages === true;
    this.supportsDocuments = target.supportsDocuments === true;
  }

  protected override async *respond(
    request: ChatRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ChatEvent | Polled<ChatEvent>, void, undefined> {
    const limit = new CallDeadline(this.target, [signal]);
    const shares = [request.grounding.agentName, request.caller ?? ''];
    const call = this.limit && new LimitedCall(this.limit, this.target, limit, shares);
    const attempt = (): ReturnType<ServiceChatModel['begin']> => this.begin(request, limit);
    const held = this.traits.thinksFirst ? new HeldText() : undefined;
    let open = true;
    try {
      const { response, first } = await withRetries(this.target, limit, call ? () => call.attempt(attempt) : attempt);
      const events = new EventsBeforeFinish(first, response, signal, this.traits);
      if (held === undefined) yield events;
      else for await (const event of iterate(events)) yield* held.take(event);
      const event = await this.finishOf(events, limit);
      limit.release();
      call?.end(true);
      open = false;
      this.target.watch?.succeeded();
      const text = held?.end() ?? [];
      // A text that had no thought in it says that the model has none any more.
      if (text.length > 0) this.traits.thinksFirst = false;
      yield* text;
      yield event;
    } catch (error) {
      if (held !== undefined && !signal.aborted) yield* held.end();
      if (!signal.aborted && error instanceof AppError) this.target.watch?.failed(error);
      throw error;
    } finally {
      call?.end(false);
      // After a complete answer nothing is open, and an abort is expensive.
      if (open) limit.close();
    }
  }

  override note(message: string, details: string): void {
    this.target.watch?.noticed(message, details);
  }

  /** Asks, and once more for each parameter that the service names in its refusal. */
  private async begin(asked: ChatRequest, limit: CallDeadline): Promise<{ response: ServiceResponse; first: ChatEvent }> {
    let request = asked;
    for (let lessons = 0; ; lessons += 1) {
      const body = this.api.write(request, this.modelId, this.traits);
      limit.restart();
      try {
        const response = await askService(this.api, body, limit.signal);
        const { dialect } = this.api;
        const tools = offeredTools(request, this.traits);
        const stream = new ServiceResponse(response, { dialect, tools }, limit, this.target.clock);
        return { response: stream, first: await stream.next() };
      } catch (error) {
        const other = lessons === MAX_LESSONS ? undefined : this.afterRefusal(error, body, request);
        if (other === undefined) throw error;
        request = other;
      }
    }
  }

  /** The request to ask with after a refusal; undefined when it would be the same. */
  private afterRefusal(error: unknown, body: string, request: ChatRequest): ChatRequest | undefined {
    // Some services refuse a request in an answer with status 200.
    const refusal =
      error instanceof StatusError ? error : error instanceof StreamError ? { status: undefined, body: error.detail } : undefined;
    if (refusal === undefined || !isRefusal(refusal.status)) return undefined;
    const learnt = this.traits.learn(refusal.status, refusal.body, body);
    if (learnt !== undefined) return this.report(learnt, request);
    // Another call may have learnt the same while this one was under way.
    if (this.api.write(request, this.modelId, this.traits) !== body) return request;
    const inWords = refusesSchema(refusal.body) ? withFormatInWords(request) : undefined;
    return inWords && this.report('takes no such schema of the response, so it gets it in words', inWords);
  }

  private report(learnt: string, request: ChatRequest): ChatRequest {
    this.log.info('the model takes requests of another form', { provider: this.provider, model: this.modelId, learnt });
    return request;
  }

  private async finishOf({ finish, failure }: EventsBeforeFinish, limit: CallDeadline): Promise<ChatFinish> {
    limit.signal.throwIfAborted();
    if (finish !== undefined) return finish;
    throw (await toAttemptFailure(failure, this.target)).error;
  }
}
