import { Body, Controller, Get, Param, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import { Answers, cursorOf, type HttpResponse, Refuses, UuidPipe } from '../../core/http/index.js';
import { AgentPathGuard } from './agent-path.guard.js';
import {
  CreatedWorldView,
  CreateWorldBody,
  LARGEST_PAGE,
  ListWorldsQuery,
  presentUpdatedWorld,
  presentWorld,
  presentWorlds,
  toCreateWorld,
  UpdatedWorldView,
  UpdateWorldBody,
  WorldsView,
} from './worlds.dto.js';
import { WorldsService } from './worlds.service.js';

/** Has to be known before `GET /api/agents/:agentId`, which would take `worlds` for an id: see the order in app.module.ts. */
@Controller('api/agents/worlds')
export class AllWorldsController {
  constructor(private readonly worlds: WorldsService) {}

  /** Worlds of all agents, oldest first. */
  @Get()
  @Refuses('VALIDATION_ERROR')
  async list(@Query() { agentId, limit, after }: ListWorldsQuery): Promise<WorldsView> {
    const size = Number(limit ?? LARGEST_PAGE);
    return presentWorlds(await this.worlds.list(agentId?.toLowerCase(), cursorOf('after', after), size), size);
  }
}

@Controller('api/agents/:agentId/worlds')
@UseGuards(AgentPathGuard)
export class WorldsController {
  constructor(private readonly worlds: WorldsService) {}

  /** Creates a world for an agent; with a `worldId` instead of a name the agent joins that world. */
  @Post()
  @Answers({ status: 200, body: CreatedWorldView, about: 'The agent joined the world.' })
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'WORLD_NOT_FOUND')
  async create(
    @Param('agentId', UuidPipe) agentId: string,
    @Body() body: CreateWorldBody,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<CreatedWorldView> {
    if (body.name === undefined && body.worldId !== undefined) {
      const world = await this.worlds.join(agentId, body.worldId.toLowerCase());
      response.status(200);
      return { success: true, world: presentWorld(world) };
    }
    return { world: presentWorld(await this.worlds.create(agentId, toCreateWorld(body))) };
  }

  /** Changes a world of an agent. */
  @Patch(':worldId')
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'WORLD_NOT_FOUND')
  async update(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('worldId', UuidPipe) worldId: string,
    @Body() body: UpdateWorldBody,
  ): Promise<UpdatedWorldView> {
    return presentUpdatedWorld(await this.worlds.update(agentId, worldId, body));
  }
}
