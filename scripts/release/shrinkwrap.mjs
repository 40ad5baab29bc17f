// npm-shrinkwrap.json of the published package: the packages of package-lock.json that the program needs, in the same versions. npm applies
// `overrides` only to the project that declares them, so without it users would get other packages than those that were tested.
import { resolveLocked } from './locked-packages.mjs';

const ROOT_FIELDS = ['name', 'version', 'license', 'bin', 'engines', 'dependencies', 'optionalDependencies'];

/**
 * @param lock the parsed package-lock.json
 * @param manifest the parsed package.json, whose name may be another one than that of the lock file
 */
export function shrinkwrapOf(lock, manifest) {
  const root = Object.fromEntries(ROOT_FIELDS.filter((field) => field in manifest).map((field) => [field, manifest[field]]));
  const needed = new Set();
  const visit = (name, from) => {
    const path = resolveLocked(lock.packages, name, from);
    // A package that nothing installs here, such as an optional peer.
    if (path === undefined || needed.has(path)) return;
    needed.add(path);
    for (const next of neededBy(lock.packages[path])) visit(next, path);
  };
  for (const name of neededBy(root)) visit(name, '');
  const packages = Object.fromEntries([...needed].sort().map((path) => [path, forUsers(lock.packages[path])]));
  return { name: manifest.name, version: manifest.version, lockfileVersion: 3, requires: true, packages: { '': root, ...packages } };
}

function neededBy({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return Object.keys({ ...dependencies, ...optionalDependencies }).concat(peers);
}

/** An entry without what concerns development: a package for development and optional ones is only optional for users. */
function forUsers({ devOptional, dev, ...entry }) {
  if (dev) throw new Error(`package-lock.json counts ${entry.name ?? entry.version} as a package for development only. Run npm install.`);
  return devOptional ? { ...entry, optional: true } : entry;
}
