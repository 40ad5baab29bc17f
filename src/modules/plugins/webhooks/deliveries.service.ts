import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../../core/audit/index.js';
import { Clock } from '../../../core/clock/index.js';
import { UnitOfWork } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { PluginHost } from '../plugin-host.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryDetails, DeliveryStatus, DeliverySummary } from './deliveries.types.js';
import { DeliveryRunner } from './delivery-runner.js';

/** Webhook deliveries of plugins. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly runner: DeliveryRunner,
    private readonly host: PluginHost,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Lists deliveries, newest first.
   *
   * @param before id of a delivery; only older ones are returned
   * @throws AppError PLUGIN_NOT_FOUND, DELIVERY_NOT_FOUND for an unknown `before`
   */
  async list(plugin: string, status: DeliveryStatus | undefined, limit: number, before?: string): Promise<DeliverySummary[]> {
    this.assertKnown(plugin);
    return this.repository.list(plugin, status, limit, before === undefined ? undefined : await this.get(plugin, before));
  }

  /**
   * A delivery with its request, which is undefined when it is not stored, or no longer.
   *
   * @throws AppError PLUGIN_NOT_FOUND, DELIVERY_NOT_FOUND
   */
  async read(plugin: string, id: string): Promise<DeliveryDetails> {
    this.assertKnown(plugin);
    const [delivery, request] = await Promise.all([this.get(plugin, id), this.repository.content(plugin, id)]);
    return { delivery, request };
  }

  /**
   * Queues a delivery again, whether it was handled or not.
   *
   * @throws AppError PLUGIN_NOT_FOUND, DELIVERY_NOT_FOUND, CONFLICT when it has not ended or its content is not stored
   */
  async replay(plugin: string, id: string): Promise<DeliverySummary> {
    this.assertKnown(plugin);
    const { mode, status } = await this.get(plugin, id);
    if (mode === 'inline') {
      throw new AppError('CONFLICT', 'This delivery was handled inline, and its content is not stored.', 'Resend it from the sender.');
    }
    const now = this.clock.now();
    const refused = new AppError(
      'CONFLICT',
      `This delivery is ${status}, or its content was deleted.`,
      'Only ended deliveries can be replayed.',
    );
    await this.unitOfWork.commit([
      this.repository.replay(id, now, ({ changed }) => (changed === 0 ? refused : undefined)),
      auditEntry('delivery.replayed', { target: ['delivery', id], summary: `Replayed a webhook delivery of the plugin ${plugin}.` }, now),
    ]);
    this.runner.wake(plugin);
    return this.get(plugin, id);
  }

  private async get(plugin: string, id: string): Promise<DeliverySummary> {
    const delivery = await this.repository.find(plugin, id);
    if (!delivery) throw new AppError('DELIVERY_NOT_FOUND', `Delivery ${id} of plugin ${plugin} not found.`);
    return delivery;
  }

  private assertKnown(name: string): void {
    const known = [...this.host.plugins().map(({ plugin }) => plugin), ...this.host.failed()];
    if (!known.some((plugin) => plugin.name === name)) throw new AppError('PLUGIN_NOT_FOUND', `Plugin ${name} not found.`);
  }
}
