import { Controller, Get } from '@nestjs/common';
import { PluginHost, type LoadedPlugin } from './plugin-host.js';
import { PluginsView, type PluginView } from './plugins.dto.js';

@Controller('api/plugins')
export class PluginsController {
  constructor(private readonly host: PluginHost) {}

  /** Every plugin that was asked for: its state, its routes, and for one that failed the reason. */
  @Get()
  async list(): Promise<PluginsView> {
    return {
      plugins: [
        ...this.host.plugins().map((loaded) => ({
          ...present(loaded),
          problems: this.host.problems().filter(({ plugin }) => plugin === loaded.plugin.name),
        })),
        ...this.host.failed().map(({ name, source, reason }) => ({ name, source, state: 'failed' as const, reason, routes: [] })),
      ],
    };
  }
}

function present({ plugin, source, routes }: LoadedPlugin): PluginView {
  return {
    name: plugin.name,
    description: plugin.description ?? '',
    version: plugin.version ?? null,
    source: source.label,
    state: 'loaded',
    routes: routes.map(({ route, path }) => ({
      type: route.type,
      path,
      name: route.name ?? null,
      public: route.public === true,
      isMultipart: route.isMultipart === true,
      paths: [path, `/${plugin.name}${path}`, `/api/agents/{agentId}/plugins/${plugin.name}${path}`],
    })),
  };
}
