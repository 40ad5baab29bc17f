import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isStorageFault } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { callerOf, mayReach, setCaller, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import type { Route } from '../../plugin-sdk/index.js';
import { AccessService, credentialsOf, OpenConnections, RateLimits } from '../access/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { flatError, PluginAnswer } from './plugin-answer.js';
import { PluginHost, type LoadedPlugin } from './plugin-host.js';
import { readBody, routeRequest } from './plugin-request.js';
import { runtimeFor } from './plugin-runtime.js';
import { isOwnPath } from './path-ranks.js';
import { find, type FoundRoute } from './route-table.js';
import { serveFile } from './static-files.js';
import { WebhookDoor } from './webhooks/webhook-door.js';

const DEFAULT_LIMIT_MS = 5000;
/** Made once: an abort without a reason makes an error with a stack, which costs more than the rest of a request's end. */
const OVER = new DOMException('The request is over', 'AbortError');
const AGENT_FORM = /^\/api\/agents\/([^/]+)\/plugins(\/.*)$/;

/** What the parser of JSON bodies complains about, and how it is answered. */
const UNREADABLE: Readonly<Record<string, readonly [status: number, error: string]>> = {
  'entity.parse.failed': [400, 'The body is not valid JSON'],
  'entity.too.large': [413, 'The request body is too large'],
  'charset.unsupported': [415, 'The charset of the body is not supported'],
  'encoding.unsupported': [415, 'The encoding of the body is not supported'],
};

interface Target {
  readonly loaded: LoadedPlugin;
  readonly found: FoundRoute;
  /** Agent that the path names; the query names another one. */
  readonly agentId?: string;
}

/** A refusal in the flat form of plugin routes. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Answers requests by routes of plugins, each when its rank is reached (path-ranks.ts). */
@Injectable()
export class RouteDispatcher {
  private readonly log = new Log('plugins');

  constructor(
    private readonly host: PluginHost,
    private readonly agents: AgentsService,
    private readonly access: AccessService,
    private readonly connections: OpenConnections,
    private readonly limits: RateLimits,
    private readonly webhooks: WebhookDoor,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Before the router: routes of plugins, for paths that are not the server's own. They go before its newer interfaces; and the router
   * would try each of its routes in turn, which costs a plugin's route about a quarter of its processor time.
   */
  async dispatchFirst(request: HttpRequest, response: HttpResponse, pass: (error?: unknown) => void): Promise<void> {
    const { method, path } = request;
    if (isOwnPath(path)) {
      pass();
      return;
    }
    // At the root the router has the page alone, and that comes last of all.
    const last = (): Target | undefined => (path === '/' ? this.catchAll(method, path) : undefined);
    await this.dispatch(request, response, pass, () => this.targetOf(method, path) ?? last());
  }

  /** Behind the router: routes of plugins among the server's own paths, and files for what nothing has answered. */
  async dispatchLast(request: HttpRequest, response: HttpResponse, pass: (error?: unknown) => void): Promise<void> {
    const { method, path } = request;
    await this.dispatch(request, response, pass, () => (isOwnPath(path) ? this.targetOf(method, path) : this.catchAll(method, path)));
  }

  /** @param pass hands the request on, when no route of a plugin matches */
  private async dispatch(
    request: HttpRequest,
    response: HttpResponse,
    pass: (error?: unknown) => void,
    lookUp: () => Target | undefined,
  ): Promise<void> {
    let target: Target | undefined;
    try {
      target = lookUp();
    } catch {
      response.status(400).json(flatError('The path is not encoded correctly'));
      return;
    }
    if (!target) {
      pass();
      return;
    }
    try {
      if (this.asksForCredential(target, request)) await this.admit(target, request, response);
    } catch (error) {
      pass(error);
      return;
    }
    const { loaded } = target;
    const answering = this.answer(target, request, response, pass);
    loaded.inFlight.add(answering);
    await answering.finally(() => loaded.inFlight.delete(answering));
  }

  /**
   * The `/api` forms are the server's own paths and follow its rule, unless the route is public. A webhook's sender knows no key of
   * ours, so the route's own path is open unless the operator closed it.
   */
  private asksForCredential({ found: { mounted } }: Target, { path }: HttpRequest): boolean {
    if (!this.access.required || mounted.route.public === true) return false;
    // Routes are found whatever the case of their paths.
    return /^\/api\//i.test(path) || (this.config.pluginRoutesRequireAuth && mounted.route.webhook === undefined);
  }

  private async admit({ agentId }: Target, request: HttpRequest, response: HttpResponse): Promise<void> {
    const caller = await this.access.identify(credentialsOf(request));
    setCaller(request, caller);
    await this.limits.take(caller.refusal === undefined ? 'requests' : 'credentials', caller, request.ip ?? '', response);
    await this.access.check(caller, {
      scope: request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write',
      forLimited: true,
      inSession: false,
      params: agentId === undefined ? {} : { agentId },
      named: [request.query, request.body],
    });
    response.once(
      'close',
      this.connections.hold(caller, () => response.destroy()),
    );
  }

  /**
   * Answers calls whose body no parser could read. Whoever changed a byte of what a webhook signed is told that the signature is
   * wrong, as whichever byte it was.
   */
  async dispatchUnreadable(error: unknown, request: HttpRequest, response: HttpResponse, pass: (error?: unknown) => void): Promise<void> {
    let route: Route | undefined;
    try {
      route = this.targetOf(request.method, request.path)?.found.mounted.route;
    } catch {
      // Not this road's to answer.
    }
    const problem = UNREADABLE[(error as { type?: string }).type ?? ''];
    if (!route || !problem) pass();
    else if (route.webhook && (request as { rawBody?: Buffer }).rawBody !== undefined) {
      await this.dispatch(request, response, pass, () => this.targetOf(request.method, request.path));
    } else response.status(problem[0]).json(flatError(problem[1]));
  }

  private targetOf(method: string, path: string): Target | undefined {
    const plugins = this.host.plugins();
    for (const loaded of plugins) {
      const found = find(loaded.routes, method, path);
      if (found) return { loaded, found };
    }
    const viaAgent = AGENT_FORM.exec(path);
    const [agentId, rest] = [viaAgent?.[1], viaAgent?.[2] ?? path];
    const below = agentId === undefined ? {} : { agentId };
    for (const loaded of plugins) {
      const own = behind(rest, loaded.plugin.name);
      if (own === undefined) continue;
      // Named with its plugin, also what serves everything is a route like others; but a plugin may be called as a path of the server.
      const files = agentId !== undefined || !isOwnPath(path);
      const found = find(loaded.routes, method, own) ?? (files ? find(loaded.routes, method, own, true) : undefined);
      if (found) return { loaded, found, ...below };
    }
    for (const loaded of agentId === undefined ? [] : plugins) {
      const found = find(loaded.routes, method, rest);
      if (found) return { loaded, found, ...below };
    }
    return undefined;
  }

  /** The first `STATIC /` there is. */
  private catchAll(method: string, path: string): Target | undefined {
    for (const loaded of this.host.plugins()) {
      const found = find(loaded.routes, method, path, true);
      if (found) return { loaded, found };
    }
    return undefined;
  }

  private async answer(target: Target, request: HttpRequest, response: HttpResponse, pass: () => void): Promise<void> {
    const { loaded, found } = target;
    const label = `${found.mounted.route.type} ${found.mounted.path} of ${loaded.plugin.name}`;
    const answer = new PluginAnswer(response, this.log, label);
    const over = new AbortController();
    const abort = (): void => over.abort(OVER);
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => {
        abort();
        resolve();
      });
    });
    loaded.unloading.signal.addEventListener('abort', abort);
    const limit = found.mounted.route.timeoutMs ?? DEFAULT_LIMIT_MS;
    const cancelLimit = this.clock.after(limit, () => {
      if (response.headersSent) return;
      this.log.warn('a route handler did not answer in time', { route: label, limitMs: limit });
      answer.close();
      abort();
      response.status(504).json(flatError(`No answer within ${limit} ms`));
    });
    try {
      const root = loaded.roots.get(found.mounted);
      if (root) {
        if (!(await serveFile(request, response, root, found.rest))) pass();
        return;
      }
      const agent = this.agentOf(target, request);
      const caller = callerOf(request);
      if (caller.agents && !mayReach(caller, agent.id)) throw new Refusal(403, 'The credential is not for this agent');
      const runtime = runtimeFor(loaded.parts, agent, over.signal);
      const read = await Promise.race([readBody(request, response, found, this.config.bodyLimitBytes), closed]);
      if (!read) return;
      const seen = routeRequest(request, found, read, over.signal);
      const { webhook } = found.mounted.route;
      if (webhook) {
        await this.webhooks.receive(webhook, { found, request: seen, answer, runtime, askedAgent: asked(target, request), limitMs: limit });
      } else {
        const handling = this.handle(found, seen, answer, runtime);
        await Promise.race([handling, closed]);
        // The caller has gone, or has its answer: nobody else would hear of what the handler still does.
        handling.catch((error: unknown) => this.log.error(`route ${label} failed when its request had ended`, error));
      }
      // A handler may have returned and answer a moment later: the limit above bounds the wait.
      if (!response.writableEnded) await closed;
    } catch (error) {
      this.refuse(error, response, answer, label);
    } finally {
      cancelLimit();
      answer.close();
      loaded.unloading.signal.removeEventListener('abort', abort);
    }
  }

  private async handle(
    { mounted: { route } }: FoundRoute,
    ...[request, answer, runtime]: Parameters<NonNullable<typeof route.handler>>
  ): Promise<void> {
    await route.handler?.(request, answer, runtime);
  }

  private agentOf(target: Target, request: HttpRequest): Agent {
    const agentId = asked(target, request);
    if (agentId === undefined) {
      const agent = this.host.defaultAgent(target.loaded.plugin.name);
      if (!agent) throw new Refusal(404, 'No agent is running');
      return agent;
    }
    if (!isUuid(agentId)) throw new Refusal(400, 'agentId must be a UUID');
    const agent = this.agents.find(agentId);
    if (agent?.status !== 'active') throw new Refusal(404, `Agent ${agentId} not found`);
    return agent;
  }

  private refuse(error: unknown, response: HttpResponse, answer: PluginAnswer, label: string): void {
    answer.close();
    // A sender of deliveries has to hear that nothing was written, and that it may send again.
    const passes = isStorageFault(error);
    const known = error instanceof Refusal || (error instanceof AppError && (error.status < 500 || passes));
    if (!known || passes) this.log.error(`route ${label} failed`, error);
    if (response.headersSent) {
      if (!response.writableEnded) response.destroy();
      return;
    }
    response.status(known ? error.status : 500).json(flatError(known ? error.message : 'Internal error'));
  }
}

/** What follows a plugin's name in a path; a name with a scope may be escaped. */
function behind(path: string, name: string): string | undefined {
  const prefix = [`/${name}`, `/${encodeURIComponent(name)}`].find((one) => path === one || path.startsWith(`${one}/`));
  return prefix === undefined ? undefined : path.slice(prefix.length) || '/';
}

/** The agent that a caller named, in the query or else in the path. */
function asked({ agentId }: Target, request: HttpRequest): unknown {
  return request.query['agentId'] ?? agentId;
}
