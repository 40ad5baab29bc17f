// What the code itself does not tell about its operations at run time: comments, types and tags, read from the sources.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';
import ts from 'typescript';

/**
 * Reads the sources with the compiler plugin of @nestjs/swagger, and the parts that it ignores.
 *
 * @param program the compiler's view of `root`
 * @param output where the modules of `root/src` are loaded from; a file is in this folder while the sources are read
 */
export async function readSources(program, root, output) {
  const visitor = new ReadonlyVisitor({
    introspectComments: true,
    // src/openapi/checks.ts reads all checks from the classes, including custom ones.
    classValidatorShim: false,
    esmCompatible: true,
    dtoFileNameSuffix: ['.dto.ts'],
    pathToSource: join(root, 'src'),
  });
  new PluginMetadataGenerator().generate({ tsProgramRef: program, visitors: [visitor], outputDir: output.folder, filename: output.file });
  const file = join(output.folder, output.file);
  try {
    const { default: metadata } = await import(pathToFileURL(file).href);
    return { metadata: await metadata(), notes: notesOf(program), returns: returnsOf(program) };
  } finally {
    rmSync(file, { force: true });
  }
}

/** For every class of a *.dto.ts: whether it allows additional fields; for its properties the tag `@format` and the declared type. */
function notesOf(program) {
  const notes = {};
  const hidden = [];
  for (const node of classesOf(program, '.dto.ts')) {
    const properties = node.members.filter(ts.isPropertyDeclaration);
    const open = node.members.some(ts.isIndexSignatureDeclaration);
    if (properties.length > 0 && !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) hidden.push(node.name.text);
    const fields = properties.map((property) => {
      const format = ts.getJSDocTags(property).find((tag) => tag.tagName.text === 'format')?.comment;
      return [property.name.getText(), { format, schema: property.type && schemaOf(property.type, program) }];
    });
    notes[node.name.text] = { open, properties: Object.fromEntries(fields) };
  }
  if (hidden.length > 0) throw new Error(`Export ${hidden.join(', ')}: the document is made of what is exported.`);
  return notes;
}

/** Return types by controller and method, for methods that return a union, an array or a record. */
function returnsOf(program) {
  const returns = {};
  for (const node of classesOf(program, '.controller.ts')) {
    const methods = node.members.filter(ts.isMethodDeclaration).map((method) => [method.name.getText(), returned(method.type, program)]);
    returns[node.name.text] = Object.fromEntries(methods);
  }
  return returns;
}

function returned(type, program) {
  const promised = type && ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Promise' ? type.typeArguments[0] : type;
  const record = promised && ts.isTypeReferenceNode(promised) && promised.typeName.getText() === 'Record';
  return promised && (record || ts.isUnionTypeNode(promised) || ts.isArrayTypeNode(promised)) ? schemaOf(promised, program) : undefined;
}

const KEYWORDS = new Map([
  [ts.SyntaxKind.StringKeyword, { type: 'string' }],
  [ts.SyntaxKind.NumberKeyword, { type: 'number' }],
  [ts.SyntaxKind.BooleanKeyword, { type: 'boolean' }],
  [ts.SyntaxKind.ObjectKeyword, { type: 'object', additionalProperties: true }],
  [ts.SyntaxKind.UnknownKeyword, {}],
]);

/** The schema of a declared type; undefined unless it consists of classes of a *.dto.ts and plain types. */
function schemaOf(node, program) {
  if (KEYWORDS.has(node.kind)) return KEYWORDS.get(node.kind);
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return schemaOf(node.type, program);
  if (ts.isLiteralTypeNode(node)) {
    return node.literal.kind === ts.SyntaxKind.NullKeyword
      ? { type: 'null' }
      : { const: JSON.parse(node.literal.getText().replaceAll("'", '"')) };
  }
  if (ts.isArrayTypeNode(node)) {
    const items = schemaOf(node.elementType, program);
    return items && { type: 'array', items };
  }
  if (ts.isUnionTypeNode(node)) {
    const parts = node.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword).map((part) => schemaOf(part, program));
    if (parts.includes(undefined)) return undefined;
    if (parts.length === 1) return parts[0];
    return parts.every((part) => Object.keys(part).join() === 'type') ? { type: parts.map(({ type }) => type) } : { anyOf: parts };
  }
  if (ts.isTypeLiteralNode(node)) {
    const fields = node.members.filter(ts.isPropertySignature);
    const properties = Object.fromEntries(fields.map((field) => [field.name.getText(), schemaOf(field.type, program)]));
    const required = fields.filter(({ questionToken }) => !questionToken).map(({ name }) => name.getText());
    return Object.values(properties).includes(undefined)
      ? undefined
      : { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  }
  if (!ts.isTypeReferenceNode(node)) return undefined;
  const name = node.typeName.getText();
  if (name === 'Uint8Array' || name === 'Buffer') return { type: 'string', format: 'binary' };
  if (name === 'Record') {
    const additionalProperties = schemaOf(node.typeArguments[1], program);
    return additionalProperties && { type: 'object', additionalProperties };
  }
  return classesOf(program, '.dto.ts').some((known) => known.name.text === name) ? { $ref: `#/components/schemas/${name}` } : undefined;
}

const classesByProgram = new WeakMap();

function classesOf(program, suffix) {
  if (!classesByProgram.has(program)) classesByProgram.set(program, new Map());
  const classes = classesByProgram.get(program);
  if (!classes.has(suffix)) {
    const files = program.getSourceFiles().filter(({ fileName }) => fileName.endsWith(suffix) && !fileName.includes('/node_modules/'));
    classes.set(
      suffix,
      files.flatMap(({ statements }) => statements.filter(ts.isClassDeclaration)),
    );
  }
  return classes.get(suffix);
}
