import { Body, Controller, Param, Patch, UseGuards } from '@nestjs/common';
import { UuidPipe } from '../../core/http/index.js';
import { AgentPathGuard } from './agent-path.guard.js';
import { presentUpdate, toUpdateMemory, UpdateMemoryBody } from './memories.dto.js';
import { MemoriesService } from './memories.service.js';

@Controller('api/memory/:agentId/memories')
@UseGuards(AgentPathGuard)
export class MemoriesController {
  constructor(private readonly memories: MemoriesService) {}

  /** Updates a memory of an agent. */
  @Patch(':memoryId')
  async update(
    @Param('agentId', UuidPipe) agentId: string,
    @Param('memoryId', UuidPipe) memoryId: string,
    @Body() body: UpdateMemoryBody,
  ): Promise<unknown> {
    return presentUpdate(await this.memories.update(agentId, memoryId, toUpdateMemory(body)));
  }
}
