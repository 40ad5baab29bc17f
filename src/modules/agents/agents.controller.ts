import { Controller, Get } from '@nestjs/common';
import { presentAgents, type AgentsResponse } from './agents.dto.js';
import { AgentsService } from './agents.service.js';

@Controller('api/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  list(): AgentsResponse {
    return presentAgents(this.agents.list());
  }
}
