import { AppError } from '../../core/errors/index.js';
import { idFromText } from '../../core/ids/index.js';

/** An agent, as far as its name goes. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Refuses a name that another agent goes by: who names agents must not take one for the other. Case, white space and forms of the same letters make
 * no difference.
 *
 * @throws AppError CONFLICT
 */
export function refuseTaken({ id, name }: Named, agents: readonly Named[]): void {
  const other = agents.find((agent) => agent.id !== id && isSameName(agent.name, name));
  if (other) throw taken(name, other);
}

/** As `refuseTaken`, also for the name that another agent's id follows from, which that agent had first. */
export function refuseRename({ id, name }: Named, agents: readonly Named[]): void {
  refuseTaken({ id, name }, agents);
  const other = agents.find((agent) => agent.id !== id && agent.id === idFromText(name));
  if (other) throw taken(name, other);
}

/** Whether two names are the same to a reader. */
export function isSameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}

function taken(name: string, { id }: Named): AppError {
  return new AppError(
    'CONFLICT',
    `The name ${name} belongs to the agent ${id}.`,
    'Give the agent a name that no other agent has or had first.',
  );
}
