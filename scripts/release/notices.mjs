// Licences of the packages whose code the build copies into the program and the console.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice|copyright)([.-].*)?$/i;
/** In the console by a style sheet, not by a script. */
const FONT = '@fontsource-variable/inter';

const INTRODUCTION = `Third-party notices

Parley contains code of the packages below. The packages that npm installs beside it have their licences in their own folders.
`;

/**
 * @param root the repository, built
 * @returns the text of dist/THIRD-PARTY-NOTICES.txt
 * @throws Error when the licence of a package is unknown
 */
export function thirdPartyNotices(root) {
  const bundled = JSON.parse(readFileSync(join(root, 'dist', 'bundle', 'packages.json'), 'utf8')).map((folder) => join(root, folder));
  const folders = [...bundled, ...consoleFolders(root)];
  const notices = new Map();
  for (const folder of folders) {
    const {
      name,
      version,
      license,
      licenses,
      licence = license ?? licenses,
    } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (/\bA?GPL/.test(licenceName(licence)) && !/ OR /i.test(licence)) {
      throw new Error(`${name} is under ${licence}: its code must not be copied.`);
    }
    const texts = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
    if (texts.length === 0 && licence === undefined) {
      throw new Error(`${folder} does not state its licence. Ask its authors, or do without it.`);
    }
    const body = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    notices.set(`${name} ${version}`, `${name} ${version}: ${licenceName(licence)}\n${body === '' ? '' : `\n${body}\n`}`);
  }
  const sorted = [...notices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return [INTRODUCTION, ...sorted].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Folders of the packages in the console, which Vite lists. */
function consoleFolders(root) {
  const list = readFileSync(join(root, 'dist', 'console', 'licenses.md'), 'utf8');
  const names = [...list.matchAll(/^## (\S+) - \d\S* \(/gm)].map(([, name]) => name);
  if (names.length === 0) throw new Error('dist/console/licenses.md names no package: Vite has another format now.');
  return [...names, FONT].map((name) => packageFolder(root, name));
}

function packageFolder(root, name) {
  const direct = join(root, 'node_modules', name);
  if (existsSync(direct)) return direct;
  const entry = createRequire(join(root, 'package.json')).resolve(name);
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(entry.replaceAll(sep, '/'))[0];
}

function licenceName(licence) {
  return typeof licence === 'string'
    ? licence
    : [licence ?? { type: 'see below' }]
        .flat()
        .map(({ type }) => type)
        .join(' OR ');
}
