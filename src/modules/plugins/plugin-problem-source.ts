import { Injectable } from '@nestjs/common';
import type { Problem, ProblemSource } from '../../core/health/index.js';
import { PluginHost } from './plugin-host.js';
import { DeliveriesRepository } from './webhooks/deliveries.repository.js';

/** Plugins that did not load, components that failed, and webhook deliveries that are not tried again. */
@Injectable()
export class PluginProblemSource implements ProblemSource {
  constructor(
    private readonly host: PluginHost,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  async problems(): Promise<Problem[]> {
    const failed = this.host.failed().map(({ name, reason }) => ({
      ...{ kind: 'plugin' as const, subject: name, plugin: name, count: 1, at: null },
      ...{ message: `Plugin ${name} is not loaded.`, details: reason },
    }));
    const components = this.host.problems().map(({ plugin, component, reason, count }) => ({
      ...{ kind: 'component' as const, subject: plugin, plugin, count, at: null },
      ...{ message: `The ${component} of plugin ${plugin} does not work.`, details: reason },
    }));
    const dead = (await this.deliveries.dead()).map(({ plugin, count, updatedAt, error }) => ({
      ...{ kind: 'deliveries' as const, subject: plugin, plugin, count, at: updatedAt },
      ...{ message: `Webhook deliveries of plugin ${plugin} failed and are not tried again.`, details: error ?? 'Replay them.' },
    }));
    return [...failed, ...components, ...dead];
  }
}
