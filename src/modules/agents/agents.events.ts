import type { EventDefinitions } from '../../core/journal/index.js';

interface AgentReference {
  agentId: string;
  name: string;
}

/** Entries without a channel that notify the processes of a shared database of agent changes. */
interface AgentEvents {
  'agent.created': AgentReference;
  'agent.updated': AgentReference;
  'agent.started': AgentReference;
  'agent.stopped': AgentReference;
  'agent.deleted': AgentReference;
}

export const AGENT_EVENTS: EventDefinitions<AgentEvents> = {
  'agent.created': { about: 'An agent was created.' },
  'agent.updated': { about: 'The character or the settings of an agent changed.' },
  'agent.started': { about: 'An agent was started.' },
  'agent.stopped': { about: 'An agent was stopped.' },
  'agent.deleted': { about: 'An agent was deleted.' },
};

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends AgentEvents {}
}
