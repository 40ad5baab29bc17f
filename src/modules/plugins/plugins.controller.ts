import { Controller, Get } from '@nestjs/common';
import { PluginHost, type LoadedPlugin } from './plugin-host.js';
import { PluginsView, type PluginView } from './plugins.dto.js';
import { shadowsOf } from './route-report.js';

@Controller('api/plugins')
export class PluginsController {
  constructor(private readonly host: PluginHost) {}

  /** Every plugin that was asked for: its state, its routes, and for one that failed the reason. */
  @Get()
  async list(): Promise<PluginsView> {
    const loaded = await Promise.all(this.host.plugins().map((one) => this.present(one)));
    return {
      plugins: [
        ...loaded,
        ...this.host.failed().map(({ name, source, reason }) => ({ name, source, state: 'failed' as const, reason, routes: [] })),
      ],
    };
  }

  private async present(loaded: LoadedPlugin): Promise<PluginView> {
    const { plugin, source, routes } = loaded;
    const shadows = await Promise.all(routes.map((mounted) => shadowsOf(mounted, loaded, this.host.plugins(), this.host.builtIn)));
    return {
      name: plugin.name,
      description: plugin.description ?? '',
      version: plugin.version ?? null,
      source: source.label,
      state: 'loaded',
      routes: routes.map(({ route, path }, index) => ({
        type: route.type,
        path,
        name: route.name ?? null,
        public: route.public === true,
        isMultipart: route.isMultipart === true,
        paths: [path, `/${plugin.name}${path}`, `/api/agents/{agentId}/plugins/${plugin.name}${path}`],
        ...shadows[index]!,
      })),
      problems: this.host.problems().filter((problem) => problem.plugin === plugin.name),
    };
  }
}
