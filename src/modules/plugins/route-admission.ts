import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { callerOf, RequestBodies, setCaller, type HttpRequest, type HttpResponse, type ScopeName } from '../../core/http/index.js';
import { AccessService, credentialsOf, OpenConnections, RateLimits } from '../access/index.js';
import { isUnreadable } from './plugin-request.js';
import { RouteError } from './route-error.js';
import type { RouteTarget } from './route-resolver.js';

/** Responses to errors of the body parser, by their type. */
const PARSE_ERRORS: Readonly<Record<string, readonly [status: number, error: string]>> = {
  'entity.parse.failed': [400, 'The body is not valid JSON'],
  'entity.too.large': [413, 'The request body is too large'],
  'encoding.unsupported': [415, 'The encoding of the body is not supported'],
};

/** Checks the credential and the limits of requests to plugin routes, and reads their bodies. */
@Injectable()
export class RouteAdmission {
  constructor(
    private readonly access: AccessService,
    private readonly connections: OpenConnections,
    private readonly limits: RateLimits,
    private readonly bodies: RequestBodies,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Paths under `/api` require a credential like all server paths, unless the route is public. Other paths require one only with
   * PLUGIN_ROUTES_REQUIRE_AUTH, because senders of webhooks have no API key.
   */
  private requiresCredential({ found: { mounted } }: RouteTarget, { path }: HttpRequest): boolean {
    if (!this.access.isRequired || mounted.route.public === true) return false;
    // Route matching is case-insensitive.
    return /^\/api\//i.test(path) || (this.config.pluginRoutesRequireAuth && mounted.route.webhook === undefined);
  }

  /** Before the body is read. Handlers without a credential of the server check their senders themselves, often by the body. */
  async admit(target: RouteTarget, request: HttpRequest, response: HttpResponse): Promise<void> {
    const { ip = '' } = request;
    if (!this.requiresCredential(target, request)) {
      // A page has many files.
      if (target.found.mounted.route.type !== 'STATIC') await this.limits.consume('plugins', callerOf(request), ip, response);
      return;
    }
    const caller = await this.access.identify(credentialsOf(request));
    setCaller(request, caller);
    await this.limits.consume(caller.refusal === undefined ? 'requests' : 'credentials', caller, ip, response);
    this.access.checkCredential(caller, { scope: scopeOf(request) });
    response.once(
      'close',
      this.connections.track(caller, () => response.destroy()),
    );
  }

  /**
   * Reads a JSON body, and checks what the request names. A webhook call with another body still runs its signature check, so that a modified
   * body is reported as an invalid signature.
   *
   * @throws RouteError for a body that cannot be parsed; errors of the limits and of the credential
   */
  async receive(target: RouteTarget, request: HttpRequest): Promise<void> {
    const { route } = target.found.mounted;
    try {
      if (route.type !== 'STATIC') await this.bodies.receive(request);
    } catch (error) {
      const problem = PARSE_ERRORS[(error as { type?: string }).type ?? ''];
      if (!route.webhook || !isUnreadable(error)) throw problem ? new RouteError(...problem) : error;
    }
    if (!this.requiresCredential(target, request)) return;
    await this.access.check(callerOf(request), {
      scope: scopeOf(request),
      forLimited: true,
      inSession: false,
      params: target.agentId === undefined ? {} : { agentId: target.agentId },
      inputs: [request.query, request.body],
    });
  }
}

function scopeOf({ method }: HttpRequest): ScopeName {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
