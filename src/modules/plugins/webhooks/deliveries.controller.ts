import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { UuidPipe } from '../../../core/http/index.js';
import { DeliveriesQuery } from './deliveries.dto.js';
import { DeliveriesService } from './deliveries.service.js';
import type { DeliverySummary } from './deliveries.types.js';

/** What plugins' webhooks have received. */
@Controller('api/plugins/:name/deliveries')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  async list(@Param('name') name: string, @Query() query: DeliveriesQuery): Promise<{ deliveries: DeliverySummary[] }> {
    return { deliveries: await this.deliveries.list(name, query.status, Number(query.limit ?? 50), query.before?.toLowerCase()) };
  }

  @Post(':id/replay')
  @HttpCode(202)
  async replay(@Param('name') name: string, @Param('id', UuidPipe) id: string): Promise<{ delivery: DeliverySummary }> {
    return { delivery: await this.deliveries.replay(name, id) };
  }
}
