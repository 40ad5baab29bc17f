import type { Request, RequestHandler } from 'express';
import { AppError } from '../core/errors/index.js';
import { isUuid } from '../core/ids/index.js';
import type { Journal } from '../core/journal/index.js';
import type { AgentsService } from '../modules/agents/index.js';

const MAX_WAIT_MS = 1000;
const POSITION = /^\d{1,15}$/;
const NAMES_AGENT = /agent|participant|target/i;
/** The fields of queries and bodies that name agents. */
const AGENT_FIELDS = ['agentId', 'agent_id', 'agentIds', 'agents', 'participantCentralUserIds', 'participants', 'targetUserId'];
const MAX_AGENTS = 20;

/**
 * Has a request see what other processes have acknowledged before it: everything up to its `X-Parley-Position` (waits at most 1 s), and the
 * agents that its address names, of which this process may not have heard yet.
 */
export function catchUp(journal: Journal, agents: AgentsService): RequestHandler {
  return (request, _response, next) => {
    const position = request.headers['x-parley-position'];
    if (position !== undefined && (typeof position !== 'string' || !POSITION.test(position))) {
      next(
        new AppError('VALIDATION_ERROR', 'X-Parley-Position must be a whole number', 'Send the value of an earlier response, or omit it.'),
      );
      return;
    }
    const delivered = position === undefined ? undefined : journal.delivered(Number(position), MAX_WAIT_MS);
    const unknown = agents.unknown(agentsNamed(request.path, [request.query]));
    if (position === undefined && unknown.length === 0) {
      next();
      return;
    }
    const upToDate = async (): Promise<void> => {
      await delivered;
      await refreshed(agents, unknown);
    };
    upToDate().then(() => next(), next);
  };
}

/** As `catchUp`, for the agents that a body names. */
export function catchUpWithBody(agents: AgentsService): (request: Request) => Promise<void> | undefined {
  return ({ body }) => {
    const unknown = agents.unknown(agentsNamed('', [body]));
    return unknown.length === 0 ? undefined : refreshed(agents, unknown);
  };
}

async function refreshed(agents: AgentsService, ids: readonly string[]): Promise<void> {
  await agents.whenIdle();
  await Promise.all(agents.unknown(ids).map((id) => agents.refresh(id)));
}

/** Up to 20 ids that stand where an agent is named: in the path after `agents`, and in fields. */
function agentsNamed(path: string, fields: readonly unknown[]): string[] {
  const segments = path.split('/');
  const inPath = segments.filter((_, index) => NAMES_AGENT.test(segments[index - 1] ?? ''));
  const inFields = fields.flatMap((each) => AGENT_FIELDS.flatMap((name) => (each as Record<string, unknown> | undefined)?.[name] ?? []));
  return [...inPath, ...inFields].filter(isUuid).slice(0, MAX_AGENTS);
}
