import { Body, Controller, Delete, Get, Param, Patch, Query, UseGuards } from '@nestjs/common';
import { HybridEnvelope, ApiErrors, UuidPipe, VouchedUsers, type Users } from '../../core/http/index.js';
import { AgentExistsGuard } from './agent-exists.guard.js';
import {
  DeletedMemoriesView,
  DeletedMemoryView,
  ListMemoriesQuery,
  MemoriesView,
  MemoryView,
  presentMemories,
  presentMemory,
  presentUpdate,
  toFilter,
  toPaging,
  toUpdateMemory,
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

  /** Updates a memory of an agent. */
  @Patch(':memoryId')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND', 'VALIDATION_ERROR', 'MEMORY_NOT_FOUND')
  async update(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('memoryId', UuidPipe) memoryId: string,
    @Body() body: UpdateMemoryBody,
    @VouchedUsers() users: Users,
  ): Promise<UpdatedMemoryView> {
    return presentUpdate(await this.memories.update(agentId, memoryId, toUpdateMemory(body), users));
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
