import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^[a-z0-9][a-z0-9._-]{0,100}$/;

/** Name of the test file; from Node 22 on, `node --test` accepts files but not folders. */
export function testFile(name: string): string {
  return `${name}.test.mjs`;
}

/**
 * Creates a folder with a plugin and its test.
 *
 * @returns the folder
 * @throws Error with a readable message when the name is invalid or in use
 */
export async function writePlugin(pluginsDir: string, name: string): Promise<string> {
  if (!NAME.test(name)) throw new Error(`"${name}" is not a valid plugin name: use lower-case letters, digits, ".", "_" and "-".`);
  const folder = join(pluginsDir, name);
  await mkdir(pluginsDir, { recursive: true });
  try {
    await mkdir(folder);
  } catch (error) {
    throw new Error(
      `${folder} cannot be created: ${(error as NodeJS.ErrnoException).code === 'EEXIST' ? 'it already exists' : String(error)}.`,
      {
        cause: error,
      },
    );
  }
  await writeFile(join(folder, 'index.mjs'), pluginText(name));
  await writeFile(join(folder, testFile(name)), testText(name));
  return folder;
}

/** The name of the template's action, and of its key, for models and for the environment. */
function upperCase(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

/** A working plugin with this name. */
export const pluginText = (name: string): string => `import { definePlugin, sameSecret } from 'parley-server/plugin-sdk';

export default definePlugin({
  name: '${name}',
  description: 'What this plugin is for',
  version: '0.1.0',
  config: {
    GREETING: 'Hello',
    ${upperCase(name)}_KEY: { description: 'What callers of POST /${name} send as x-api-key; without it every call is refused', secret: true },
  },
  routes: [
    {
      type: 'GET',
      path: '/${name}/:who',
      handler(request, response, runtime) {
        response.json({ message: \`\${greet(runtime, request.params.who)} This is \${runtime.character.name}.\` });
      },
    },
    {
      type: 'POST',
      path: '/${name}',
      async handler(request, response, runtime) {
        if (!sameSecret(request.headers['x-api-key'], runtime.getSetting('${upperCase(name)}_KEY'))) {
          response.status(401).json({ success: false, error: 'Unauthorized' });
          return;
        }
        const { channelId, message } = request.body ?? {};
        if (!channelId || !message) {
          response.status(400).json({ success: false, error: 'channelId and message are required' });
          return;
        }
        const { id } = await runtime.sendMessage({ channelId, text: message });
        response.json({ success: true, messageId: id });
      },
    },
  ],
  actions: [
    {
      name: '${upperCase(name)}_GREET',
      description: 'Greets a person by name.',
      parameters: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'], additionalProperties: false },
      async handler(runtime, message, state, { parameters }) {
        return { success: true, text: greet(runtime, parameters.who) };
      },
    },
  ],
});

function greet(runtime, who) {
  return \`\${runtime.getSetting('GREETING')}, \${who}.\`;
}
`;

/** The test of `pluginText`, which lies beside it. */
export const testText = (name: string): string => `// node --test ${name}.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callRoute, runAction } from 'parley-server/plugin-sdk/testing';
import plugin from './index.mjs';

const settings = { ${upperCase(name)}_KEY: 'secret' };
const post = (body, key = 'secret') =>
  callRoute(plugin, { method: 'POST', path: '/${name}', body, headers: { 'x-api-key': key } }, { settings });

test('greets', async () => {
  const response = await callRoute(plugin, { path: '/${name}/Ada' }, { agent: { name: 'Iris' } });
  assert.deepEqual(response.body, { message: 'Hello, Ada. This is Iris.' });
});

test('posts as the agent', async () => {
  const body = { channelId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', message: 'Deployed' };
  const response = await post(body);
  assert.equal(response.status, 200);
  assert.deepEqual(response.sent, [{ channelId: body.channelId, text: 'Deployed' }]);
});

test('posts only for callers with the key, and needs a channel and a message', async () => {
  assert.equal((await post({}, 'wrong')).status, 401);
  assert.equal((await post({})).status, 400);
});

test('lets the agent greet', async () => {
  const { offered, result } = await runAction(plugin, '${upperCase(name)}_GREET', { parameters: { who: 'Ada' } });
  assert.equal(offered, true);
  assert.deepEqual(result, { success: true, text: 'Hello, Ada.' });
});
`;
