import { Body, Controller, Param, Post, Res, UseGuards } from '@nestjs/common';
import { UuidPipe, type HttpResponse } from '../../core/http/index.js';
import { AgentPathGuard } from './agent-path.guard.js';
import { CreateWorldBody, presentWorld, toCreateWorld } from './worlds.dto.js';
import { WorldsService } from './worlds.service.js';

@Controller('api/agents/:agentId/worlds')
@UseGuards(AgentPathGuard)
export class WorldsController {
  constructor(private readonly worlds: WorldsService) {}

  /** Creates a world for an agent; with a `worldId` instead of a name the agent joins that world. */
  @Post()
  async create(
    @Param('agentId', UuidPipe) agentId: string,
    @Body() body: CreateWorldBody,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<unknown> {
    if (body.name === undefined && body.worldId !== undefined) {
      const world = await this.worlds.join(agentId, body.worldId.toLowerCase());
      response.status(200);
      return { success: true, world: presentWorld(world) };
    }
    return { world: presentWorld(await this.worlds.create(agentId, toCreateWorld(body))) };
  }
}
