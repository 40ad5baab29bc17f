import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isStorageError } from '../../core/database/index.js';
import { AppError, type ErrorCode } from '../../core/errors/index.js';
import { callerOf, canAccessAgent, setPluginRoute, statusClassOf, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { Log } from '../../core/logging/index.js';
import { flatError, PluginResponse } from './plugin-response.js';
import { PLUGIN_METRICS } from './plugins.metrics.js';
import { readBody, toRouteRequest } from './plugin-request.js';
import { createRuntime } from './plugin-runtime.js';
import { isServerPath } from './path-precedence.js';
import { RouteAdmission } from './route-admission.js';
import { RouteError } from './route-error.js';
import { RouteResolver, type RouteTarget } from './route-resolver.js';
import type { RouteMatch } from './route-table.js';
import { serveFile } from './static-files.js';
import { WebhookReceiver } from './webhooks/webhook-receiver.js';

const DEFAULT_LIMIT_MS = 5000;
/** What verification and storage of an inline webhook may take beyond the limit of its handler. */
const STORE_LIMIT_MS = 5000;
/** Created once: `abort()` without a reason creates an error with a stack, which is expensive. */
const REQUEST_ENDED = new DOMException('The request has ended', 'AbortError');

const OF_SERVER: ReadonlySet<ErrorCode> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED', 'SERVER_BUSY', 'REQUEST_TIMEOUT']);

/** A request whose handler runs. */
interface Running {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly pluginResponse: PluginResponse;
  /** Aborts when the handler has to stop. */
  readonly over: AbortSignal;
  /** Resolves when the response has closed. */
  readonly closed: Promise<void>;
  readonly limitMs: number;
}

/** A refusal in the form of the server's errors. */
class ServerRefusal extends Error {}

/** Runs routes of plugins for the requests that address them. */
@Injectable()
export class RouteDispatcher {
  private readonly log = new Log('plugins');

  constructor(
    private readonly resolver: RouteResolver,
    private readonly admission: RouteAdmission,
    private readonly webhooks: WebhookReceiver,
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
    const last = (): RouteTarget | undefined => (path === '/' ? this.resolver.catchAll(method, path) : undefined);
    this.dispatch(request, response, pass, () => this.resolver.resolve(method, path) ?? last()).catch(pass);
  }

  /** Runs after the router: plugin routes under reserved paths, and `STATIC /` for requests without a match. */
  async dispatchAfterRouter(request: HttpRequest, response: HttpResponse, pass: (error?: unknown) => void): Promise<void> {
    const { method, path } = request;
    await this.dispatch(request, response, pass, () =>
      isServerPath(path) ? this.resolver.resolve(method, path) : this.resolver.catchAll(method, path),
    );
  }

  /** @param pass called when no plugin route matches */
  private async dispatch(
    request: HttpRequest,
    response: HttpResponse,
    pass: (error?: unknown) => void,
    lookUp: () => RouteTarget | undefined,
  ): Promise<void> {
    let target: RouteTarget | undefined;
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
      await this.admission.admit(target, request, response);
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
    const responding = this.respond(target, request, response, pass);
    loaded.inFlight.add(responding);
    await responding.finally(() => loaded.inFlight.delete(responding));
  }

  private async respond(target: RouteTarget, request: HttpRequest, response: HttpResponse, pass: (error?: unknown) => void): Promise<void> {
    const { loaded, found } = target;
    setPluginRoute(request, { path: found.mounted.path, plugin: loaded.plugin.name });
    const label = `${found.mounted.route.type} ${found.mounted.path} of ${loaded.plugin.name}`;
    const pluginResponse = new PluginResponse(response, this.log, label);
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
    // The receiver of inline webhooks reports a timeout of the handler once it has stored it.
    const patience = webhook && webhook.mode !== 'ack' ? limit + STORE_LIMIT_MS : limit;
    let cancelLimit = (): void => undefined;
    const onLimit = (): void => {
      if (response.headersSent) return;
      this.log.warn('a route handler timed out', { route: label, limitMs: patience });
      pluginResponse.close();
      abort();
      response.status(504).json(flatError(`No answer within ${patience} ms`));
    };
    try {
      await this.admission.receive(target, request).catch(markRefusal);
      cancelLimit = this.clock.after(patience, onLimit);
      const root = loaded.roots.get(found.mounted);
      if (root) {
        if (!(await serveFile(request, response, root, found.rest))) pass();
        return;
      }
      await this.run(target, { request, response, pluginResponse, over: over.signal, closed, limitMs: limit });
    } catch (error) {
      if (error instanceof ServerRefusal && !response.headersSent) pass(error.cause);
      else this.refuse(error, response, pluginResponse, label);
    } finally {
      cancelLimit();
      pluginResponse.close();
      loaded.unloading.signal.removeEventListener('abort', abort);
    }
  }

  /** Runs the handler. Resolves when the response has closed. */
  private async run(target: RouteTarget, { request, response, pluginResponse, over, closed, limitMs }: Running): Promise<void> {
    const { loaded, found } = target;
    const agent = this.resolver.agentOf(target, request);
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
        response: pluginResponse,
        runtime,
        limitMs,
      });
    } else {
      const handling = this.handle(found, seen, pluginResponse, runtime);
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
    ...[request, pluginResponse, runtime]: Parameters<NonNullable<typeof route.handler>>
  ): Promise<void> {
    await route.handler?.(request, pluginResponse, runtime);
  }

  private refuse(error: unknown, response: HttpResponse, pluginResponse: PluginResponse, label: string): void {
    pluginResponse.close();
    // Storage errors are reported, so that senders of webhooks know that nothing was stored and retry.
    const passes = isStorageError(error);
    const known = error instanceof RouteError || (error instanceof AppError && (error.status < 500 || passes));
    if (!known || passes) this.log.error(`route ${label} failed`, error);
    if (response.headersSent) {
      if (!response.writableEnded) response.destroy();
      return;
    }
    response.status(known ? error.status : 500).json(flatError(known ? error.message : 'Internal error'));
  }
}

/** Marks what the credential, the limits or a client that disconnects end before the handler runs. @throws always */
function markRefusal(error: unknown): never {
  const isOfServer = error instanceof AppError ? OF_SERVER.has(error.code) : (error as { type?: string }).type === 'request.aborted';
  throw isOfServer ? new ServerRefusal('refused', { cause: error }) : error;
}
