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
  ['UnreadAnswers.used', 'tests observe the load'],
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
  const config = join(root, 'tsconfig.json');
  const { fileNames, options } = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config, ts.sys, root);
  const pathOf = (fileName) => relative(root, fileName).split(sep).join('/');
  const isProgram = (fileName) => PROGRAM.test(pathOf(fileName)) && !TEST.test(fileName) && !fileName.endsWith('.d.ts');
  const program = ts.createProgram(fileNames.filter(isProgram), { ...options, noEmit: true, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter(({ fileName }) => isProgram(fileName));
  const used = new Set();
  const usedNames = new Set();

  /** Members of base classes and interfaces with this name; a use of them is a use of the member. */
  const inherited = (declaration, name) =>
    (declaration.heritageClauses ?? [])
      .flatMap(({ types }) => [...types])
      .map((base) => checker.getPropertyOfType(checker.getTypeAtLocation(base), name))
      .filter((symbol) => symbol !== undefined);
  const use = (symbol) => {
    if (symbol !== undefined) usedNames.add(symbol.name);
    for (const each of symbol === undefined ? [] : [symbol, ...checker.getRootSymbols(symbol)]) {
      for (const declaration of each.declarations ?? []) {
        if (used.has(declaration)) continue;
        used.add(declaration);
        // A use of an implementation is a use of the implemented member.
        if (declaration.parent?.heritageClauses) inherited(declaration.parent, each.name).forEach(use);
      }
    }
  };
  const readByOthers = (path) => READ_BY_OTHERS.some((pattern) => pattern.test(path));
  const useOf = (type, name) => {
    for (const each of type === undefined ? [] : type.isUnion() ? type.types : [type]) {
      use(checker.getPropertyOfType(checker.getApparentType(each), name));
    }
  };
  const namesOf = (type) => (type.isUnion() ? type.types : [type]).filter((each) => each.isStringLiteral()).map(({ value }) => value);

  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node)) use(checker.getSymbolAtLocation(node.name));
    else if (ts.isQualifiedName(node)) use(checker.getSymbolAtLocation(node.right));
    else if (ts.isElementAccessExpression(node)) {
      for (const name of namesOf(checker.getTypeAtLocation(node.argumentExpression))) {
        useOf(checker.getTypeAtLocation(node.expression), name);
      }
    } else if (ts.isIndexedAccessTypeNode(node)) {
      for (const name of namesOf(checker.getTypeAtLocation(node.indexType))) useOf(checker.getTypeAtLocation(node.objectType), name);
    } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name) || ts.isStringLiteral(name)) useOf(checker.getTypeAtLocation(node.parent), name.text);
    } else if (ts.isObjectLiteralExpression(node)) {
      // A written value, also as an assignment pattern, `({ a } = b)`.
      const type = checker.getContextualType(node) ?? checker.getTypeAtLocation(node);
      for (const { name } of node.properties) if (name && 'text' in name) useOf(type, name.text);
    }
    ts.forEachChild(node, visit);
  };
  files.forEach(visit);
  for (const file of files.filter(({ fileName }) => readByOthers(pathOf(fileName)))) {
    file.forEachChild((node) => {
      if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
        node.members.forEach(({ name }) => name && usedNames.add(name.text));
      }
    });
  }

  const isUsed = (symbol, seen = new Set()) =>
    (symbol.declarations ?? []).some((declaration) => {
      if (seen.has(declaration)) return false;
      seen.add(declaration);
      const { fileName } = declaration.getSourceFile();
      if (used.has(declaration) || !isProgram(fileName) || readByOthers(pathOf(fileName))) return true;
      const owner = declaration.parent;
      return owner.heritageClauses !== undefined && inherited(owner, symbol.name).some((base) => isUsed(base, seen));
    });

  const found = [];
  for (const file of files) {
    const path = pathOf(file.fileName);
    if (!path.startsWith('src/') || readByOthers(path)) continue;
    const look = (node) => {
      if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
        for (const member of node.members) {
          if (!member.name || !ts.isIdentifier(member.name) || isHidden(member) || BY_LANGUAGE.has(member.name.text)) continue;
          if (ts.isInterfaceDeclaration(node) && usedNames.has(member.name.text)) continue;
          const owner = node.name?.text ?? 'class';
          if (EXCEPTIONS.has(owner) || EXCEPTIONS.has(`${owner}.${member.name.text}`)) continue;
          const symbol = checker.getSymbolAtLocation(member.name);
          if (symbol === undefined || isUsed(symbol)) continue;
          const line = file.getLineAndCharacterOfPosition(member.getStart()).line + 1;
          found.push(`${path}:${line} ${owner}.${member.name.text}`);
        }
      }
      ts.forEachChild(node, look);
    };
    look(file);
  }
  return found.sort();
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
