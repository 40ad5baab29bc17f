import { Body, Controller, Get, Param, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiResponses, parseCursor, type HttpResponse, ApiErrors, UuidPipe } from '../../core/http/index.js';
import { AgentExistsGuard } from '../agents/index.js';
import {
  CreatedWorldView,
  CreateWorldBody,
  MAX_PAGE_SIZE,
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

/** Must be registered before `GET /api/agents/:agentId`, which would match `worlds` as an id; see the order in app.module.ts. */
@Controller('api/agents/worlds')
export class AllWorldsController {
  constructor(private readonly worlds: WorldsService) {}

  /** Worlds of all agents, oldest first. */
  @Get()
  @ApiErrors('VALIDATION_ERROR')
  async list(@Query() { agentId, limit, after }: ListWorldsQuery): Promise<WorldsView> {
    const size = Number(limit ?? MAX_PAGE_SIZE);
    return presentWorlds(await this.worlds.list(agentId?.toLowerCase(), parseCursor('after', after), size));
  }
}

@Controller('api/agents/:agentId/worlds')
@UseGuards(AgentExistsGuard)
export class WorldsController {
  constructor(private readonly worlds: WorldsService) {}

  /** Creates a world for an agent. With a `worldId` instead of a name, the agent joins that world. */
  @Post()
  @ApiResponses({ status: 200, body: CreatedWorldView, about: 'The agent joined the world.' })
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'WORLD_NOT_FOUND')
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
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'WORLD_NOT_FOUND')
  async update(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('worldId', UuidPipe) worldId: string,
    @Body() body: UpdateWorldBody,
  ): Promise<UpdatedWorldView> {
    return presentUpdatedWorld(await this.worlds.update(agentId, worldId, body));
  }
}
