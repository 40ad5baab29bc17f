import { createHash } from 'node:crypto';
import { createParamDecorator, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AppError } from '../errors/index.js';
import { onceForOperation, ResponseSent, callerOf, type HttpRequest, type HttpResponse } from '../http/index.js';
import { InstallationIds } from '../ids/index.js';
import { IdempotencyService, type IdempotentAttempt, type StoredResponse } from './idempotency.service.js';

const KEY = /^[\x20-\x7e]{1,255}$/;
// RFC 9562 section 5.4: 122 random bits, which cannot be guessed. Other versions are derived from a name or a time.
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const POSITION = 'X-Parley-Position';
const IDEMPOTENT = Symbol('idempotent');

interface Marked {
  [IDEMPOTENT]?: { readonly createdId: string; readonly attempt?: IdempotentAttempt };
}

/**
 * Parameter decorator: id for the resource that the request creates, the same for each attempt with one Idempotency-Key, undefined without
 * a key. An operation that uses it must be repeatable: a second attempt with the same id makes no further change and has the same result.
 */
export const CreatedId = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const marked = context.switchToHttp().getRequest<HttpRequest & Marked>()[IDEMPOTENT];
  marked?.attempt?.markRepeatable();
  return marked?.createdId;
});

const JOINS = 'parley:joins-repetitions';

/**
 * For an operation that recognises a repeated request itself, by `CreatedId`: repetitions reach it, also while the first is in progress, and
 * get what the first gets. It compares the requests, and refuses another one with IDEMPOTENCY_KEY_REUSED.
 */
export const JoinsRepetitions = (): MethodDecorator => SetMetadata(JOINS, true);

const joins = onceForOperation((handler) => Reflect.getMetadata(JOINS, handler) === true);

/** Runs after the access guard, for every POST with an Idempotency-Key. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly ids: InstallationIds,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<HttpRequest & Marked>();
    const key = request.method === 'POST' ? request.get('idempotency-key') : undefined;
    if (key === undefined) return true;
    assertKey(key);
    if (!joins(context)) return this.begin(request, context.switchToHttp().getResponse<HttpResponse>(), key);
    const { id, known } = this.identify(request, key);
    if (known) request[IDEMPOTENT] = { createdId: this.ids.of('created by a request', [id]) };
    return true;
  }

  private async begin(request: HttpRequest & Marked, response: HttpResponse, key: string): Promise<true> {
    const { id, known } = this.identify(request, key);
    const attempt = await (known ? this.idempotency.begin(id, fingerprintOf(request)) : this.idempotency.beginOnce(id));
    if ('status' in attempt) replay(response, attempt);
    if (known) request[IDEMPOTENT] = { createdId: this.ids.of('created by a request', [id]), attempt };
    storeResponseOf(response, attempt);
    return true;
  }

  /** Without a credential, only an unguessable key identifies the caller (decision 13). */
  private identify(request: HttpRequest, key: string): { readonly id: string; readonly known: boolean } {
    const { id: who, scope } = callerOf(request);
    return { id: hashOf(who, request.originalUrl, key), known: scope !== undefined || RANDOM_UUID.test(key) };
  }
}

/** @throws AppError VALIDATION_ERROR */
function assertKey(key: string): void {
  if (!KEY.test(key)) {
    throw new AppError(
      'VALIDATION_ERROR',
      'Idempotency-Key must be 1 to 255 printable ASCII characters',
      'Use a random UUID for each request.',
    );
  }
}

/** Stores the response before it is sent. A stream is not stored: a retry reads its events from the journal. */
function storeResponseOf(response: HttpResponse, attempt: IdempotentAttempt): void {
  const end = response.end.bind(response) as (...rest: unknown[]) => HttpResponse;
  response.end = (chunk?: unknown, ...rest: unknown[]) => {
    // A second response must not overtake the one that is being stored.
    response.end = () => response;
    const body = typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.from(chunk as string).toString('base64') : '';
    const [contentType, position] = [response.get('content-type'), response.get(POSITION)];
    const headers = { ...(contentType ? { contentType } : {}), ...(position ? { position } : {}) };
    const stored = response.headersSent ? undefined : { status: response.statusCode, body, ...headers };
    void attempt.end(stored).then(() => end(chunk, ...rest));
    return response;
  };
}

function replay(response: HttpResponse, { status, contentType, position, body }: StoredResponse): never {
  response.status(status).set('Idempotency-Replayed', 'true');
  if (contentType !== undefined) response.set('Content-Type', contentType);
  if (position !== undefined) response.set(POSITION, position);
  response.end(Buffer.from(body, 'base64'));
  throw new ResponseSent();
}

/** Hash of the body. For a body that is read later, such as an upload, hash of its type and length. */
function fingerprintOf(request: HttpRequest): string {
  const { rawBody } = request as { rawBody?: Buffer };
  if (rawBody) return createHash('sha256').update(rawBody).digest('hex');
  const [type = ''] = (request.get('content-type') ?? '').split(';');
  return hashOf(type, request.get('content-length') ?? '');
}

function hashOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
