/**
 * Finds an installed package as Node.js does.
 *
 * @param packages `packages` of package-lock.json
 * @param from path of the package that asks, such as node_modules/pino; empty for the project
 * @returns its path; undefined when it is not installed
 */
export function resolveLocked(packages, name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}
