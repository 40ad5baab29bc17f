// What the published package may contain, and what it must contain because the program reads it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export const MAX_BYTES = 5_000_000;

const ALLOWED = [
  /^(package\.json|LICENSE|README\.md|llms\.txt)$/,
  /^dist\/(main\.js|THIRD-PARTY-NOTICES\.txt)$/,
  /^dist\/bundle\/[\w.-]+\.js$/,
  /^dist\/console\/index\.html(\.br|\.gz)?$/,
  /^dist\/console\/console-assets\/[\w.-]+\.(js|css|woff2|svg|png)(\.br|\.gz)?$/,
  /^dist\/plugin-sdk\/[\w/-]+\.(js|d\.ts)$/,
  /^dist\/(core\/(file-types|text|workers)|modules\/[\w/-]+|providers\/[\w/-]+)\/[\w-]+(\.worker)?\.js$/,
  /^docs\/(architecture\.md|scale\.md|guides\/(?:protocols\/)?[\w-]+\.md|reference\/[\w.-]+\.md|reference\/openapi\.json)$/,
  /^characters\/[\w-]+\.(json|md)$/,
  /^plugins\/[\w-]+\/(README\.md|[\w-]+\.ts|public\/[\w.-]+)$/,
];

const REQUIRED = ['LICENSE', 'README.md', 'llms.txt', 'package.json', 'dist/main.js', 'dist/console/index.html', 'characters/iris.json'];

/**
 * @param files paths in the package, with `/`
 * @param root the built repository, or the unpacked package
 * @returns what is wrong, one line each
 */
export function contentFaults(files, root) {
  const packed = new Set(files);
  return [
    ...files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file))).map((file) => `${file} does not belong into the package`),
    ...[...REQUIRED, ...exported(root)].filter((file) => !packed.has(file)).map((file) => `${file} is missing`),
    ...files.flatMap((file) =>
      referencesOf(file, root)
        .filter((to) => !packed.has(to))
        .map((to) => `${file} needs ${to}, which is missing`),
    ),
    ...ownFiles(root)
      .filter(([, to]) => !packed.has(to))
      .map(([file, to]) => `${file} reads ${to}, which is missing`),
  ];
}

function exported(root) {
  const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const paths = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(paths));
  return [...paths(bin), ...paths(exports)].map((path) => posix.normalize(path));
}

/** Files that a packed script or declaration imports by a relative path. */
function referencesOf(file, root) {
  if (!/^dist\/(?!console\/).*\.(js|d\.ts)$/.test(file)) return [];
  const text = readFileSync(join(root, file), 'utf8');
  const paths = [...text.matchAll(/\b(?:from|import\(?)\s*(["'])(\.{1,2}\/[\w./-]+\.js)\1/g)].map(([, , path]) =>
    posix.join(posix.dirname(file), path),
  );
  return file.endsWith('.d.ts') ? paths.map((path) => path.replace(/\.js$/, '.d.ts')) : paths;
}

/** Files that modules of the program find by their own address, such as scripts of workers, from the modules before they were bundled. */
function ownFiles(root) {
  const dist = join(root, 'dist');
  const modules = readdirSync(dist, { recursive: true }).map((path) => posix.join('dist', path.replaceAll('\\', '/')));
  return modules
    .filter((file) => /^dist\/(?!bundle\/|console\/).*\.js$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/new URL\((["'])(\.{1,2}\/[\w./-]+\.\w+)\1, import\.meta\.url\)/g)]
        .map(([, , path]) => posix.join(posix.dirname(file), path))
        .filter((path) => existsSync(join(root, path)))
        .map((path) => [file, path]);
    });
}
