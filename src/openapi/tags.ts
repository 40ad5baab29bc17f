import { MODULES } from '../app.module.js';

/** The tags of all modules. */
export const TAGS = MODULES.flatMap(({ tags = [] }) => tags);

/** The tag of a path: the one with the longest match. @throws Error when no tag matches */
export function tagOf(path: string): string {
  const matches = TAGS.flatMap(({ name, paths }) => paths.map((pattern) => ({ name, length: pattern.exec(path)?.[0].length ?? -1 })));
  const best = matches.reduce((one, other) => (other.length > one.length ? other : one));
  if (best.length === -1) throw new Error(`${path} has no tag: add the path to the tags of its module's descriptor`);
  return best.name;
}
