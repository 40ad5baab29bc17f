import type { Agent } from './agents.service.js';

/** An agent in a listing. */
export interface AgentEntry {
  id: string;
  name: string;
  /** The same as `name`, under the name that elizaOS clients read. */
  characterName: string;
  username?: string;
  /** First entry of the character's bio. */
  bio: string;
  topics: string[];
  status: 'active' | 'inactive';
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
}

export interface AgentsResponse {
  agents: AgentEntry[];
}

// The service hands out the same array until an agent changes.
const presented = new WeakMap<readonly Agent[], AgentsResponse>();

export function presentAgents(agents: readonly Agent[]): AgentsResponse {
  const known = presented.get(agents);
  if (known) return known;
  const response = { agents: agents.map(agentEntry) };
  presented.set(agents, response);
  return response;
}

function agentEntry({ id, name, status, character, createdAt, updatedAt }: Agent): AgentEntry {
  const { bio, username, topics = [] } = character;
  const firstBio = typeof bio === 'string' ? bio : (bio[0] ?? '');
  return { id, name, characterName: name, username, bio: firstBio, topics, status, createdAt, updatedAt };
}
