import { AppError } from '../../core/errors/index.js';

export function agentNotFound(id: string): AppError {
  return new AppError('AGENT_NOT_FOUND', `No agent has the id ${id}.`, 'GET /api/agents lists the agents and their ids.');
}

export function agentNotRunning(id: string): AppError {
  return new AppError('AGENT_NOT_FOUND', `The agent with the id ${id} is not running.`, 'POST /api/agents/{agentId}/start starts it.');
}
