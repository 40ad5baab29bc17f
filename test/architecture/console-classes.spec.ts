// A page of the console is loaded when it is opened, with its own style sheets: a class of another page's sheet does nothing on it,
// until the other page has been looked at.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const SOURCES = resolve(import.meta.dirname, '../../console/src');

const all = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).map((file) => join(SOURCES, file));
const modules = new Map(all.filter((file) => /\.tsx?$/.test(file)).map((file) => [file, read(file)]));
const defined = new Map(all.filter((file) => file.endsWith('.css')).map((file) => [file, classesOfSheet(file)]));
const main = loadedWith(join(SOURCES, 'main.tsx'));
const entries = [...modules.values()].flatMap(({ lazy }) => lazy).filter((file) => modules.has(file));

it("a console page uses no class that only another page's style sheet defines", () => {
  const faults = [join(SOURCES, 'main.tsx'), ...entries].flatMap((entry) => {
    const own = loadedWith(entry);
    const there = new Set([...main, ...own].flatMap((file) => [...(defined.get(file) ?? [])]));
    const elsewhere = new Map([...defined].flatMap(([sheet, names]) => [...names].map((name) => [name, sheet] as const)));
    return [...own].flatMap((file) =>
      (modules.get(file)?.classes ?? [])
        .filter((name) => !there.has(name) && elsewhere.has(name))
        .map((name) => `${short(file)} uses ${name} of ${short(elsewhere.get(name) ?? '')}`),
    );
  });
  expect([...new Set(faults)]).toEqual([]);
});

it('the check reads the pages, their modules and their style sheets', () => {
  expect(entries.map(short)).toEqual(expect.arrayContaining(['pages/chat/chat-page.tsx', 'pages/runs/runs-page.tsx']));
  const runs = loadedWith(join(SOURCES, 'pages/runs/runs-page.tsx'));
  expect([...runs].map(short)).toEqual(expect.arrayContaining(['pages/runs/runs.css', 'pages/runs/run-list.tsx', 'why/why.css']));
  expect(modules.get(join(SOURCES, 'pages/runs/run-list.tsx'))?.classes).toEqual(
    expect.arrayContaining(['truncate', 'block', 'run-errors']),
  );
});

interface Module {
  /** Modules and style sheets that come with it. */
  readonly imports: readonly string[];
  /** Modules that are loaded later. */
  readonly lazy: readonly string[];
  /** Classes of its elements. */
  readonly classes: readonly string[];
}

function read(file: string): Module {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const [imports, lazy, classes] = [[] as string[], [] as string[], [] as string[]];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly !== true) imports.push(...found(file, node.moduleSpecifier));
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) lazy.push(...found(file, node.arguments[0]));
    if (ts.isJsxAttribute(node) && node.name.getText() === 'class') classes.push(...wordsIn(node.initializer));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { imports, lazy, classes };
}

function found(file: string, specifier: ts.Node | undefined): string[] {
  if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return [];
  const path = resolve(dirname(file), specifier.text);
  return [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].filter((one) => all.includes(one));
}

/** The words of all texts in the value of an attribute, except those that something is compared with. */
function wordsIn(value: ts.Node | undefined): string[] {
  if (!value || isComparison(value)) return [];
  const own = ts.isStringLiteralLike(value) || ts.isTemplateHead(value) || ts.isTemplateMiddleOrTemplateTail(value) ? value.text : '';
  const inner: string[] = [];
  ts.forEachChild(value, (child) => void inner.push(...wordsIn(child)));
  return [...own.split(/\s+/).filter((word) => word !== ''), ...inner];
}

function isComparison(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
}

/** A module with all that is loaded with it. */
function loadedWith(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const imported of modules.get(file)?.imports ?? []) loadedWith(imported, loaded);
  return loaded;
}

function classesOfSheet(file: string): ReadonlySet<string> {
  const selectors = readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\/|\{[^{}]*\}/gs, '\n');
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name ?? ''));
}

function short(file: string): string {
  return relative(SOURCES, file).replaceAll('\\', '/');
}
