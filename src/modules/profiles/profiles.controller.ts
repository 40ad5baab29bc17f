import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { ApiErrors, UuidPipe } from '../../core/http/index.js';
import { AgentExistsGuard } from '../agents/index.js';
import { presentProfile, ProfileView } from './profiles.dto.js';
import { ProfilesService } from './profiles.service.js';

@Controller('api/memory/:agentId/users')
@UseGuards(AgentExistsGuard)
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  /** What an agent knows about a user, with the messages that it comes from. */
  @Get(':userId/profile')
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
  async read(@Param('agentId', UuidPipe) agentId: string, @Param('userId', UuidPipe) userId: string): Promise<ProfileView> {
    return presentProfile(userId, await this.profiles.list(agentId, userId));
  }
}
