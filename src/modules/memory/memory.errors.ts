import { AppError } from '../../core/errors/index.js';

export function memoryNotFound(id: string): AppError {
  return new AppError('MEMORY_NOT_FOUND', `The agent has no memory with the id ${id}.`);
}

export function memoryExists(id: string): AppError {
  return new AppError('CONFLICT', `The memory ${id} belongs to another agent.`, 'Leave the id out or choose another.');
}

export function unfitVector(reason: string, wayOut?: string): AppError {
  return new AppError('VALIDATION_ERROR', `embedding cannot be stored: ${reason}`, wayOut);
}

export function worldNotFound(id: string): AppError {
  return new AppError(
    'WORLD_NOT_FOUND',
    `There is no world with the id ${id}.`,
    'Create it with a name: POST /api/agents/{agentId}/worlds.',
  );
}

export function roomNotFound(id: string): AppError {
  return new AppError('ROOM_NOT_FOUND', `The agent has no room with the id ${id}.`, 'GET /api/agents/{agentId}/rooms lists its rooms.');
}

export function roomFollowsChannel(id: string, channelId: string): AppError {
  return new AppError(
    'CONFLICT',
    `The room ${id} follows the channel ${channelId}.`,
    'Delete the channel, or only what the agent remembers of it: DELETE /api/memory/{agentId}/memories/all/{roomId}.',
  );
}

export function roomExists(id: string): AppError {
  return new AppError('ROOM_EXISTS', `The room ${id} belongs to another agent.`, 'Leave roomId out or choose another.');
}

/** For a write that found the agent's row gone although the agent was known a moment before. */
export function agentDeleted(id: string, cause: unknown): AppError {
  return new AppError('AGENT_NOT_FOUND', `The agent with the id ${id} was deleted meanwhile.`, undefined, cause);
}
