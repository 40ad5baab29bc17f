import type { Server } from 'node:http';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RequestBodiesModule, type HttpRequest, type HttpResponse } from '../../core/http/index.js';
import { AccessModule } from '../access/index.js';
import { ModelsModule } from '../../providers/models/index.js';
import { AgentsModule } from '../agents/index.js';
import { MemoryModule } from '../memory/index.js';
import { MediaModule } from '../media/index.js';
import { MessagingModule } from '../messaging/index.js';
import { TurnsModule } from '../turns/index.js';
import { PLUGINS_AUDIT } from './plugins.audit.js';
import { AgentEvents } from './agent-events.js';
import { AgentModels } from './agent-models.js';
import { AgentPanelsController } from './agent-panels.controller.js';
import { AgentServices } from './agent-services.js';
import { PLUGIN_ENTITIES } from './entities/index.js';
import { PluginInitializer } from './plugin-initializer.js';
import { PluginAssembler } from './plugin-assembler.js';
import { PluginComponents } from './plugin-components.js';
import { PluginHealth } from './plugin-health.js';
import { PluginHost } from './plugin-host.js';
import { PluginImporter } from './plugin-importer.js';
import { PluginProblemSource } from './plugin-problem-source.js';
import { PluginStores } from './plugin-stores.js';
import { PluginWatcher } from './plugin-watcher.js';
import { PluginsController } from './plugins.controller.js';
import { RouteAdmission } from './route-admission.js';
import { RouteDispatcher } from './route-dispatcher.js';
import { RouteResolver } from './route-resolver.js';
import { RuntimeFeatureFactory } from './runtime-features.js';
import type { BuiltInRoute } from './route-table.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { DeliveriesRepository } from './webhooks/deliveries.repository.js';
import { DeliveriesService } from './webhooks/deliveries.service.js';
import { DeliveryRetention } from './webhooks/delivery-retention.js';
import { DeliveryRunner } from './webhooks/delivery-runner.js';
import { WebhookReceiver } from './webhooks/webhook-receiver.js';
import { PluginsPersonalData } from './plugins-personal-data.js';
import { defineModule } from '../../core/modules/index.js';
import { Plugins1795824016000 } from './migrations/1795824016000-plugins.js';
import { PLUGINS_SETTINGS } from './plugins.settings.js';
import { PLUGINS_ERRORS } from './plugins.error-codes.js';
import { PLUGIN_EVENTS } from './plugins.events.js';
import { PLUGIN_METRICS } from './plugins.metrics.js';

/** The part of an Express router layer that this file reads. */
interface RouterLayer {
  readonly route?: { readonly path: string | string[]; readonly methods: Record<string, boolean> };
}

/**
 * Plugins and their routes. The dispatcher runs before the router, and again between the built-in routes and the 404 handler.
 */
@Module({
  imports: [RequestBodiesModule, AccessModule, AgentsModule, MessagingModule, MediaModule, MemoryModule, TurnsModule, ModelsModule],
  controllers: [PluginsController, AgentPanelsController, DeliveriesController],
  providers: [
    PluginHost,
    PluginHealth,
    PluginImporter,
    PluginAssembler,
    PluginInitializer,
    PluginWatcher,
    PluginComponents,
    RuntimeFeatureFactory,
    AgentEvents,
    AgentModels,
    AgentServices,
    PluginStores,
    PluginsPersonalData,
    RouteDispatcher,
    RouteAdmission,
    RouteResolver,
    WebhookReceiver,
    DeliveriesRepository,
    DeliveriesService,
    DeliveryRunner,
    DeliveryRetention,
    PluginProblemSource,
  ],
  exports: [PluginHost],
})
export class PluginModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly host: PluginHost,
    private readonly dispatcher: RouteDispatcher,
    private readonly deliveries: DeliveryRunner,
  ) {}

  async onModuleInit(): Promise<void> {
    const { httpAdapter } = this.adapter;
    const server = httpAdapter.getHttpServer() as Server;
    const builtIn = builtInRoutes(httpAdapter.getInstance());
    await this.host.start(builtIn, () => localAddress(server));
    server.once('listening', () => this.deliveries.start());
    httpAdapter.use((request: HttpRequest, response: HttpResponse, next: (error?: unknown) => void) => {
      this.dispatcher.dispatchAfterRouter(request, response, next).catch(next);
    });
  }
}

export const descriptor = defineModule({
  name: 'plugins',
  about: 'Plugins, their routes and their webhooks.',
  module: PluginModule,
  entities: PLUGIN_ENTITIES,
  migrations: [Plugins1795824016000],
  settings: PLUGINS_SETTINGS,
  errors: PLUGINS_ERRORS,
  events: PLUGIN_EVENTS,
  audit: PLUGINS_AUDIT,
  metrics: PLUGIN_METRICS,
  hooks: {
    healthChecks: [PluginHealth],
    problemSources: [PluginProblemSource],
    retentionSweeps: [DeliveryRetention],
    agentLifecycle: [PluginStores],
    personalData: [PluginsPersonalData],
    queueOwners: [DeliveriesRepository],
  },
  tags: [{ name: 'plugins', about: 'Plugins, their routes and webhook deliveries.', paths: [/^\/api\/plugins/] }],
});

/** URL of the server for programs on this machine. */
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
