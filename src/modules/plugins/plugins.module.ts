import type { Server } from 'node:http';
import { Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { HttpRequest, HttpResponse } from '../../core/http/index.js';
import { AccessModule } from '../access/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { MemoryModule } from '../memory/index.js';
import { MediaModule } from '../media/index.js';
import { MessagingModule } from '../messaging/index.js';
import { HealthChecks, SystemModule } from '../system/index.js';
import { TurnsModule } from '../turns/index.js';
import { AgentEvents } from './agent-events.js';
import { AgentModels } from './agent-models.js';
import { AgentPanelsController } from './agent-panels.controller.js';
import { AgentServices } from './agent-services.js';
import { PLUGIN_ENTITIES } from './entities/index.js';
import { PluginComponents } from './plugin-components.js';
import { PluginHost } from './plugin-host.js';
import { PluginStores } from './plugin-stores.js';
import { PluginWatch } from './plugin-watch.js';
import { PluginsController } from './plugins.controller.js';
import { RouteDispatcher } from './route-dispatcher.js';
import { RuntimeExtras } from './runtime-extras.js';
import type { BuiltInRoute } from './route-table.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { DeliveriesRepository } from './webhooks/deliveries.repository.js';
import { DeliveriesService } from './webhooks/deliveries.service.js';
import { DeliveryRunner } from './webhooks/delivery-runner.js';
import { WebhookDoor } from './webhooks/webhook-door.js';

/** The layers of express that are routes, as far as they are looked at here. */
interface RouterLayer {
  readonly route?: { readonly path: string | string[]; readonly methods: Record<string, boolean> };
}

/**
 * Plugins and their routes. The dispatcher stands before the router, and a second time between the built-in routes and the
 * answer to unknown paths: what no plugin takes is still a 404 in the envelope.
 */
@Module({})
export class PluginModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly host: PluginHost,
    private readonly dispatcher: RouteDispatcher,
    private readonly deliveries: DeliveryRunner,
    private readonly health: HealthChecks,
  ) {}

  static forRoot(): DynamicModule {
    return {
      module: PluginModule,
      imports: [
        TypeOrmModule.forFeature(PLUGIN_ENTITIES),
        AccessModule,
        AgentsModule,
        MessagingModule,
        MediaModule,
        MemoryModule,
        TurnsModule,
        ModelsModule,
        SystemModule,
      ],
      controllers: [PluginsController, AgentPanelsController, DeliveriesController],
      providers: [
        PluginHost,
        PluginWatch,
        PluginComponents,
        RuntimeExtras,
        AgentEvents,
        AgentModels,
        AgentServices,
        PluginStores,
        RouteDispatcher,
        WebhookDoor,
        DeliveriesRepository,
        DeliveriesService,
        DeliveryRunner,
      ],
      exports: [PluginHost],
    };
  }

  async onModuleInit(): Promise<void> {
    // Names only: the report is public, and reasons are in the log and in `GET /api/plugins`.
    this.health.register('plugins', () => ({
      loaded: this.host.plugins().length,
      failed: this.host.failed().map(({ name }) => name),
      problems: this.host.problems().map(({ plugin, component }) => ({ plugin, component })),
    }));
    const { httpAdapter } = this.adapter;
    const server = httpAdapter.getHttpServer() as Server;
    const builtIn = builtInRoutes(httpAdapter.getInstance());
    await this.host.start(builtIn, () => localAddress(server));
    server.once('listening', () => this.deliveries.start());
    httpAdapter.use((request: HttpRequest, response: HttpResponse, next: (error?: unknown) => void) => {
      this.dispatcher.dispatchLast(request, response, next).catch(next);
    });
    httpAdapter.use((error: unknown, request: HttpRequest, response: HttpResponse, next: (error?: unknown) => void) => {
      this.dispatcher.dispatchUnreadable(error, request, response, (reason = error) => next(reason)).catch(next);
    });
  }
}

/** An address under which programs on this machine reach the server. */
function localAddress(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) return '';
  const host =
    { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address.address] ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address);
  return `http://${host}:${address.port}`;
}

function builtInRoutes(instance: unknown): BuiltInRoute[] {
  const { stack } = (instance as { router: { stack: RouterLayer[] } }).router;
  return stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : [route.path]
          .flat()
          .flatMap((path) =>
            Object.keys(route.methods).map((method) => ({ method: method === '_all' ? 'GET' : method.toUpperCase(), path })),
          ),
  );
}
