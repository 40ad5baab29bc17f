import { AppError } from '../../core/errors/index.js';

export function memoryNotFound(id: string): AppError {
  return new AppError('MEMORY_NOT_FOUND', `The agent has no memory with the id ${id}.`);
}

export function memoryVersionNotFound(id: string, version: number | undefined): AppError {
  return version === undefined
    ? new AppError('MEMORY_VERSION_NOT_FOUND', `The memory ${id} has never been changed.`, 'There is nothing to undo.')
    : new AppError(
        'MEMORY_VERSION_NOT_FOUND',
        `The memory ${id} has no former version ${version}.`,
        'GET /api/memory/{agentId}/memories/{memoryId}/history lists its versions; the newest 100 are kept.',
      );
}

export function memoryExists(id: string): AppError {
  return new AppError('CONFLICT', `The memory ${id} belongs to another agent.`, 'Omit the id or choose another.');
}

export function invalidEmbedding(reason: string, wayOut?: string): AppError {
  return new AppError('VALIDATION_ERROR', `embedding cannot be stored: ${reason}`, wayOut);
}

export function worldNotFound(id: string): AppError {
  return new AppError('WORLD_NOT_FOUND', `No world has the id ${id}.`, 'Create it with a name: POST /api/agents/{agentId}/worlds.');
}

export function roomNotFound(id: string): AppError {
  return new AppError('ROOM_NOT_FOUND', `The agent has no room with the id ${id}.`, 'GET /api/agents/{agentId}/rooms lists its rooms.');
}

export function summaryNotFound(roomId: string): AppError {
  return new AppError(
    'SUMMARY_NOT_FOUND',
    `The room ${roomId} has no summary.`,
    'A summary is made of a long conversation only, by a language model, unless CONVERSATION_SUMMARY=none.',
  );
}

export function roomFollowsChannel(id: string, channelId: string): AppError {
  return new AppError(
    'CONFLICT',
    `The room ${id} follows the channel ${channelId}.`,
    "Delete the channel, or only the agent's memories of it: DELETE /api/memory/{agentId}/memories/all/{roomId}.",
  );
}

export function roomExists(id: string): AppError {
  return new AppError('ROOM_EXISTS', `The room ${id} belongs to another agent.`, 'Omit roomId or choose another.');
}

/** For a write whose agent was deleted concurrently. */
export function agentDeleted(id: string, cause: unknown): AppError {
  return new AppError('AGENT_NOT_FOUND', `The agent with the id ${id} has been deleted.`, undefined, cause);
}
