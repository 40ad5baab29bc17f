import type { ApiClient } from './api-client.js';
import { ForbiddenError, NotFoundError, UnauthenticatedError } from './errors.js';
import { idFromText, isUuid } from './ids.js';
import { textOption } from './options.js';

/** The shape of a JSON Web Token. */
const USER_TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The id of an agent that is named by its id or its name. Users' tokens can't list agents: for them it is the id that an agent gets from its
 * first name.
 *
 * @throws NotFoundError when no agent has this name; InvalidError
 */
export async function agentIdOf(api: ApiClient, agent: string): Promise<string> {
  textOption('agent', agent, 'Name the agent by its id or by its exact name.');
  if (isUuid(agent)) return agent.toLowerCase();
  // The server would refuse the list, and browsers log each refusal as an error.
  if (USER_TOKEN.test((await api.http.credential()) ?? '')) return idFromText(agent);
  const name = agent.trim().toLowerCase();
  let after: string | undefined;
  try {
    do {
      const page = await api.call('GET /api/agents', { query: { after } });
      const found = page.agents.find((one) => one.name.trim().toLowerCase() === name);
      if (found) return found.id;
      after = page.nextCursor ?? undefined;
    } while (after !== undefined);
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof UnauthenticatedError) return idFromText(agent);
    throw error;
  }
  throw new NotFoundError({
    code: 'AGENT_NOT_FOUND',
    message: `There is no agent with the name ${agent}.`,
    details: 'Name the agent by its id or by its exact name.',
    status: 404,
  });
}
