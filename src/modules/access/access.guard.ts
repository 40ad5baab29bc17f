import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import {
  ACCESS,
  AGENT_FIELD,
  ALLOW_BODIES_OF,
  ALLOW_RESTRICTED,
  originNotAllowed,
  ALLOW_SCOPED_TOKENS,
  ALLOW_USER_TOKENS,
  isCrossSite,
  MAX_ANONYMOUS_VALUES,
  MAX_VALUES,
  onceForOperation,
  RequestBodies,
  setCaller,
  setHoldAccess,
  type Access,
  type Caller,
  type HttpRequest,
  type HttpResponse,
  type ScopeName,
} from '../../core/http/index.js';
import { AccessService } from './access.service.js';
import { ANONYMOUS, OPEN_ACCESS } from './callers.js';
import { credentialsOf } from './credentials.js';
import { OpenConnections, type HeldRequest } from './open-connections.js';
import { RateLimits, type RateLimitKind } from './limits/rate-limits.js';

/** What the decorators of an operation declare. */
interface Rules {
  readonly access: Access | undefined;
  readonly forLimited: boolean;
  readonly inSession: boolean;
  readonly forUsers: boolean;
  /** Size that its body may have in any case, bytes. */
  readonly bodyBytes: number | undefined;
  /** The field of the body with an agent that the operation checks itself. */
  readonly agentField: string | undefined;
}

/** Checks access to every HTTP operation, and has its body read in between. The decorators of `core/http` declare what an operation requires. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly access: AccessService,
    private readonly connections: OpenConnections,
    private readonly limits: RateLimits,
    private readonly bodies: RequestBodies,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    // A GET with side effects: any web page can make a browser send it.
    if (reads(request.method) && isCrossSite(this.config, request.headers) && rulesOf(context).access === 'write') {
      throw originNotAllowed();
    }
    if (!this.access.isRequired && !this.limits.enabled) {
      setCaller(request, OPEN_ACCESS);
      this.hold(OPEN_ACCESS, rulesOf(context), request);
      const received = this.bodies.receive(request, undefined, rulesOf(context).bodyBytes);
      return received === undefined ? true : received.then(() => true as const);
    }
    const caller = this.access.identify(credentialsOf(request));
    return caller instanceof Promise ? caller.then((known) => this.admit(known, context, request)) : this.admit(caller, context, request);
  }

  private admit(known: Caller, context: ExecutionContext, request: HttpRequest): true | Promise<true> {
    const rules = rulesOf(context);
    const rule = rules.access;
    // A session must not lead to further ones, which would escape the limits and the end of what is behind it.
    const caller = rule === 'session-start' && known.session && this.access.sessionStartIsOpen ? ANONYMOUS : known;
    setCaller(request, caller);
    const response = context.switchToHttp().getResponse<HttpResponse>();
    const limited = rule === 'public' ? undefined : this.limit(caller, rule, request, response);
    if (limited instanceof Promise) return limited.then(() => this.checkCredential(caller, rules, request, response));
    return this.checkCredential(caller, rules, request, response);
  }

  /** Before the body is read, which may name what else the caller may reach. */
  private checkCredential(caller: Caller, rules: Rules, request: HttpRequest, response: HttpResponse): true | Promise<true> {
    if (this.access.isRequired) {
      this.access.checkCredential(caller, {
        scope: this.scopeOf(rules.access, request.method),
        sessionStart: rules.access === 'session-start',
      });
    }
    const received = this.bodies.receive(request, caller.scope === undefined ? MAX_ANONYMOUS_VALUES : MAX_VALUES, rules.bodyBytes);
    if (received === undefined) return this.check(caller, rules, request, response);
    return received.then(() => this.check(caller, rules, request, response));
  }

  private limit(caller: Caller, rule: Access | undefined, request: HttpRequest, response: HttpResponse): void | Promise<void> {
    const consume = (kind: RateLimitKind): void | Promise<void> => this.limits.consume(kind, caller, request.ip ?? '', response);
    const startsAnonymously = rule === 'session-start' && caller.scope === undefined;
    if (caller.refusal !== undefined) {
      const limited = consume('credentials');
      return startsAnonymously && limited ? limited.then(() => consume('sessions')) : limited;
    }
    if (startsAnonymously) return consume('sessions');
    return consume(request.method === 'POST' && request.is('multipart/form-data') ? 'uploads' : 'requests');
  }

  private check(caller: Caller, rules: Rules, request: HttpRequest, response: HttpResponse): true | Promise<true> {
    this.hold(caller, rules, request);
    if (!this.access.isRequired) return true;
    const checked = this.access.check(caller, {
      ...this.required(rules, request),
      sessionStart: rules.access === 'session-start',
      inputs: [request.query, without(request.body, rules.agentField), { 'x-entity-id': request.get('x-entity-id') }],
    });
    response.once(
      'close',
      this.connections.track(caller, () => response.destroy()),
    );
    return checked instanceof Promise ? checked.then(() => true as const) : true;
  }

  private hold(caller: Caller, rules: Rules, request: HttpRequest): void {
    setHoldAccess(request, (channelId, params = request.params) =>
      this.connections.hold(caller, { ...this.required(rules, request), params }, channelId),
    );
  }

  private required({ access: rule, forLimited, inSession, forUsers }: Rules, { method, params }: HttpRequest): HeldRequest {
    return { scope: this.scopeOf(rule, method), forLimited, inSession, forUsers, params };
  }

  private scopeOf(rule: Access | undefined, method: string): ScopeName | undefined {
    if (rule === 'public' || (rule === 'session-start' && this.access.sessionStartIsOpen)) return undefined;
    if (rule === undefined || rule === 'session-start') return reads(method) ? 'read' : 'write';
    return rule;
  }
}

function without(body: unknown, field: string | undefined): unknown {
  if (field === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { [field]: _, ...rest } = body as Record<string, unknown>;
  return rest;
}

function reads(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const rulesOf = onceForOperation((handler, controller): Rules => {
  const read = (name: string): unknown => Reflect.getMetadata(name, handler) ?? Reflect.getMetadata(name, controller);
  return {
    access: read(ACCESS) as Access | undefined,
    forLimited: read(ALLOW_RESTRICTED) === true,
    inSession: read(ALLOW_SCOPED_TOKENS) === true,
    forUsers: read(ALLOW_USER_TOKENS) === true,
    bodyBytes: read(ALLOW_BODIES_OF) as number | undefined,
    agentField: read(AGENT_FIELD) as string | undefined,
  };
});
