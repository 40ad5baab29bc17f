import { Controller, Get } from '@nestjs/common';
import { PluginHost, type LoadedPlugin } from './plugin-host.js';

@Controller('api/plugins')
export class PluginsController {
  constructor(private readonly host: PluginHost) {}

  /** Every plugin that was asked for: its state, its routes, and for one that failed the reason. */
  @Get()
  list(): unknown {
    return {
      plugins: [
        ...this.host.plugins().map((loaded) => ({
          ...present(loaded),
          problems: this.host.problems().filter(({ plugin }) => plugin === loaded.plugin.name),
        })),
        ...this.host.failed().map(({ name, source, reason }) => ({ name, source, state: 'failed', reason, routes: [] })),
      ],
    };
  }
}

function present({ plugin, source, routes }: LoadedPlugin): Record<string, unknown> {
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
