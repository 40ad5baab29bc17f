import { Controller, Get } from '@nestjs/common';
import type { LoadedPlugin } from './loaded-plugin.js';
import { describeComponents, describeSettings } from './plugin-description.js';
import { PluginHost } from './plugin-host.js';
import { PluginsView, type PluginView } from './plugins.dto.js';
import { findShadows } from './route-shadows.js';

@Controller('api/plugins')
export class PluginsController {
  constructor(private readonly host: PluginHost) {}

  /** Lists all configured plugins with their state, routes, components and settings, and the reason of a failure. */
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
    const shadows = await Promise.all(routes.map((mounted) => findShadows(mounted, loaded, this.host.plugins(), this.host.builtIn)));
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
      components: describeComponents(plugin),
      settings: describeSettings(loaded),
      problems: this.host.problems().filter((problem) => problem.plugin === plugin.name),
    };
  }
}
