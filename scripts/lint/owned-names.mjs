// Second half of `npm run deps:check`: event types, error codes and table names are dependencies too, although they are texts. A module may
// name those of core, its own, and those of the modules in its row of .dependency-cruiser.mjs.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const TABLE_IN_SQL = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|EXISTS)\s+"?([a-z_]+)\b/g;
/** Files whose names are their owners' to name. */
const EXEMPT = /\.spec\.ts$|\/migrations\//;

/** @returns {string[]} `path:line: name belongs to owner`, sorted */
async function foreignNames(root) {
  const { MODULES, INTERFACES } = await import(pathToFileURL(join(root, '.dependency-cruiser.mjs')).href);
  const files = filesBelow(root, 'src').map((path) => ({ path, source: parsed(root, path) }));
  const owners = new Map(files.flatMap(({ path, source }) => namesOf(path, source).map((name) => [name, ownerOf(path)])));
  const allowed = (path, owner) => {
    const own = ownerOf(path);
    if (owner === own || owner === 'core') return true;
    if (own.startsWith('modules/')) return rowOf(MODULES, own).includes(owner);
    if (own.startsWith('interfaces/')) return rowOf(INTERFACES, own).includes(owner);
    // The rest, such as bootstrap and operations, is above all modules.
    return own !== 'core' && !own.startsWith('providers/');
  };
  return files
    .filter(({ path }) => !EXEMPT.test(path))
    .flatMap(({ path, source }) =>
      mentions(source, owners)
        .filter(({ name }) => !allowed(path, owners.get(name)))
        .map(({ name, line }) => `${path}:${line}: ${name} belongs to ${owners.get(name)}`),
    )
    .sort();
}

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${String(name).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'));
}

function parsed(root, path) {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** @returns {string} such as `core`, `modules/turns` */
function ownerOf(path) {
  const [, floor, folder] = path.split('/');
  return ['modules', 'interfaces', 'providers'].includes(floor) ? `${floor}/${folder}` : floor;
}

function rowOf(rows, owner) {
  return (rows[owner.split('/')[1]] ?? []).map((name) => (name.includes('/') ? name : `modules/${name}`));
}

/** The names that a file defines. */
function namesOf(path, source) {
  const names = [];
  const isEvents = path.endsWith('.events.ts');
  const isErrors = /error-codes\.ts$/.test(path);
  visit(source, (node) => {
    if (ts.isPropertyAssignment(node) && isEvents && ts.isStringLiteral(node.name) && isTopLevel(node)) names.push(node.name.text);
    if (ts.isPropertyAssignment(node) && isErrors && ts.isIdentifier(node.name) && isTopLevel(node)) names.push(node.name.text);
    if (ts.isDecorator(node) && ts.isCallExpression(node.expression) && node.expression.expression.getText() === 'Entity') {
      const [table] = node.expression.arguments;
      if (table !== undefined && ts.isStringLiteral(table) && !EXEMPT.test(path)) names.push(table.text);
    }
  });
  return names;
}

/** Whether a property is one of an object that a constant of the file holds. */
function isTopLevel({ parent: object }) {
  let holder = object.parent;
  while (ts.isAsExpression(holder) || ts.isSatisfiesExpression(holder)) holder = holder.parent;
  return ts.isVariableDeclaration(holder);
}

function mentions(source, owners) {
  const found = [];
  visit(source, (node) => {
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node)) return;
    // A view may name the events of a protocol as it likes.
    if (ts.isLiteralTypeNode(node.parent) && source.fileName.endsWith('.dto.ts')) return;
    const tables = [...node.text.matchAll(TABLE_IN_SQL)].map(([, table]) => table);
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const isName = /[.]|^[A-Z_]+$/.test(node.text);
    for (const name of new Set(isName ? [node.text, ...tables] : tables)) if (owners.has(name)) found.push({ name, line });
  });
  return found;
}

function visit(node, act) {
  act(node);
  ts.forEachChild(node, (child) => visit(child, act));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await foreignNames(resolve(process.argv[2] ?? join(import.meta.dirname, '../..')));
  for (const line of found) process.stdout.write(`${line}\n`);
  if (found.length > 0) {
    process.stdout.write('\nCall the owner, or let it register a hook. If that is impossible, add the owner to the row of the module.\n');
    process.exitCode = 1;
  }
}
