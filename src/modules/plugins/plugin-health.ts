import { Injectable } from '@nestjs/common';
import type { HealthCheck } from '../../core/health/index.js';
import { PluginHost } from './plugin-host.js';

/** Reports names only, because the report is public. Reasons are in the log and in `GET /api/plugins`. */
@Injectable()
export class PluginHealth implements HealthCheck {
  readonly name = 'plugins';

  constructor(private readonly host: PluginHost) {}

  report(): unknown {
    return {
      loaded: this.host.plugins().length,
      failed: this.host.failed().map(({ name }) => name),
      problems: this.host.problems().map(({ plugin, component }) => ({ plugin, component })),
    };
  }
}
