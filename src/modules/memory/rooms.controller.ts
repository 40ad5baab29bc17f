import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { parseCursor, ApiErrors, UuidPipe, VouchedUsers, type Users } from '../../core/http/index.js';
import { AgentExistsGuard } from '../agents/index.js';
import { ListMemoriesQuery, MemoriesView, presentMemories, toFilter, toPaging } from './memories.dto.js';
import { MemoriesService } from './memories.service.js';
import {
  CreateRoomBody,
  MAX_PAGE_SIZE,
  ListRoomsQuery,
  presentRoom,
  presentRooms,
  RoomDetailsView,
  RoomsView,
  RoomView,
  SummaryView,
  presentSummary,
  toCreateRoom,
  UpdateRoomBody,
} from './rooms.dto.js';
import { ConversationSummaries } from './conversation-summaries.js';
import { RoomsService } from './rooms.service.js';

const MEMORIES_IN_A_PAGE = 20;

@Controller(['api/agents/:agentId/rooms', 'api/memory/:agentId/rooms'])
@UseGuards(AgentExistsGuard)
export class RoomsController {
  constructor(
    private readonly rooms: RoomsService,
    private readonly memories: MemoriesService,
    private readonly summaries: ConversationSummaries,
  ) {}

  /** Creates a room for an agent. */
  @Post()
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'ROOM_EXISTS')
  async create(@Param('agentId', UuidPipe) agentId: string, @Body() body: CreateRoomBody, @VouchedUsers() users: Users): Promise<RoomView> {
    return presentRoom(await this.rooms.create(agentId, { ...toCreateRoom(body), users }));
  }

  /** Rooms of an agent, oldest first. */
  @Get()
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR')
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() query: ListRoomsQuery): Promise<RoomsView> {
    const { worldId, channelId, limit, after } = query;
    const filter = { agentId, worldId: worldId?.toLowerCase(), channelId: channelId?.toLowerCase() };
    return presentRooms(await this.rooms.list(filter, parseCursor('after', after), Number(limit ?? MAX_PAGE_SIZE)));
  }

  /** A room of an agent, by its id or by the id of the channel that it follows. */
  @Get(':roomId')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'ROOM_NOT_FOUND')
  async read(@Param('agentId', UuidPipe) agentId: string, @Param('roomId', UuidPipe) roomId: string): Promise<RoomDetailsView> {
    const room = await this.rooms.require(agentId, roomId);
    return { ...presentRoom(room), worldName: await this.rooms.worldName(room) };
  }

  /** Renames a room of an agent, or merges metadata into its own. */
  @Patch(':roomId')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'ROOM_NOT_FOUND')
  async update(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('roomId', UuidPipe) roomId: string,
    @Body() body: UpdateRoomBody,
  ): Promise<RoomView> {
    return presentRoom(await this.rooms.update(agentId, roomId, body));
  }

  /** Deletes a room with its memories. */
  @Delete(':roomId')
  @HttpCode(204)
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'ROOM_NOT_FOUND', 'CONFLICT')
  async delete(@Param('agentId', UuidPipe) agentId: string, @Param('roomId', UuidPipe) roomId: string): Promise<void> {
    await this.rooms.delete(agentId, roomId);
  }

  /** The summary of a long conversation, and the messages that it summarises. The id of a channel selects the room that follows it. */
  @Get(':roomId/summary')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'ROOM_NOT_FOUND', 'SUMMARY_NOT_FOUND')
  async summary(@Param('agentId', UuidPipe) agentId: string, @Param('roomId', UuidPipe) roomId: string): Promise<SummaryView> {
    const { id } = await this.rooms.require(agentId, roomId);
    return presentSummary(id, await this.summaries.require({ agentId, roomId: id }));
  }

  /** An agent's memories of a room, newest first. The id of a channel selects the room that follows it. */
  @Get(':roomId/memories')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'ROOM_NOT_FOUND')
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
