import type { RequestHandler } from 'express';
import { AppError } from '../core/errors/index.js';
import { isUuid } from '../core/ids/index.js';
import type { Journal } from '../core/journal/index.js';
import type { AgentsService } from '../modules/agents/index.js';

const MAX_WAIT_MS = 1000;
const POSITION = /^\d{1,15}$/;
const NAMES_AGENT = /agent|participant|target/i;
const MAX_AGENTS = 20;

/**
 * Has a request see what other processes have acknowledged before it: everything up to its `X-Parley-Position` (waits at most 1 s), and the
 * agents that it names, of which this process may not have heard yet.
 */
export function catchUp(journal: Journal, agents: AgentsService): RequestHandler {
  return (request, _response, next) => {
    const position = request.headers['x-parley-position'];
    if (position !== undefined && (typeof position !== 'string' || !POSITION.test(position))) {
      next(
        new AppError('VALIDATION_ERROR', 'X-Parley-Position must be a whole number', 'Send the value of an earlier answer, or omit it.'),
      );
      return;
    }
    const told = position === undefined ? undefined : journal.told(Number(position), MAX_WAIT_MS);
    const unknown = agents.unknown(agentsNamed(request.path, [request.query, request.body]));
    if (position === undefined && unknown.length === 0) {
      next();
      return;
    }
    const upToDate = async (): Promise<void> => {
      await told;
      await agents.whenIdle();
      await Promise.all(agents.unknown(unknown).map((id) => agents.refresh(id)));
    };
    upToDate().then(() => next(), next);
  };
}

/** Ids that stand where an agent is named: in the path after `agents`, and in fields that are called after agents or participants. */
function agentsNamed(path: string, fields: readonly unknown[]): string[] {
  const segments = path.split('/');
  const inPath = segments.filter((_, index) => NAMES_AGENT.test(segments[index - 1] ?? ''));
  const inFields = fields.flatMap((each) =>
    Object.entries(typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {}).flatMap(
      ([name, value]): unknown[] => (NAMES_AGENT.test(name) ? [value].flat() : []),
    ),
  );
  return [...inPath, ...inFields].filter(isUuid).slice(0, MAX_AGENTS);
}
