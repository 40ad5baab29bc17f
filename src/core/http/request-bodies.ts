import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, Module } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { ArrivingBody, setArrivingBody } from './arriving-body.js';
import { BodyMemory, type BodyReservation } from './body-memory.js';
import type { HttpRequest, HttpResponse } from './express.js';
import { readJsonBody } from './json-body.js';
import { MAX_VALUES } from './json-values.js';

/** How long the rest of a body is discarded after the response, so that a client that is still sending can read it. */
const LINGER_MS = 5000;

type Step = (request: HttpRequest) => Promise<void> | undefined;

/**
 * Bodies of requests. A body is read when the request is admitted, within limits of memory and time. When the response is sent before, the
 * rest is discarded for a moment, and then the connection is closed.
 */
@Injectable()
export class RequestBodies {
  private afterwards: Step = () => undefined;

  constructor(
    private readonly memory: BodyMemory,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'bodyLimitBytes' | 'bodyTimeoutMs'>,
  ) {}

  /** Middleware for every request: prepares its body and reads nothing. */
  prepare(request: HttpRequest, response: HttpResponse, next: () => void): void {
    const { headers } = request;
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
      this.accept(request, response, request.ip ?? '');
      response.prependOnceListener('finish', () => this.discardRest(request, response));
    }
    next();
  }

  /** As `prepare`, for requests that Express does not handle. Their memory is free when the response closes. */
  accept(request: IncomingMessage, response: ServerResponse, address: string): ArrivingBody {
    const expectsContinue = request.headers.expect?.toLowerCase() === '100-continue';
    const begin = (): void => {
      if (expectsContinue && !response.headersSent) response.writeContinue();
    };
    const body = new ArrivingBody(request, this.memory.reserve(address), this.clock, this.config.bodyTimeoutMs, begin);
    setArrivingBody(request, body);
    response.once('close', () => body.close());
    return body;
  }

  /** Opens a reservation for what a client sends otherwise, before it is known. */
  reserve(address: string): BodyReservation {
    return this.memory.reserve(address);
  }

  /** @param step called for each request after its body has been read, or when it has none */
  whenReceived(step: Step): void {
    this.afterwards = step;
  }

  /**
   * Reads the JSON body of an admitted request, once. Other bodies stay unread, for the operation.
   *
   * @param most values in its lists and objects
   * @param atLeast a limit for its size that a lower BODY_LIMIT_BYTES does not lower, bytes
   * @returns a promise only when there is something to wait for
   * @throws as `readJsonBody`
   */
  receive(request: HttpRequest, most = MAX_VALUES, atLeast = 0): Promise<void> | undefined {
    const reading = readJsonBody(request, Math.max(this.config.bodyLimitBytes, atLeast), most);
    return reading === undefined ? this.afterwards(request) : reading.then(() => this.afterwards(request));
  }

  private discardRest(request: HttpRequest, response: HttpResponse & { _last?: boolean }): void {
    if (request.complete) return;
    const { socket } = request;
    // Node would close the connection now, and the client could lose the response over what it is still sending.
    const closes = response._last === true;
    response._last = false;
    request.resume();
    const cancel = this.clock.after(LINGER_MS, () => socket.destroy());
    request.once('close', () => {
      cancel();
      if (closes) socket.destroySoon();
    });
  }
}

@Module({ providers: [BodyMemory, RequestBodies], exports: [BodyMemory, RequestBodies] })
export class RequestBodiesModule {}
