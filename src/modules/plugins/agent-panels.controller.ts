import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { PathIdsGuard, ApiErrors, UuidPipe } from '../../core/http/index.js';
import { AgentsService } from '../agents/index.js';
import { AgentPanelView } from './agent-panels.dto.js';
import { PluginHost } from './plugin-host.js';

@Controller('api/agents/:agentId/panels')
@UseGuards(PathIdsGuard)
export class AgentPanelsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly host: PluginHost,
  ) {}

  /** Lists the pages that plugins provide for an agent: public GET routes with a name. */
  @Get()
  @ApiErrors('INVALID_ID', 'AGENT_NOT_FOUND')
  async list(@Param('agentId', UuidPipe) agentId: string): Promise<AgentPanelView[]> {
    this.agents.require(agentId);
    return this.host.plugins().flatMap(({ plugin, routes }) =>
      routes.flatMap(({ route, path }) => {
        if (route.type !== 'GET' || route.public !== true || !route.name) return [];
        const url = `/api/agents/${agentId}/plugins/${encodeURIComponent(plugin.name)}${path}?agentId=${agentId}`;
        return [{ name: route.name, path: url, url, type: 'plugin' }];
      }),
    );
  }
}
