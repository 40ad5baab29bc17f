import { Injectable } from '@nestjs/common';
import type { HttpRequest } from '../../core/http/index.js';
import { isUuid } from '../../core/ids/index.js';
import { AgentsService, type Agent } from '../agents/index.js';
import type { LoadedPlugin } from './loaded-plugin.js';
import { isServerPath } from './path-precedence.js';
import { PluginHost } from './plugin-host.js';
import { RouteError } from './route-error.js';
import { matchRoute, type RouteMatch } from './route-table.js';

const AGENT_PREFIX = /^\/api\/agents\/([^/]+)\/plugins(\/.*)$/;

/** The route that a request addresses. */
export interface RouteTarget {
  readonly loaded: LoadedPlugin;
  readonly found: RouteMatch;
  /** Agent in the path; the query takes precedence. */
  readonly agentId?: string;
}

/** Finds the route of a request, and the agent that it is for. */
@Injectable()
export class RouteResolver {
  constructor(
    private readonly host: PluginHost,
    private readonly agents: AgentsService,
  ) {}

  /** The route of a path, in the order of path-precedence.ts. */
  resolve(method: string, path: string): RouteTarget | undefined {
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
  catchAll(method: string, path: string): RouteTarget | undefined {
    for (const loaded of this.host.plugins()) {
      const found = matchRoute(loaded.routes, method, path, true);
      if (found) return { loaded, found };
    }
    return undefined;
  }

  /** The agent that a request names, else the default agent of the plugin. @throws RouteError */
  agentOf(target: RouteTarget, request: HttpRequest): Agent {
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
}

/** The path after a plugin's name, which may be percent-encoded. */
function stripPluginName(path: string, name: string): string | undefined {
  const prefix = [`/${name}`, `/${encodeURIComponent(name)}`].find((one) => path === one || path.startsWith(`${one}/`));
  return prefix === undefined ? undefined : path.slice(prefix.length) || '/';
}

/** The agent id in the query, else in the path. */
function requestedAgent({ agentId }: RouteTarget, request: HttpRequest): unknown {
  return request.query['agentId'] ?? agentId;
}
