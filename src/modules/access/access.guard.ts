import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import {
  ACCESS,
  FOR_LIMITED,
  foreignPage,
  IN_SESSION,
  isFromElsewhere,
  setCaller,
  type Access,
  type Caller,
  type HttpRequest,
  type HttpResponse,
  type ScopeName,
} from '../../core/http/index.js';
import { AccessService, EVERYBODY } from './access.service.js';
import { credentialsOf } from './credentials.js';
import { OpenConnections } from './open-connections.js';
import { RateLimits, type Limited } from './rate-limits.js';

/** Stands before every HTTP operation. What an operation needs is written on it by the decorators of `core/http`. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly access: AccessService,
    private readonly connections: OpenConnections,
    private readonly limits: RateLimits,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<HttpRequest>();
    // A GET that changes something: browsers send those for every page that asks them to.
    if (reads(request.method) && isFromElsewhere(this.config, request.headers) && operationRule(context, ACCESS) === 'write') {
      throw foreignPage();
    }
    if (!this.access.required && !this.limits.counting) {
      setCaller(request, EVERYBODY);
      return true;
    }
    const caller = this.access.identify(credentialsOf(request));
    return caller instanceof Promise ? caller.then((known) => this.admit(known, context, request)) : this.admit(caller, context, request);
  }

  private admit(caller: Caller, context: ExecutionContext, request: HttpRequest): true | Promise<true> {
    setCaller(request, caller);
    const rule = operationRule(context, ACCESS) as Access | undefined;
    const response = context.switchToHttp().getResponse<HttpResponse>();
    const limited = rule === 'public' ? undefined : this.limit(caller, rule, request, response);
    if (limited instanceof Promise) return limited.then(() => this.check(caller, rule, context, request, response));
    return this.check(caller, rule, context, request, response);
  }

  private limit(caller: Caller, rule: Access | undefined, request: HttpRequest, response: HttpResponse): void | Promise<void> {
    const take = (what: Limited): void | Promise<void> => this.limits.take(what, caller, request.ip ?? '', response);
    if (caller.refusal !== undefined) return take('credentials');
    if (rule === 'session-start' && caller.scope === undefined) return take('sessions');
    return take(request.method === 'POST' && request.is('multipart/form-data') ? 'uploads' : 'requests');
  }

  private check(
    caller: Caller,
    rule: Access | undefined,
    context: ExecutionContext,
    request: HttpRequest,
    response: HttpResponse,
  ): true | Promise<true> {
    if (!this.access.required) return true;
    const checked = this.access.check(caller, {
      scope: this.scopeOf(rule, request.method),
      forLimited: operationRule(context, FOR_LIMITED) === true,
      inSession: operationRule(context, IN_SESSION) === true,
      sessionStart: rule === 'session-start',
      params: request.params,
      named: [request.query, request.body, { 'x-entity-id': request.get('x-entity-id') }],
    });
    response.once(
      'close',
      this.connections.hold(caller, () => response.destroy()),
    );
    return checked instanceof Promise ? checked.then(() => true as const) : true;
  }

  private scopeOf(rule: Access | undefined, method: string): ScopeName | undefined {
    if (rule === 'public' || (rule === 'session-start' && this.access.sessionStartIsOpen)) return undefined;
    if (rule === undefined || rule === 'session-start') return reads(method) ? 'read' : 'write';
    return rule;
  }
}

function reads(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function operationRule(context: ExecutionContext, name: string): unknown {
  return Reflect.getMetadata(name, context.getHandler()) ?? Reflect.getMetadata(name, context.getClass());
}
