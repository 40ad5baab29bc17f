import { Body, Controller, Delete, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Hybrid, PathIdsGuard, Refuses, UuidPipe } from '../../core/http/index.js';
import { CreateGroupBody, ForgottenGroupView, GroupRoomView, GroupView, presentGroupRoom, toCreateGroup } from './groups.dto.js';
import { GroupsService } from './groups.service.js';

@Controller('api/memory/groups/:messageServerId')
@UseGuards(PathIdsGuard)
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  /** Gives agents a room of a message server: a list of rooms, or `{ worldId, rooms }` when the body names no agents. */
  @Post()
  @Refuses('INVALID_ID', 'VALIDATION_ERROR', 'AGENT_NOT_FOUND')
  async create(
    @Param('messageServerId', UuidPipe) messageServerId: string,
    @Body() body: CreateGroupBody,
  ): Promise<GroupRoomView[] | GroupView> {
    const command = toCreateGroup(messageServerId, body);
    const rooms = (await this.groups.create(command)).map(presentGroupRoom);
    return command.agentIds ? rooms : { worldId: command.worldId ?? messageServerId, rooms };
  }

  /** Deletes the rooms of a world or message server with what agents remember of them; rooms that follow channels stay, empty. */
  @Delete()
  @HttpCode(204)
  @Refuses('INVALID_ID')
  async delete(@Param('messageServerId', UuidPipe) place: string): Promise<void> {
    await this.groups.delete(place);
  }

  /** Makes agents forget what was said in a world or on a message server. */
  @Delete('memories')
  @Hybrid()
  @Refuses('INVALID_ID')
  async forget(@Param('messageServerId', UuidPipe) place: string): Promise<ForgottenGroupView> {
    return { success: true, deleted: await this.groups.forget(place) };
  }
}
