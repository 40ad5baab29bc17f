// Plugins to be measured, and what is sent to them.
import { createHmac, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder of so many plugins with so many routes each. */
export async function pluginsFolder(workshop, plugins, routes) {
  const files = Array.from({ length: plugins }, (_, plugin) => {
    const lines = Array.from(
      { length: routes },
      (_, route) =>
        `{ type: 'GET', path: '/p${plugin}/r${route}/:id', handler: (request, response) => response.json({ id: request.params.id }) },`,
    );
    return [`p${plugin}.mjs`, `export default { name: 'p${plugin}', routes: [\n${lines.join('\n')}\n] };\n`];
  });
  return folderOf(workshop, Object.fromEntries(files));
}

/** A plugin whose route answers this JSON. */
export function answeringPlugin(workshop, text) {
  const source = `const answer = ${text};
export default { name: 'bench', routes: [{ type: 'GET', path: '/bench', handler: (request, response) => response.json(answer) }] };
`;
  return folderOf(workshop, { 'bench.mjs': source });
}

/** A webhook whose handler takes 2 s, and a route that does nothing. */
export function ackPlugin(workshop) {
  const source = `export default {
  name: 'bench',
  config: { BENCH_SECRET: { secret: true } },
  routes: [
    {
      type: 'POST',
      path: '/ack',
      webhook: { verify: 'github', secret: 'BENCH_SECRET', mode: 'ack' },
      handler: () => new Promise((resolve) => setTimeout(resolve, 2000)),
    },
    { type: 'POST', path: '/empty', handler: (request, response) => response.json({ success: true }) },
  ],
};
`;
  return folderOf(workshop, { 'bench.mjs': source });
}

/** A webhook whose handler reads and writes a value. */
export function soakPlugin(workshop) {
  const source = `export default {
  name: 'soak',
  config: { SOAK_SECRET: { secret: true } },
  routes: [
    {
      type: 'POST',
      path: '/soak',
      webhook: { verify: 'github', secret: 'SOAK_SECRET', mode: 'ack' },
      handler: async (request, response, runtime) => runtime.store.set('last', request.deliveryId),
    },
  ],
};
`;
  return folderOf(workshop, { 'soak.mjs': source });
}

/** Deliveries of 5 kB as GitHub sends them, each with an id of its own. */
export function signedDeliveries(path, count, secret) {
  const body = JSON.stringify({ action: 'opened', padding: 'x'.repeat(5000) });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return Array.from({ length: count }, () => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', 'x-github-delivery': randomUUID(), 'x-hub-signature-256': signature },
    body,
  }));
}

async function folderOf(workshop, files) {
  const folder = join(await mkdtemp(join(workshop.directory, 'plugins-')), 'plugins');
  await mkdir(folder);
  for (const [name, source] of Object.entries(files)) await writeFile(join(folder, name), source);
  return folder;
}
