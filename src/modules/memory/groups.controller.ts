import { Body, Controller, Delete, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { HybridEnvelope, PathIdsGuard, ApiErrors, UuidPipe } from '../../core/http/index.js';
import { CreateGroupBody, DeletedGroupMemoriesView, GroupRoomView, GroupView, presentGroupRoom, toCreateGroup } from './groups.dto.js';
import { GroupsService } from './groups.service.js';

@Controller('api/memory/groups/:messageServerId')
@UseGuards(PathIdsGuard)
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  /** Creates a room of a message server for each agent. Returns a list of rooms, or `{ worldId, rooms }` when the body names no agents. */
  @Post()
  @ApiErrors('INVALID_ID', 'VALIDATION_ERROR', 'AGENT_NOT_FOUND')
  async create(
    @Param('messageServerId', UuidPipe) messageServerId: string,
    @Body() body: CreateGroupBody,
  ): Promise<GroupRoomView[] | GroupView> {
    const command = toCreateGroup(messageServerId, body);
    const rooms = (await this.groups.create(command)).map(presentGroupRoom);
    return command.agentIds ? rooms : { worldId: command.worldId ?? messageServerId, rooms };
  }

  /** Deletes the rooms of a world or message server with their memories; rooms that follow channels stay, empty. */
  @Delete()
  @HttpCode(204)
  @ApiErrors('INVALID_ID')
  async delete(@Param('messageServerId', UuidPipe) worldOrServerId: string): Promise<void> {
    await this.groups.delete(worldOrServerId);
  }

  /** Deletes all agents' memories of a world or message server. */
  @Delete('memories')
  @HybridEnvelope()
  @ApiErrors('INVALID_ID')
  async forget(@Param('messageServerId', UuidPipe) worldOrServerId: string): Promise<DeletedGroupMemoriesView> {
    return { success: true, deleted: await this.groups.deleteMemories(worldOrServerId) };
  }
}
