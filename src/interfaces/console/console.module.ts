import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CONFIG, type Config } from '../../core/config/index.js';
import type { HttpRequest, HttpResponse } from '../../core/http/index.js';
import { defineModule } from '../../core/modules/index.js';
import { isServerPath, PluginModule } from '../../modules/plugins/index.js';
import { ConsoleController } from './console.controller.js';
import { sendPage, wantsPage } from './console-files.js';
import { CONSOLE_SETTINGS } from './console.settings.js';

/**
 * The console at `/`, and at any other address that nothing else serves. It is initialised behind the plugins, so that a plugin's `STATIC /` has
 * the first word (decision 20).
 */
@Module({ imports: [PluginModule], controllers: [ConsoleController] })
export class ConsoleModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.adapter.httpAdapter.use((request: HttpRequest, response: HttpResponse, next: (error?: unknown) => void) => {
      if (!isPage(request)) return next();
      response.vary('Accept');
      if (!wantsPage(request, this.config)) next();
      else sendPage(request, response).catch(next);
    });
  }
}

/** A path of the console's own: it can be read, is no file's, and not below a path of the server. */
function isPage({ method, path }: HttpRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || isServerPath(path) || /^\/console-assets(\/|$)/i.test(path)) return false;
  try {
    return !/\.[^/]*$/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

export const descriptor = defineModule({
  name: 'console',
  about: 'The console for browsers at /.',
  module: ConsoleModule,
  settings: CONSOLE_SETTINGS,
});
