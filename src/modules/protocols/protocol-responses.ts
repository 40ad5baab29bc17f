import { Injectable } from '@nestjs/common';
import { AppError, errorBody, type ErrorBody, type ErrorCode } from '../../core/errors/index.js';
import { OPENED, type StreamEvent } from '../../core/http/index.js';
import type { Polled } from '../../core/iteration/index.js';
import type { Cursor } from '../../core/journal/index.js';
import { TokenMeter } from '../../providers/models/index.js';
import { ChannelsService, type Citation, type ReplyChange, type ReplyEvent, type ReplyGap } from '../messaging/index.js';
import { CallerTools, type SentCall } from '../turns/index.js';
import type { Exchange } from './exchange.js';
import type { ProtocolRequest } from './protocol-request.js';
import { PROTOCOL_METRICS } from './protocols.metrics.js';
import { ResponsePart, type PartEnd, type PartEvent } from './response-part.js';

/** The end of a response. */
export interface FinalResponse {
  /** The text of the reply; of one that waits for the caller, what the model said before its calls. */
  readonly text: string;
  /** Why the model stopped. */
  readonly reason: 'stop' | 'length' | 'content-filter' | 'tool-calls';
  /** Calls that the caller is to run. */
  readonly calls: readonly SentCall[];
  readonly citations: readonly Citation[];
  /** Tokens, as the service counted them, or estimated. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  /** Behind the end. */
  readonly cursor: Cursor | undefined;
}

/** Writes the events of a response in the form of a protocol. */
export interface ResponseWriter {
  begin(): readonly StreamEvent[];
  /** Takes what happens to the reply as it is, also before the part of the reply that answers the request; before `take`. */
  change?(change: ReplyChange, cursor: Cursor | undefined): readonly StreamEvent[];
  /** @returns undefined for a reset that the protocol cannot express: the stream ends with an error, and a repeated request gets the reply */
  take(event: PartEvent): readonly StreamEvent[] | undefined;
  end(final: FinalResponse): readonly StreamEvent[] | Promise<readonly StreamEvent[]>;
  fail(error: ErrorBody, cursor: Cursor | undefined): readonly StreamEvent[] | Promise<readonly StreamEvent[]>;
}

/** Tells callers of protocols what happens to a reply. */
@Injectable()
export class ProtocolResponses {
  constructor(
    private readonly callers: CallerTools,
    private readonly channels: ChannelsService,
    private readonly meter: TokenMeter,
  ) {}

  /** The events of a response, for `sendEventStream`. Failures are events too. */
  async *stream(
    exchange: Exchange,
    request: ProtocolRequest,
    writer: ResponseWriter,
  ): AsyncGenerator<StreamEvent | Polled<StreamEvent>, void> {
    const part = new ResponsePart(exchange.from);
    try {
      const opening = writer.begin();
      // A client that goes on may have all that happened so far.
      if (opening.length === 0) yield OPENED;
      yield* opening;
      yield* pastEvents(exchange, part, writer);
      if (!part.end && isPolled(exchange.events)) yield written(exchange.events, part, writer);
      else if (!part.end) {
        for await (const event of exchange.events) {
          yield* write(part, event, writer);
          if (part.end) break;
        }
      }
      if (!part.end) return;
      if (part.end.kind === 'failed') yield* idsAtLast(await writer.fail(part.end.error, part.end.cursor));
      else yield* idsAtLast(await writer.end(await this.finalOf(part, part.end, exchange, request)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      yield* await writer.fail(errorBody(error), undefined);
    } finally {
      await this.close(exchange, request, part.end);
    }
  }

  /**
   * Waits for the end of a response.
   *
   * @param atEnd called with the response before what is not to be kept is deleted
   * @throws AppError with the code of the failed reply
   */
  async collect(
    exchange: Exchange,
    request: ProtocolRequest,
    onEvent: (event: PartEvent) => void = () => undefined,
    atEnd: (final: FinalResponse) => Promise<void> = () => Promise.resolve(),
  ): Promise<FinalResponse> {
    const part = new ResponsePart(exchange.from);
    try {
      part.takePast(exchange.past ?? []).forEach(onEvent);
      if (!part.end) {
        for await (const event of exchange.events) {
          part.take(event).forEach(onEvent);
          if (part.end) break;
        }
      }
      if (!part.end) throw new AppError('TURN_TIMEOUT', 'The reply was not ready in time; it is still pending.');
      if (part.end.kind === 'failed') {
        const { code, message, details } = part.end.error;
        throw new AppError(code as ErrorCode, message, details);
      }
      const final = await this.finalOf(part, part.end, exchange, request);
      await atEnd(final);
      return final;
    } finally {
      await this.close(exchange, request, part.end);
    }
  }

  private async finalOf(
    part: ResponsePart,
    end: Exclude<PartEnd, { kind: 'failed' }>,
    { message, agentId }: Exchange,
    request: ProtocolRequest,
  ): Promise<FinalResponse> {
    const key = { messageId: message.id, agentId };
    const { calls, inputTokens, outputTokens } = await this.callers.stateOf(key, end.kind === 'suspended' ? end.calls : []);
    const text = end.kind === 'suspended' ? part.told : (end.change.content?.text ?? '');
    const written = [text, ...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)].join('\n');
    return {
      ...{ text, calls, cursor: end.cursor },
      reason: end.kind === 'suspended' ? 'tool-calls' : reasonOf(end.change.content === null, end.change.reason, request),
      citations: end.kind === 'suspended' ? [] : end.change.citations,
      usage: { inputTokens: inputTokens ?? this.estimate(request), outputTokens: outputTokens ?? this.meter.count(written) },
    };
  }

  private estimate({ messages, turn }: ProtocolRequest): number {
    return [turn.instructions ?? '', ...messages.map(({ text }) => text)].reduce((sum, text) => sum + this.meter.count(text), 0);
  }

  private async close(exchange: Exchange, { protocol }: ProtocolRequest, end: PartEnd | undefined): Promise<void> {
    exchange.end();
    const outcome = end === undefined ? 'disconnected' : end.kind === 'suspended' ? 'tool_calls' : end.kind;
    PROTOCOL_METRICS.responses.with({ protocol, outcome }).add();
    await this.discard(exchange, end);
  }

  /** Nothing is kept of a conversation that the caller does not want stored. What remains after a crash is deleted later. */
  private async discard({ forgets, message }: Exchange, end: PartEnd | undefined): Promise<void> {
    const isOver = end?.kind === 'completed' || (end?.kind === 'failed' && end.error !== VOID);
    if (forgets && isOver) await this.channels.discard(message.channelId);
  }
}

function reasonOf(isSilent: boolean, reason: string | null, { turn }: ProtocolRequest): FinalResponse['reason'] {
  if (reason === 'length' || reason === 'content-filter') return reason;
  return isSilent && turn.options.maxOutputTokens !== undefined ? 'length' : 'stop';
}

/**
 * Several events of a protocol may have one cursor, which is behind all of them: only the last one has it, so that a client whose stream was cut
 * between them gets all of them again.
 *
 * @param following the cursor of the events that follow
 */
function idsAtLast(events: readonly StreamEvent[], following?: Cursor): StreamEvent[] {
  let next: StreamEvent['id'] = following;
  return events
    .toReversed()
    .map((event) => {
      const { id, ...others } = event;
      if (id === undefined) return event;
      if (id === next) return others;
      next = id;
      return event;
    })
    .toReversed();
}

/** The writer's events of what happened before the first event. */
function pastEvents({ past = [] }: Exchange, part: ResponsePart, writer: ResponseWriter): StreamEvent[] {
  const told = past.flatMap(({ change, ...event }) =>
    change && writer.change ? writer.change(change, 'cursor' in event ? event.cursor : undefined) : [],
  );
  const taken = part.takePast(past).flatMap((event) => writer.take(event) ?? []);
  return idsAtLast([...told, ...taken], part.end?.cursor);
}

type Events = Exchange['events'];
type PolledEvents = Events & Polled<ReplyEvent | ReplyGap>;

function isPolled(events: Events): events is PolledEvents {
  return 'poll' in events;
}

function write(part: ResponsePart, event: ReplyEvent | ReplyGap, writer: ResponseWriter): StreamEvent[] {
  const taken = part.take(event);
  const events = event.change && writer.change ? [...writer.change(event.change, event.cursor)] : [];
  for (const each of taken) {
    const told = writer.take(each);
    if (told === undefined) {
      part.end = { kind: 'failed', error: VOID, cursor: undefined };
      break;
    }
    events.push(...told);
  }
  return idsAtLast(events, part.end?.cursor);
}

/** The events before the end, without waiting between those that are there. */
function written(events: PolledEvents, part: ResponsePart, writer: ResponseWriter): Polled<StreamEvent> {
  const ready: StreamEvent[] = [];
  return {
    poll() {
      while (ready.length === 0 && !part.end) {
        const event = events.poll();
        if (event === undefined) return undefined;
        ready.push(...write(part, event, writer));
      }
      return ready.shift();
    },
    wait: () => (part.end ? Promise.resolve() : events.wait()),
    get hasEnded() {
      return ready.length === 0 && (part.end !== undefined || events.hasEnded);
    },
  };
}

const VOID: ErrorBody = {
  code: 'TURN_FAILED',
  message: 'The server that wrote this reply stopped, and another one began it again.',
  details: 'Repeat the request with the same Idempotency-Key, or as a retry: it gets the reply.',
};
