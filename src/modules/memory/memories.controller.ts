import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { HybridEnvelope, ApiErrors, FromCaller, UuidPipe, type Caller } from '../../core/http/index.js';
import { AgentExistsGuard } from '../agents/index.js';
import {
  DeletedMemoriesView,
  DeletedMemoryView,
  ListMemoriesQuery,
  MemoriesView,
  MemoryHistoryQuery,
  MemoryHistoryView,
  MemoryView,
  presentHistory,
  presentMemories,
  presentMemory,
  presentUpdate,
  toFilter,
  toHistoryPaging,
  toPaging,
  toUpdateMemory,
  UndoMemoryBody,
  UpdatedMemoryView,
  UpdateMemoryBody,
} from './memories.dto.js';
import { MemoriesService } from './memories.service.js';
import { RoomsService } from './rooms.service.js';

@Controller(['api/memory/:agentId/memories', 'api/agents/:agentId/memories'])
@UseGuards(AgentExistsGuard)
export class MemoriesController {
  constructor(
    private readonly memories: MemoriesService,
    private readonly rooms: RoomsService,
  ) {}

  /** Memories of an agent, newest first. */
  @Get()
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR')
  async list(@Param('agentId', UuidPipe) agentId: string, @Query() query: ListMemoriesQuery): Promise<MemoriesView> {
    return presentMemories(await this.memories.list(toFilter(agentId, query), toPaging(query)));
  }

  /** Deletes all memories of an agent. */
  @Delete()
  @HybridEnvelope()
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
  async deleteAll(@Param('agentId', UuidPipe) agentId: string): Promise<DeletedMemoriesView> {
    return deletedMemories(await this.memories.deleteAll({ agentId }));
  }

  /** Deletes an agent's memories of a room, or of the room that follows a channel. */
  @Delete('all/:roomId')
  @HybridEnvelope()
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'ROOM_NOT_FOUND')
  async deleteRoom(@Param('agentId', UuidPipe) agentId: string, @Param('roomId', UuidPipe) roomId: string): Promise<DeletedMemoriesView> {
    const { id } = await this.rooms.require(agentId, roomId);
    return deletedMemories(await this.memories.deleteAll({ agentId, roomId: id }));
  }

  /** One memory of an agent, with its vector if it has one. */
  @Get(':memoryId')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'MEMORY_NOT_FOUND')
  async read(@Param('agentId', UuidPipe) agentId: string, @Param('memoryId', UuidPipe) memoryId: string): Promise<MemoryView> {
    return presentMemory(await this.memories.require(agentId, memoryId));
  }

  /** The former versions of a memory, newest first: what was changed by whom, and when. */
  @Get(':memoryId/history')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'MEMORY_NOT_FOUND')
  async history(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('memoryId', UuidPipe) memoryId: string,
    @Query() query: MemoryHistoryQuery,
  ): Promise<MemoryHistoryView> {
    return presentHistory(await this.memories.history(agentId, memoryId, toHistoryPaging(query)));
  }

  /**
   * Restores a former version of a memory.
   *
   * @remarks This is a change like any other: the present version becomes the newest former one, so undoing twice restores it. To
   * go back further, name the version.
   */
  @Post(':memoryId/undo')
  @HttpCode(200)
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'MEMORY_NOT_FOUND', 'MEMORY_VERSION_NOT_FOUND')
  async undo(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('memoryId', UuidPipe) memoryId: string,
    @Body() { version }: UndoMemoryBody,
    @FromCaller() caller: Caller,
  ): Promise<UpdatedMemoryView> {
    return presentUpdate(await this.memories.undo(agentId, memoryId, version, caller), 'Memory restored successfully');
  }

  /** Updates a memory of an agent, and keeps the former version in its history. */
  @Patch(':memoryId')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'MEMORY_NOT_FOUND')
  async update(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('memoryId', UuidPipe) memoryId: string,
    @Body() body: UpdateMemoryBody,
    @FromCaller() caller: Caller,
  ): Promise<UpdatedMemoryView> {
    return presentUpdate(await this.memories.update(agentId, memoryId, toUpdateMemory(body), caller));
  }

  /** Deletes a memory of an agent. */
  @Delete(':memoryId')
  @HybridEnvelope()
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'MEMORY_NOT_FOUND')
  async delete(@Param('agentId', UuidPipe) agentId: string, @Param('memoryId', UuidPipe) memoryId: string): Promise<DeletedMemoryView> {
    await this.memories.delete(agentId, memoryId);
    return { success: true, message: 'Memory deleted successfully' };
  }
}

function deletedMemories(deleted: number): DeletedMemoriesView {
  return { success: true, deleted, message: `${deleted} memories deleted successfully` };
}
