import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiErrors, Scope, UuidPipe } from '../../../core/http/index.js';
import { DeliveriesQuery, DeliveriesView, DeliveryDetailsView, presentDelivery, ReplayView } from './deliveries.dto.js';
import { DeliveriesService } from './deliveries.service.js';

/** Webhook deliveries of plugins. */
@Controller('api/plugins/:name/deliveries')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  /** Lists a plugin's webhook deliveries, newest first. */
  @Get()
  @ApiErrors('PLUGIN_NOT_FOUND', 'DELIVERY_NOT_FOUND')
  async list(@Param('name') name: string, @Query() query: DeliveriesQuery): Promise<DeliveriesView> {
    return { deliveries: await this.deliveries.list(name, query.status, Number(query.limit ?? 50), query.before?.toLowerCase()) };
  }

  /** Returns a webhook delivery with its request. */
  @Get(':id')
  @Scope('admin')
  @ApiErrors('PLUGIN_NOT_FOUND', 'DELIVERY_NOT_FOUND')
  async read(@Param('name') name: string, @Param('id', UuidPipe) id: string): Promise<DeliveryDetailsView> {
    return presentDelivery(await this.deliveries.read(name, id));
  }

  /** Handles a delivery again. */
  @Post(':id/replay')
  @ApiErrors('PLUGIN_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'CONFLICT')
  @HttpCode(202)
  async replay(@Param('name') name: string, @Param('id', UuidPipe) id: string): Promise<ReplayView> {
    return { delivery: await this.deliveries.replay(name, id) };
  }
}
