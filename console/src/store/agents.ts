// The agents of the server, kept up to date while the tab is visible.
import { signal } from '@preact/signals';
import type { AgentEntry } from 'parley-client';
import { parley } from '../api.js';
import { visible } from '../load.js';

const INTERVAL_MS = 10_000;

/** Undefined until they are loaded. */
export const agents = signal<readonly AgentEntry[] | undefined>(undefined);
/** Why the last attempt to load them failed. */
export const agentsError = signal<unknown>(undefined);

export async function loadAgents(): Promise<void> {
  try {
    agents.value = (await parley.call('GET /api/agents')).agents;
    agentsError.value = undefined;
  } catch (error) {
    agentsError.value = error;
  }
}

/** Starts or stops an agent. @throws ParleyError */
export async function setRunning(agentId: string, running: boolean): Promise<void> {
  await parley.call(running ? 'POST /api/agents/{agentId}/start' : 'POST /api/agents/{agentId}/stop', { path: { agentId } });
  await loadAgents();
}

export function agentName(agentId: string): string {
  return agents.value?.find(({ id }) => id === agentId)?.name ?? agentId.slice(0, 8);
}

let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Keeps the agents up to date until the returned function is called. */
export function watchAgents(): () => void {
  users += 1;
  if (users === 1) {
    void loadAgents();
    timer = setInterval(() => {
      if (visible.peek()) void loadAgents();
    }, INTERVAL_MS);
  }
  return () => {
    users -= 1;
    if (users === 0) clearInterval(timer);
  };
}
