import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { cursorOf, Refuses, UuidPipe, VouchedUsers, type Users } from '../../core/http/index.js';
import { AgentPathGuard } from './agent-path.guard.js';
import { ListMemoriesQuery, MemoriesView, presentMemories, toFilter, toPaging } from './memories.dto.js';
import { MemoriesService } from './memories.service.js';
import {
  CreateRoomBody,
  LARGEST_PAGE,
  ListRoomsQuery,
  presentRoom,
  presentRooms,
  RoomDetailsView,
  RoomsView,
  RoomView,
  toCreateRoom,
  UpdateRoomBody,
} from './rooms.dto.js';
import { RoomsService } from './rooms.service.js';

const MEMORIES_IN_A_PAGE = 20;

@Controller(['api/agents/:agentId/rooms', 'api/memory/:agentId/rooms'])
@UseGuards(AgentPathGuard)
export class RoomsController {
  constructor(
    private readonly rooms: RoomsService,
    private readonly memories: MemoriesService,
  ) {}

  /** Creates a room for an agent. */
  @Post()
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'ROOM_EXISTS')
  async create(@Param('agentId', UuidPipe) agentId: string, @Body() body: CreateRoomBody, @VouchedUsers() users: Users): Promise<RoomView> {
    return presentRoom(await this.rooms.create(agentId, { ...toCreateRoom(body), users }));
  }

  /** Rooms of an agent, oldest first. */
  @Get()
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR')
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() query: ListRoomsQuery): Promise<RoomsView> {
    const { worldId, channelId, limit, after } = query;
    const filter = { agentId, worldId: worldId?.toLowerCase(), channelId: channelId?.toLowerCase() };
    return presentRooms(await this.rooms.list(filter, cursorOf('after', after), Number(limit ?? LARGEST_PAGE)));
  }

  /** A room of an agent; the id of a channel stands for the agent's room of it. */
  @Get(':roomId')
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND', 'ROOM_NOT_FOUND')
  async read(@Param('agentId', UuidPipe) agentId: string, @Param('roomId', UuidPipe) roomId: string): Promise<RoomDetailsView> {
    const room = await this.rooms.require(agentId, roomId);
    return { ...presentRoom(room), worldName: await this.rooms.worldName(room) };
  }

  /** Renames a room of an agent, or lays metadata over its own. */
  @Patch(':roomId')
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'ROOM_NOT_FOUND')
  async update(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('roomId', UuidPipe) roomId: string,
    @Body() body: UpdateRoomBody,
  ): Promise<RoomView> {
    return presentRoom(await this.rooms.update(agentId, roomId, body));
  }

  /** Deletes a room with what the agent remembers of it. */
  @Delete(':roomId')
  @HttpCode(204)
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND', 'ROOM_NOT_FOUND', 'CONFLICT')
  async delete(@Param('agentId', UuidPipe) agentId: string, @Param('roomId', UuidPipe) roomId: string): Promise<void> {
    await this.rooms.delete(agentId, roomId);
  }

  /** What an agent remembers of a room, newest first; the id of a channel stands for the agent's room of it. */
  @Get(':roomId/memories')
  @Refuses('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'ROOM_NOT_FOUND')
  async memoriesOf(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('roomId', UuidPipe) roomId: string,
    @Query() query: ListMemoriesQuery,
  ): Promise<MemoriesView> {
    const filter = toFilter(agentId, query);
    const paging = toPaging(query, MEMORIES_IN_A_PAGE);
    const { id } = await this.rooms.require(agentId, roomId);
    return presentMemories(await this.memories.list({ ...filter, roomId: id }, paging));
  }
}
