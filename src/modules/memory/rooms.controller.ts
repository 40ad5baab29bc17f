import { Body, Controller, Param, Post, UseGuards } from '@nestjs/common';
import { UuidPipe } from '../../core/http/index.js';
import { AgentPathGuard } from './agent-path.guard.js';
import { CreateRoomBody, presentRoom, toCreateRoom } from './rooms.dto.js';
import { RoomsService } from './rooms.service.js';

@Controller('api/agents/:agentId/rooms')
@UseGuards(AgentPathGuard)
export class RoomsController {
  constructor(private readonly rooms: RoomsService) {}

  /** Creates a room for an agent. */
  @Post()
  async create(@Param('agentId', UuidPipe) agentId: string, @Body() body: CreateRoomBody): Promise<unknown> {
    return presentRoom(await this.rooms.create(agentId, toCreateRoom(body)));
  }
}
