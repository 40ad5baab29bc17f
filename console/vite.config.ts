import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The server that `npx vite console` passes requests to while the console is developed. */
const SERVER = process.env['PARLEY_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: folder('.'),
  base: '/',
  publicDir: false,
  resolve: {
    alias: [
      { find: /^parley-client$/, replacement: folder('../client/src/index.ts') },
      { find: /^parley-client\/socket$/, replacement: folder('../client/src/socket.ts') },
    ],
    dedupe: ['preact'],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: folder('../dist/console'),
    emptyOutDir: true,
    assetsDir: 'console-assets',
    // Inlined files are `data:` addresses, which the content security policy does not allow for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    sourcemap: false,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
  },
  server: {
    // To the server, requests come from its own page.
    proxy: Object.fromEntries(
      ['/api', '/media', '/socket.io'].map((path) => [path, { target: SERVER, ws: true, changeOrigin: true, headers: { origin: SERVER } }]),
    ),
  },
});
