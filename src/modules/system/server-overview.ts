import type { Server } from 'node:http';
import { memoryUsage, platform, uptime, version } from 'node:process';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CONFIG, type Config } from '../../core/config/index.js';
import { engineOf } from '../../core/database/index.js';
import { pagedList } from '../../core/http/index.js';
import { ModelRegistry } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import { iso, ServersService } from '../messaging/index.js';
import type { DebugView, ServerConfigView, ServersView } from './server.dto.js';

/** An overview of the server for operators. */
@Injectable()
export class ServerOverview {
  constructor(
    private readonly messageServers: ServersService,
    private readonly agents: AgentsService,
    private readonly models: ModelRegistry,
    private readonly http: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async servers(): Promise<ServersView> {
    const servers = pagedList(
      () => this.messageServers.withAgents(),
      ({ server: { id, name, sourceType, sourceId, metadata, createdAt, updatedAt }, agents }) => ({
        ...{ id, name, status: 'active', agents: [...agents] },
        ...{ sourceType, sourceId, metadata, createdAt: iso(createdAt), updatedAt: iso(updatedAt) },
      }),
    );
    return { servers, count: await this.messageServers.count() };
  }

  async debug(): Promise<DebugView> {
    const agents = this.agents.list();
    return {
      ...(await this.servers()),
      runtime: {
        version: this.config.version,
        node: version,
        platform,
        uptime: uptime(),
        agents: agents.map(({ id, name, status }) => ({ id, name, status })),
        activeAgents: agents.filter(({ status }) => status === 'active').length,
        connections: await this.connections(),
        memory: { ...memoryUsage() },
      },
      environment: {
        database: engineOf(this.config.databaseUrl),
        models: { ...this.models.describe() },
        configured: [...this.config.setVariables].sort(),
      },
    };
  }

  private connections(): Promise<number> {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    return new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  }

  publicConfig(): ServerConfigView {
    return { requiresAuth: this.config.apiKey !== undefined };
  }
}
