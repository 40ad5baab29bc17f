import { AppError } from '../../core/errors/index.js';
import { idFromText } from '../../core/ids/index.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Refuses a name that another agent has, so that names identify agents. Ignores case, white space and Unicode compatibility forms.
 *
 * @throws AppError CONFLICT
 */
export function assertNameAvailable({ id, name }: Named, agents: readonly Named[]): void {
  const other = agents.find((agent) => agent.id !== id && isSameName(agent.name, name));
  if (other) throw nameTaken(name, other);
}

/** As `assertNameAvailable`; also refuses the name from which another agent's id is derived. */
export function assertRenameAllowed({ id, name }: Named, agents: readonly Named[]): void {
  assertNameAvailable({ id, name }, agents);
  const other = agents.find((agent) => agent.id !== id && agent.id === idFromText(name));
  if (other) throw nameTaken(name, other);
}

/** Whether two names are equal after normalization. */
export function isSameName(one: string, other: string): boolean {
  return comparableName(one) === comparableName(other);
}

/** A name without the differences that `isSameName` ignores. */
export function comparableName(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}

function nameTaken(name: string, { id }: Named): AppError {
  return new AppError(
    'CONFLICT',
    `The name ${name} belongs to the agent ${id}.`,
    'Choose a name that no other agent has, or had when it was created.',
  );
}
