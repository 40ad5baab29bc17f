import { resolve } from 'node:path';

// Of `Workshop.parley`, which turns these off for benches that measure something else.
const BY_DEFAULT = { EMBEDDING_PROVIDER: undefined, MEMORY_EXTRACTION: undefined };

/**
 * A server of this build, and one of the build to measure beside it, with the settings that users have.
 *
 * @returns each with its label, which is empty for this build
 */
export async function sidesOf(workshop, env, more = {}) {
  const roots = [['', {}], ...(workshop.against === undefined ? [] : [['before', { root: resolve(workshop.against) }]])];
  const sides = [];
  for (const [label, root] of roots) {
    const server = await workshop.parley({ data: await workshop.data(), env: { ...BY_DEFAULT, ...env }, ...root, ...more });
    sides.push({ label, server });
  }
  return sides;
}
