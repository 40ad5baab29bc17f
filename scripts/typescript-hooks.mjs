// Module hooks with which Node.js loads TypeScript with decorators; registered by scripts/typescript.mjs and scripts/jest/runtime.cjs.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformFile, transformFileSync } from '@swc/core';

const { jsc } = JSON.parse(readFileSync(new URL('../.swcrc', import.meta.url), 'utf8'));
const OPTIONS = { swcrc: false, jsc, module: { type: 'es6' } };

let aliases = {};

/** @param data.aliases module URLs by specifier */
export function initialize(data) {
  aliases = data?.aliases ?? {};
}

export async function resolve(specifier, context, next) {
  if (Object.hasOwn(aliases, specifier)) return { url: aliases[specifier], shortCircuit: true };
  if (context.parentURL !== undefined && isTypeScript(context.parentURL) && /^\.{1,2}\/.*\.js$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return next(source.href, context);
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), OPTIONS);
  return { format: 'module', source: code, shortCircuit: true };
}

/** The source map of a TypeScript file as JSON; undefined for other files. */
export function sourceMapOf(url) {
  return isTypeScript(url) ? transformFileSync(fileURLToPath(url), { ...OPTIONS, sourceMaps: true }).map : undefined;
}

function isTypeScript(url) {
  return url.startsWith('file:') && new URL(url).pathname.endsWith('.ts');
}
