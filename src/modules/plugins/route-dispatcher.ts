import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isStorageFault } from '../../core/database/index.js';
import { AppError, type ErrorCode } from '../../core/errors/index.js';
import {
  callerOf,
  canAccessAgent,
  RequestBodies,
  setCaller,
  setPluginRoute,
  statusClassOf,
  type HttpRequest,
  type HttpResponse,
  type ScopeName,
} from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import { AccessService, credentialsOf, OpenConnections, RateLimits } from '../access/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import { flatError, PluginResponse } from './plugin-response.js';
import type { LoadedPlugin } from './loaded-plugin.js';
import { PluginHost } from './plugin-host.js';
import { PLUGIN_METRICS } from './plugins.metrics.js';
import { readBody, toRouteRequest } from './plugin-request.js';
import { createRuntime } from './plugin-runtime.js';
import { isServerPath } from './path-precedence.js';
import { matchRoute, type RouteMatch } from './route-table.js';
import { serveFile } from './static-files.js';
import { WebhookReceiver } from './webhooks/webhook-receiver.js';

const DEFAULT_LIMIT_MS = 5000;
/** What verification and storage of an inline webhook may take beyond the limit of its handler. */
const STORE_LIMIT_MS = 5000;
/** Created once: `abort()` without a reason creates an error with a stack, which is expensive. */
const REQUEST_ENDED = new DOMException('The request has ended', 'AbortError');
const AGENT_PREFIX = /^\/api\/agents\/([^/]+)\/plugins(\/.*)$/;

/** Responses to errors of the body parser, by their type. */
const PARSE_ERRORS: Readonly<Record<string, readonly [status: number, error: string]>> = {
  'entity.parse.failed': [400, 'The body is not valid JSON'],
  'entity.too.large': [413, 'The request body is too large'],
  'charset.unsupported': [415, 'The charset of the body is not supported'],
  'encoding.unsupported': [415, 'The encoding of the body is not supported'],
};

const OF_SERVER: ReadonlySet<ErrorCode> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED', 'SERVER_BUSY', 'REQUEST_TIMEOUT']);

interface Target {
  readonly loaded: LoadedPlugin;
  readonly found: RouteMatch;
  /** Agent in the path; the query takes precedence. */
  readonly agentId?: string;
}

/** A request whose handler runs. */
interface Running {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly answer: PluginResponse;
  /** Aborts when the handler has to stop. */
  readonly over: AbortSignal;
  /** Resolves when the response has closed. */
  readonly closed: Promise<void>;
  readonly limitMs: number;
}

/** An error in the flat form of plugin routes. */
class RouteError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A refusal in the form of the server's errors. */
class ServerRefusal extends Error {}

/** Dispatches requests to routes of plugins, in the order of path-precedence.ts. */
@Injectable()
export class RouteDispatcher {
  private readonly log = new Log('plugins');

  constructor(
    private readonly host: PluginHost,
    private readonly agents: AgentsService,
    private readonly access: AccessService,
    private readonly connections: OpenConnections,
    private readonly limits: RateLimits,
    private readonly webhooks: WebhookReceiver,
    private readonly bodies: RequestBodies,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Runs before the router, for paths that are not reserved for the server. Plugin routes take precedence over newer server routes. It also
   * saves a plugin route about a quarter of its CPU time, because the router would try each of its own routes first.
   */
  dispatchBeforeRouter(request: HttpRequest, response: HttpResponse, pass: (error?: unknown) => void): void {
    const { method, path } = request;
    if (isServerPath(path)) {
      pass();
      return;
    }
    // At the root, the router has only the page, which has the lowest precedence.
    const last = (): Target | undefined => (path === '/' ? this.catchAll(method, path) : undefined);
    this.dispatch(request, response, pass, () => this.resolveTarget(method, path) ?? last()).catch(pass);
  }

  /** Runs after the router: plugin routes under reserved paths, and `STATIC /` for requests without a match. */
  async dispatchAfterRouter(request: HttpRequest, response: HttpResponse, pass: (error?: unknown) => void): Promise<void> {
    const { method, path } = request;
    await this.dispatch(request, response, pass, () =>
      isServerPath(path) ? this.resolveTarget(method, path) : this.catchAll(method, path),
    );
  }

  /** @param pass called when no plugin route matches */
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
      await this.admit(target, request, response);
    } catch (error) {
      pass(error);
      return;
    }
    const { loaded, found } = target;
    const startedAt = performance.now();
    response.once('close', () => {
      const route = `${found.mounted.route.type} ${found.mounted.path}`;
      const labels = { plugin: loaded.plugin.name, route, status: statusClassOf(response) };
      PLUGIN_METRICS.routes.with(labels).observe(performance.now() - startedAt);
    });
    const answering = this.answer(target, request, response, pass);
    loaded.inFlight.add(answering);
    await answering.finally(() => loaded.inFlight.delete(answering));
  }

  /**
   * Paths under `/api` require a credential like all server paths, unless the route is public. Other paths require one only with
   * PLUGIN_ROUTES_REQUIRE_AUTH, because senders of webhooks have no API key.
   */
  private requiresCredential({ found: { mounted } }: Target, { path }: HttpRequest): boolean {
    if (!this.access.isRequired || mounted.route.public === true) return false;
    // Route matching is case-insensitive.
    return /^\/api\//i.test(path) || (this.config.pluginRoutesRequireAuth && mounted.route.webhook === undefined);
  }

  /** Before the body is read. Handlers without a credential of the server check their senders themselves, often by the body. */
  private async admit(target: Target, request: HttpRequest, response: HttpResponse): Promise<void> {
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
  private async receive(target: Target, request: HttpRequest): Promise<void> {
    const { route } = target.found.mounted;
    try {
      if (route.type !== 'STATIC') await this.bodies.receive(request);
    } catch (error) {
      const problem = PARSE_ERRORS[(error as { type?: string }).type ?? ''];
      if (!problem) throw error;
      if (!route.webhook || (request as { rawBody?: Buffer }).rawBody === undefined) throw new RouteError(...problem);
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

  private resolveTarget(method: string, path: string): Target | undefined {
    const plugins = this.host.plugins();
    for (const loaded of plugins) {
      const found = matchRoute(loaded.routes, method, path);
      if (found) return { loaded, found };
    }
    const viaAgent = AGENT_PREFIX.exec(path);
    const [agentId, rest] = [viaAgent?.[1], viaAgent?.[2] ?? path];
    const below = agentId === undefined ? {} : { agentId };
    for (const loaded of plugins) {
      const own = stripPluginName(rest, loaded.plugin.name);
      if (own === undefined) continue;
      // With the plugin's name in the path, `STATIC /` matches too, unless the name is a reserved segment.
      const files = agentId !== undefined || !isServerPath(path);
      const found = matchRoute(loaded.routes, method, own) ?? (files ? matchRoute(loaded.routes, method, own, true) : undefined);
      if (found) return { loaded, found, ...below };
    }
    for (const loaded of agentId === undefined ? [] : plugins) {
      const found = matchRoute(loaded.routes, method, rest);
      if (found) return { loaded, found, ...below };
    }
    return undefined;
  }

  /** The first plugin with `STATIC /`. */
  private catchAll(method: string, path: string): Target | undefined {
    for (const loaded of this.host.plugins()) {
      const found = matchRoute(loaded.routes, method, path, true);
      if (found) return { loaded, found };
    }
    return undefined;
  }

  private async answer(target: Target, request: HttpRequest, response: HttpResponse, pass: (error?: unknown) => void): Promise<void> {
    const { loaded, found } = target;
    setPluginRoute(request, { path: found.mounted.path, plugin: loaded.plugin.name });
    const label = `${found.mounted.route.type} ${found.mounted.path} of ${loaded.plugin.name}`;
    const answer = new PluginResponse(response, this.log, label);
    const over = new AbortController();
    const abort = (): void => over.abort(REQUEST_ENDED);
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => {
        abort();
        resolve();
      });
    });
    loaded.unloading.signal.addEventListener('abort', abort);
    const { webhook, timeoutMs: limit = DEFAULT_LIMIT_MS } = found.mounted.route;
    // The receiver of inline webhooks answers a timeout of the handler once it has stored it.
    const patience = webhook && webhook.mode !== 'ack' ? limit + STORE_LIMIT_MS : limit;
    let cancelLimit = (): void => undefined;
    const onLimit = (): void => {
      if (response.headersSent) return;
      this.log.warn('a route handler timed out', { route: label, limitMs: patience });
      answer.close();
      abort();
      response.status(504).json(flatError(`No answer within ${patience} ms`));
    };
    try {
      await this.receive(target, request).catch(markRefusal);
      cancelLimit = this.clock.after(patience, onLimit);
      const root = loaded.roots.get(found.mounted);
      if (root) {
        if (!(await serveFile(request, response, root, found.rest))) pass();
        return;
      }
      await this.run(target, { request, response, answer, over: over.signal, closed, limitMs: limit });
    } catch (error) {
      if (error instanceof ServerRefusal && !response.headersSent) pass(error.cause);
      else this.refuse(error, response, answer, label);
    } finally {
      cancelLimit();
      answer.close();
      loaded.unloading.signal.removeEventListener('abort', abort);
    }
  }

  /** Runs the handler. Resolves when the response has closed. */
  private async run(target: Target, { request, response, answer, over, closed, limitMs }: Running): Promise<void> {
    const { loaded, found } = target;
    const agent = this.agentOf(target, request);
    const caller = callerOf(request);
    if (caller.agents && !canAccessAgent(caller, agent.id)) throw new RouteError(403, 'The credential has no access to this agent');
    const runtime = createRuntime(loaded.context, agent, over);
    const read = await Promise.race([readBody(request, response, found, this.config.bodyLimitBytes).catch(markRefusal), closed]);
    if (!read) return;
    const seen = toRouteRequest(request, found, read, over);
    const { webhook } = found.mounted.route;
    if (webhook) {
      await this.webhooks.receive(webhook, {
        found,
        request: seen,
        answer,
        runtime,
        limitMs,
      });
    } else {
      const handling = this.handle(found, seen, answer, runtime);
      await Promise.race([handling, closed]);
      // The client is gone or has its response, so a later failure can only be logged.
      handling.catch((error: unknown) => {
        this.log.error(`route ${found.mounted.route.type} ${found.mounted.path} failed after its request had ended`, error);
      });
    }
    // A handler may respond after it has returned; the time limit bounds the wait.
    if (!response.writableEnded) await closed;
  }

  private async handle(
    { mounted: { route } }: RouteMatch,
    ...[request, answer, runtime]: Parameters<NonNullable<typeof route.handler>>
  ): Promise<void> {
    await route.handler?.(request, answer, runtime);
  }

  private agentOf(target: Target, request: HttpRequest): Agent {
    const agentId = requestedAgent(target, request);
    if (agentId === undefined) {
      const agent = this.host.defaultAgent(target.loaded.plugin.name);
      if (!agent) throw new RouteError(404, 'No agent is running');
      return agent;
    }
    if (!isUuid(agentId)) throw new RouteError(400, 'agentId must be a UUID');
    const agent = this.agents.find(agentId);
    if (agent?.status !== 'active') throw new RouteError(404, `Agent ${agentId} not found`);
    return agent;
  }

  private refuse(error: unknown, response: HttpResponse, answer: PluginResponse, label: string): void {
    answer.close();
    // Storage errors are reported, so that senders of webhooks know that nothing was stored and retry.
    const passes = isStorageFault(error);
    const known = error instanceof RouteError || (error instanceof AppError && (error.status < 500 || passes));
    if (!known || passes) this.log.error(`route ${label} failed`, error);
    if (response.headersSent) {
      if (!response.writableEnded) response.destroy();
      return;
    }
    response.status(known ? error.status : 500).json(flatError(known ? error.message : 'Internal error'));
  }
}

function scopeOf({ method }: HttpRequest): ScopeName {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}

/** Marks what the credential, the limits or a client that disconnects end before the handler runs. @throws always */
function markRefusal(error: unknown): never {
  const isOfServer = error instanceof AppError ? OF_SERVER.has(error.code) : (error as { type?: string }).type === 'request.aborted';
  throw isOfServer ? new ServerRefusal('refused', { cause: error }) : error;
}

/** The path after a plugin's name, which may be percent-encoded. */
function stripPluginName(path: string, name: string): string | undefined {
  const prefix = [`/${name}`, `/${encodeURIComponent(name)}`].find((one) => path === one || path.startsWith(`${one}/`));
  return prefix === undefined ? undefined : path.slice(prefix.length) || '/';
}

/** The agent id in the query, else in the path. */
function requestedAgent({ agentId }: Target, request: HttpRequest): unknown {
  return request.query['agentId'] ?? agentId;
}
