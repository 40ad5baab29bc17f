import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import type { Problem, ProblemSource } from '../../../core/health/index.js';
import { AgentsService } from '../../agents/index.js';
import { RunsRepository, type RunRow } from './runs.repository.js';

const HOUR_MS = 3_600_000;
const MAX_COUNTED = 1000;

/** The failed turns of the last hour by agent, each with its latest error; of the newest 1,000. */
@Injectable()
export class FailedTurns implements ProblemSource {
  constructor(
    private readonly runs: RunsRepository,
    private readonly agents: AgentsService,
    private readonly clock: Clock,
  ) {}

  async problems(): Promise<Problem[]> {
    const byAgent = new Map<string, RunRow[]>();
    for (const row of await this.runs.failedSince(this.clock.now() - HOUR_MS, MAX_COUNTED)) {
      const earlier = byAgent.get(row.agentId);
      if (earlier) earlier.push(row);
      else byAgent.set(row.agentId, [row]);
    }
    return [...byAgent].flatMap(([agentId, rows]) => {
      const agent = this.agents.find(agentId);
      return agent ? [problemOf(agentId, agent.name, rows)] : [];
    });
  }
}

/** @param rows newest first */
function problemOf(agentId: string, name: string, rows: readonly RunRow[]): Problem {
  const [{ error, createdAt, finishedAt }] = rows as [RunRow, ...RunRow[]];
  const parts = [error?.['message'], error?.['details']].filter((part) => typeof part === 'string');
  return {
    ...{ kind: 'turns', subject: name, agentId, count: rows.length, at: finishedAt ?? createdAt },
    ...{ message: `${name} could not reply to messages of the last hour.`, details: [...new Set(parts)].join(' ') },
  };
}
