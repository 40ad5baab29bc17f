// Second half of `npm run dead:check`: finds public members of classes and interfaces that no program code uses, since knip checks exports
// only. Reading and writing count as use, tests do not. A member of an interface also counts as used when another member of the same name
// is used, because types are structural.
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

// Used by plugin authors (plugin-sdk), clients (*.dto.ts) or TypeORM (entities, migrations).
const READ_BY_OTHERS = [/^src\/plugin-sdk\//, /\.dto\.ts$/, /\/entities\//, /\.entity\.ts$/, /\/migrations\//];
const PROGRAM = /^(src|plugins|bench)\/.*\.ts$/;
const TEST = /\.spec\.ts$/;
// Called by the language runtime.
const BY_LANGUAGE = new Set(['toJSON', 'toString', 'then']);
// Members without a use in the program, with the reason to keep them.
const EXCEPTIONS = new Map([
  ['PluginResponse', 'plugins written for Express call header, getHeader and statusCode'],
  ['BufferedResponse', 'as PluginResponse'],
  ['TurnRunner.active', 'tests observe the load'],
  ['WorkerPool.queued', 'tests observe the load'],
  ['RecordingMemory.used', 'tests observe the load'],
  ['BodyMemory.used', 'tests observe the load'],
  ['UnreadResponses.used', 'tests observe the load'],
  ['HookChain.register', 'tests add a second hook of a kind'],
  ['Queue.leaseFor', 'for modules that insert their jobs already leased'],
  ['Queue.runLeased', 'as Queue.leaseFor'],
  ['Meter', 'exporters read what is counted'],
  ['Counter', 'as Meter'],
  ['Gauge', 'as Meter'],
  ['Histogram', 'as Meter'],
  ['Tracer', 'exporters listen to spans and pass their context on'],
  ['UsageService.sum', 'quotas sum usage'],
  ['PipelinedQueries', 'the driver calls handleError and the like'],
]);

/** @returns {string[]} `path:line Class.member`, sorted */
export function deadMembers(root) {
  const sources = openSources(root);
  const uses = new MemberUses(sources);
  sources.files.forEach((file) => uses.collect(file));
  return sources.files
    .filter(({ fileName }) => sources.pathOf(fileName).startsWith('src/') && !sources.isReadByOthers(fileName))
    .flatMap((file) => deadIn(file, sources, uses))
    .sort();
}

/** The files of the program, and the compiler's view of them. */
function openSources(root) {
  const config = join(root, 'tsconfig.json');
  const { fileNames, options } = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, root);
  const pathOf = (fileName) => relative(root, fileName).split(sep).join('/');
  const isProgram = (fileName) => PROGRAM.test(pathOf(fileName)) && !TEST.test(fileName) && !fileName.endsWith('.d.ts');
  const program = ts.createProgram(fileNames.filter(isProgram), { ...options, noEmit: true, skipLibCheck: true });
  return {
    pathOf,
    isProgram,
    isReadByOthers: (fileName) => READ_BY_OTHERS.some((pattern) => pattern.test(pathOf(fileName))),
    checker: program.getTypeChecker(),
    files: program.getSourceFiles().filter(({ fileName }) => isProgram(fileName)),
  };
}

/** Which members the program uses. */
class MemberUses {
  #checker;
  #sources;
  #used = new Set();
  #usedNames = new Set();

  constructor(sources) {
    this.#sources = sources;
    this.#checker = sources.checker;
  }

  /** Notes the members that a file uses. */
  collect(file) {
    if (this.#sources.isReadByOthers(file.fileName)) file.forEachChild((node) => this.#useAll(node));
    const visit = (node) => {
      this.#visit(node);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  /** Whether an interface needs a member of this name: types are structural. */
  hasName(name) {
    return this.#usedNames.has(name);
  }

  has(symbol, seen = new Set()) {
    return (symbol.declarations ?? []).some((declaration) => {
      if (seen.has(declaration)) return false;
      seen.add(declaration);
      const { fileName } = declaration.getSourceFile();
      if (this.#used.has(declaration) || !this.#sources.isProgram(fileName) || this.#sources.isReadByOthers(fileName)) return true;
      const owner = declaration.parent;
      return owner.heritageClauses !== undefined && this.#inherited(owner, symbol.name).some((base) => this.has(base, seen));
    });
  }

  #visit(node) {
    if (ts.isPropertyAccessExpression(node)) this.#use(this.#checker.getSymbolAtLocation(node.name));
    else if (ts.isQualifiedName(node)) this.#use(this.#checker.getSymbolAtLocation(node.right));
    else if (ts.isElementAccessExpression(node)) this.#useNames(node.argumentExpression, node.expression);
    else if (ts.isIndexedAccessTypeNode(node)) this.#useNames(node.indexType, node.objectType);
    else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name) || ts.isStringLiteral(name)) this.#useOf(this.#checker.getTypeAtLocation(node.parent), name.text);
    } else if (ts.isObjectLiteralExpression(node)) {
      // A written value, also as an assignment pattern, `({ a } = b)`.
      const type = this.#checker.getContextualType(node) ?? this.#checker.getTypeAtLocation(node);
      for (const { name } of node.properties) if (name && 'text' in name) this.#useOf(type, name.text);
    }
  }

  /** Members of base classes and interfaces with this name; a use of them is a use of the member. */
  #inherited(declaration, name) {
    return (declaration.heritageClauses ?? [])
      .flatMap(({ types }) => [...types])
      .map((base) => this.#checker.getPropertyOfType(this.#checker.getTypeAtLocation(base), name))
      .filter((symbol) => symbol !== undefined);
  }

  #use(symbol) {
    if (symbol === undefined) return;
    this.#usedNames.add(symbol.name);
    for (const each of [symbol, ...this.#checker.getRootSymbols(symbol)]) {
      for (const declaration of each.declarations ?? []) {
        if (this.#used.has(declaration)) continue;
        this.#used.add(declaration);
        // A use of an implementation is a use of the implemented member.
        if (declaration.parent?.heritageClauses) this.#inherited(declaration.parent, each.name).forEach((base) => this.#use(base));
      }
    }
  }

  #useOf(type, name) {
    if (type === undefined) return;
    for (const each of partsOf(type)) this.#use(this.#checker.getPropertyOfType(this.#checker.getApparentType(each), name));
  }

  /** Uses the members whose names an index can be. */
  #useNames(index, object) {
    const names = partsOf(this.#checker.getTypeAtLocation(index)).filter((type) => type.isStringLiteral());
    for (const { value } of names) this.#useOf(this.#checker.getTypeAtLocation(object), value);
  }

  #useAll(node) {
    if (!isOwner(node)) return;
    node.members.forEach(({ name }) => name && this.#usedNames.add(name.text));
  }
}

function deadIn(file, { checker, pathOf }, uses) {
  const found = [];
  const visit = (node) => {
    if (isOwner(node)) found.push(...node.members.filter((member) => isDead(member, node, checker, uses)).map((member) => [node, member]));
    ts.forEachChild(node, visit);
  };
  visit(file);
  const lineOf = (member) => file.getLineAndCharacterOfPosition(member.getStart()).line + 1;
  return found.map(([owner, member]) => `${pathOf(file.fileName)}:${lineOf(member)} ${nameOf(owner)}.${member.name.text}`);
}

function isDead(member, owner, checker, uses) {
  if (!member.name || !ts.isIdentifier(member.name) || isHidden(member) || BY_LANGUAGE.has(member.name.text)) return false;
  if (ts.isInterfaceDeclaration(owner) && uses.hasName(member.name.text)) return false;
  if (EXCEPTIONS.has(nameOf(owner)) || EXCEPTIONS.has(`${nameOf(owner)}.${member.name.text}`)) return false;
  const symbol = checker.getSymbolAtLocation(member.name);
  return symbol !== undefined && !uses.has(symbol);
}

function isOwner(node) {
  return ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node);
}

function nameOf(owner) {
  return owner.name?.text ?? 'class';
}

function partsOf(type) {
  return type.isUnion() ? type.types : [type];
}

/** The compiler checks private members, and frameworks call decorated ones. */
function isHidden(member) {
  return (
    (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 ||
    (ts.canHaveDecorators(member) && (ts.getDecorators(member) ?? []).length > 0)
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../..'));
  const found = deadMembers(root);
  if (found.length > 0) {
    process.stderr.write(`Unused members:\n${found.map((line) => `  ${line}\n`).join('')}Delete them, or use them.\n`);
    process.exitCode = 1;
  }
}
