// The rooms of an agent and the people in them, to choose from and to name.
import type { RoomView } from 'parley-client';
import { parley } from '../../api.js';
import { personName } from '../../chat/channel-name.js';
import { useLoad, type Loaded } from '../../load.js';

/** Rooms that can be chosen from; those of others are reached from their memories. */
const ROOMS = 1000;

/** The oldest 1000 rooms of an agent. */
export function useRooms(agentId: string | undefined): Loaded<readonly RoomView[]> {
  return useLoad(
    async () =>
      agentId === undefined
        ? []
        : (await parley.call('GET /api/agents/{agentId}/rooms', { path: { agentId }, query: { limit: ROOMS } })).rooms,
    [agentId],
  );
}

/** Names of the people in rooms, by id; the agent is not among them. */
export function peopleIn(rooms: readonly RoomView[]): ReadonlyMap<string, string> {
  return new Map(
    rooms.flatMap(({ agentId, entities }) =>
      entities.filter(({ id }) => id !== agentId).map(({ id, name }) => [id, name || `${personName(name)} ${id.slice(0, 8)}`] as const),
    ),
  );
}
