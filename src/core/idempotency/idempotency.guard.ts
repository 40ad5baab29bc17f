import { createHash } from 'node:crypto';
import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AppError } from '../errors/index.js';
import { AnswerGiven, callerOf, type HttpRequest, type HttpResponse } from '../http/index.js';
import { InstallationIds } from '../ids/index.js';
import { IdempotencyService, type Begun, type KeptAnswer } from './idempotency.service.js';

const KEY = /^[\x20-\x7e]{1,255}$/;
// RFC 9562 section 5.4: 122 random bits, which cannot be guessed. Other versions follow from a name or a time.
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const IDEMPOTENT = Symbol('idempotent');

interface Marked {
  [IDEMPOTENT]?: { readonly createdId: string; readonly begun: Begun };
}

/**
 * Id for what the request creates: the same for each attempt with one Idempotency-Key, undefined for a request without one.
 * An operation that takes it promises that a second attempt with the same id changes nothing more and answers the same.
 */
export const CreatedId = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const marked = context.switchToHttp().getRequest<HttpRequest & Marked>()[IDEMPOTENT];
  marked?.begun.repeatable();
  return marked?.createdId;
});

/** Stands behind the access guard, before every POST that comes with an Idempotency-Key. */
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
    return key === undefined ? true : this.begin(request, context.switchToHttp().getResponse<HttpResponse>(), key);
  }

  private async begin(request: HttpRequest & Marked, response: HttpResponse, key: string): Promise<true> {
    if (!KEY.test(key)) {
      throw new AppError(
        'VALIDATION_ERROR',
        'Idempotency-Key must be 1 to 255 printable ASCII characters',
        'A UUID for each request is best.',
      );
    }
    const { id: who, scope } = callerOf(request);
    const id = hashOf(who, request.originalUrl, key);
    // Without a credential only a key that no other caller can know shows that it is the same caller (decision 13).
    const known = scope !== undefined || RANDOM_UUID.test(key);
    const begun = await (known ? this.idempotency.begin(id, fingerprintOf(request)) : this.idempotency.beginOnce(id));
    if ('status' in begun) replay(response, begun);
    if (known) request[IDEMPOTENT] = { createdId: this.ids.of('created by a request', [id]), begun };
    endWith(response, begun);
    return true;
  }
}

/** Keeps the answer before it is sent. A stream is not kept: who asks again gets it from where it is stored. */
function endWith(response: HttpResponse, begun: Begun): void {
  const end = response.end.bind(response) as (...rest: unknown[]) => HttpResponse;
  response.end = (chunk?: unknown, ...rest: unknown[]) => {
    response.end = end;
    const body = typeof chunk === 'string' || chunk instanceof Uint8Array ? Buffer.from(chunk as string).toString('base64') : '';
    const contentType = response.get('content-type');
    const answer = response.headersSent ? undefined : { status: response.statusCode, body, ...(contentType ? { contentType } : {}) };
    void begun.end(answer).then(() => end(chunk, ...rest));
    return response;
  };
}

function replay(response: HttpResponse, { status, contentType, body }: KeptAnswer): never {
  response.status(status).set('Idempotency-Replayed', 'true');
  if (contentType !== undefined) response.set('Content-Type', contentType);
  response.end(Buffer.from(body, 'base64'));
  throw new AnswerGiven();
}

/** What was sent. Of a body that is read later, an upload's, its type and length stand for it. */
function fingerprintOf(request: HttpRequest): string {
  const { rawBody } = request as { rawBody?: Buffer };
  if (rawBody) return createHash('sha256').update(rawBody).digest('hex');
  const [type = ''] = (request.get('content-type') ?? '').split(';');
  return hashOf(type, request.get('content-length') ?? '');
}

function hashOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
