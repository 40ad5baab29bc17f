// Parley's ESLint rules for src: packages and globals that only certain zones may use (tables in zones.mjs), and imports that compile but
// break dependency injection or validation.
import { relative, sep } from 'node:path';
import { ENVIRONMENT, GLOBALS, HTTP_EXCEPTIONS, MODULES, WALL_CLOCK } from './zones.mjs';

const inZone = (context, { zones }) => {
  const path = relative(context.cwd, context.filename).split(sep).join('/');
  return zones.some((zone) => zone.test(path));
};

const rule = (description, create) => ({ meta: { type: 'problem', docs: { description }, schema: [] }, create });

/** Calls `visit(node, specifier)` for every kind of import. */
const onImport = (visit) => ({
  ImportDeclaration: (node) => visit(node, node.source.value),
  ExportNamedDeclaration: (node) => node.source && visit(node, node.source.value),
  ExportAllDeclaration: (node) => visit(node, node.source.value),
  ImportExpression: (node) => node.source.type === 'Literal' && visit(node, String(node.source.value)),
  TSImportType: (node) => visit(node, node.source.value),
  'CallExpression[callee.name=/^require$/]': (node) =>
    node.arguments[0]?.type === 'Literal' && visit(node, String(node.arguments[0].value)),
});

const moduleZone = rule('npm packages that only some zones may name', (context) => {
  const closed = MODULES.filter((entry) => !inZone(context, entry));
  return onImport((node, specifier) => {
    const entry = closed.find(({ module, types }) => module.test(specifier) && !(types && node.importKind === 'type'));
    if (entry !== undefined) context.report({ node, message: `\`${specifier}\` is not for this file. ${entry.instead}` });
  });
});

const globalZone = rule('timers only in their zone', (context) => {
  const closed = GLOBALS.filter((entry) => !inZone(context, entry));
  const refuse = (node, name) => {
    const entry = closed.find(({ names }) => names.includes(name));
    if (entry !== undefined) context.report({ node, message: `\`${name}\` is not for this file. ${entry.instead}` });
  };
  return {
    'Program:exit'(program) {
      const scope = context.sourceCode.getScope(program);
      const unresolved = [...scope.through, ...scope.variables.filter(({ defs }) => defs.length === 0).flatMap((v) => v.references)];
      for (const { identifier } of unresolved) {
        if (identifier.parent.type !== 'TSTypeQuery') refuse(identifier, identifier.name);
      }
    },
    'MemberExpression[object.name=/^(globalThis|global)$/]': (node) => refuse(node, node.property.name ?? node.property.value),
  };
});

const wallClock = rule('the time of day only from the clock', (context) => {
  if (inZone(context, WALL_CLOCK)) return {};
  const refuse = (what) => (node) => context.report({ node, message: `\`${what}\` is not for this file. ${WALL_CLOCK.instead}` });
  return {
    "MemberExpression[object.name='Date'][property.name='now']": refuse('Date.now'),
    "NewExpression[callee.name='Date'][arguments.length=0]": refuse('new Date()'),
    "CallExpression[callee.name='Date']": refuse('Date()'),
  };
});

const environment = rule('environment variables only in the configuration', (context) => {
  if (inZone(context, ENVIRONMENT)) return {};
  const refuse = (node) => context.report({ node, message: `\`process.env\` is not for this file. ${ENVIRONMENT.instead}` });
  return {
    "MemberExpression[object.name='process'][property.name='env']": refuse,
    "MemberExpression[object.name='process'][property.value='env']": refuse,
    "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='env']": refuse,
    'ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier[imported.name="env"]': refuse,
  };
});

const httpException = rule('HTTP exceptions only at the edge', (context) => {
  if (inZone(context, HTTP_EXCEPTIONS)) return {};
  return {
    "ImportDeclaration[source.value='@nestjs/common'] > ImportSpecifier[imported.name=/Exception$/]"(node) {
      context.report({ node, message: `\`${node.imported.name}\` is not for this file. ${HTTP_EXCEPTIONS.instead}` });
    },
  };
});

const noDefaultExport = rule('one name for one thing', (context) => {
  const message = 'Export it by name, so that it has the same name everywhere.';
  return {
    ExportDefaultDeclaration: (node) => context.report({ node, message }),
    "ExportSpecifier[exported.name='default']": (node) => context.report({ node, message }),
  };
});

const VALIDATED = new Set(['Body', 'Query', 'Param', 'MessageBody']);

// With `import type`, the metadata contains `Object`: injection fails, and bodies are not validated.
const noTypeOnlyMetadata = rule('classes that Nest reads from metadata are imported as values', (context) => {
  const typeOnly = new Set();
  const check = (parameter) => {
    const annotated = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter;
    const type = annotated.typeAnnotation?.typeAnnotation;
    if (type?.type !== 'TSTypeReference' || !typeOnly.has(type.typeName.name)) return;
    context.report({
      node: type,
      message: `Import \`${type.typeName.name}\` without \`type\`: Nest reads it from metadata, and a type leaves none there.`,
    });
  };
  const decorators = (node) => (node.decorators ?? []).map(({ expression }) => (expression.callee ?? expression).name);
  return {
    ImportDeclaration(node) {
      for (const specifier of node.specifiers) {
        if (node.importKind === 'type' || specifier.importKind === 'type') typeOnly.add(specifier.local.name);
      }
    },
    MethodDefinition(node) {
      const { params } = node.value;
      if (node.kind !== 'constructor') {
        params.filter((parameter) => decorators(parameter).some((name) => VALIDATED.has(name))).forEach(check);
      } else if (decorators(node.parent.parent).length > 0) {
        params.filter((parameter) => !decorators(parameter).includes('Inject')).forEach(check);
      }
    },
  };
});

/** Bounds that are limits, not positions: numbers, constants, and names that say so. */
const isLimit = (node) => {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'number' && node.value > 2;
    case 'Identifier':
      return /^[A-Z][A-Z\d_]*$|^(?:max|limit|left|kept|budget|half|shown)|(?:Limit|Length|Left|Budget)$/.test(node.name);
    case 'MemberExpression':
      return isLimit(node.property) && node.property.name !== 'length';
    case 'UnaryExpression':
      return isLimit(node.argument);
    case 'BinaryExpression':
      return isLimit(node.left) || isLimit(node.right);
    case 'CallExpression':
      return node.arguments.some(isLimit);
    default:
      return false;
  }
};
/** Texts for machines, all of whose characters have one unit. */
const MACHINE_TEXT = /(?:hex|hash|digest\([^)]*\)|toISOString\(\)|toString\((?:16|36)\)|randomUUID\(\)|\bids\.of\(.*\)|[iI]d)\??$/;

const wholeCharacters = rule('texts are cut between characters', (context) => {
  const { sourceCode } = context;
  const { parserServices: services } = sourceCode;
  if (services?.program === undefined || services.program === null) return {};
  const checker = services.program.getTypeChecker();
  const isText = (node) =>
    checker.isTypeAssignableTo(checker.getNonNullableType(services.getTypeAtLocation(node)), checker.getStringType());
  return {
    'CallExpression[callee.property.name=/^(?:slice|substring|substr)$/]'(node) {
      const { object } = node.callee;
      const [from, to] = node.arguments;
      const cuts = (from?.value === 0 && isLimit(to)) || (from?.type === 'UnaryExpression' && to === undefined && isLimit(from));
      if (!cuts || MACHINE_TEXT.test(sourceCode.getText(object)) || !isText(object)) return;
      context.report({ node, message: 'This may cut a character in half. Use `cutText` or `endOfText` of core/text.' });
    },
  };
});

export default {
  rules: {
    'module-zone': moduleZone,
    'global-zone': globalZone,
    'wall-clock': wallClock,
    environment,
    'http-exception': httpException,
    'no-default-export': noDefaultExport,
    'no-type-only-metadata': noTypeOnlyMetadata,
    'whole-characters': wholeCharacters,
  },
};
