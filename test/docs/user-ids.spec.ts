// The programs and the table of docs/guides/clients.md, "Ids of users": each language derives the ids of the table, as server and client do.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { userId } from 'parley-client';
import { userIdOf } from '../../src/core/ids/index.js';

const run = promisify(execFile);
const GUIDE = join(import.meta.dirname, '../../docs/guides/clients.md');

/** How the function of the guide is called for each of the texts in the arguments. */
const LANGUAGES = [
  {
    name: 'javascript',
    command: 'node',
    file: 'ids.mjs',
    call: 'console.log(JSON.stringify(process.argv.slice(2).map(userId)));',
  },
  {
    name: 'python',
    command: 'python3',
    file: 'ids.py',
    call: 'import json, sys\nprint(json.dumps([user_id(text) for text in sys.argv[1:]]))',
  },
  {
    name: 'java',
    command: 'java',
    file: 'Ids.java',
    call: `public final class Ids {
      public static void main(String[] texts) throws Exception {
        StringBuilder ids = new StringBuilder();
        for (String text : texts) ids.append(ids.isEmpty() ? "[\\"" : ",\\"").append(UserIds.userId(text)).append('"');
        System.out.println(ids.append(']'));
      }
    }`,
  },
];
// Java runs the first class of a file.
const inOrder = (name: string, code: string, call: string): string => {
  if (name !== 'java') return `${code}\n${call}`;
  const [imports = '', rest = ''] = code.split(/\n(?=final class)/);
  return `${imports}\n${call}\n${rest}`;
};
const isInstalled = (command: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));
// A workstation may lack a language; CI installs them all.
const languages = LANGUAGES.filter(({ command }) => process.env['CI'] === 'true' || isInstalled(command));

let folder: string;
let guide: string;
let vectors: [text: string, id: string][];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-user-ids-'));
  guide = await readFile(GUIDE, 'utf8');
  vectors = [...guide.matchAll(/^\| `(.+?)` +\| `([0-9a-f-]{36})` +\|$/gm)].map(([, text, id]) => [text!, id!]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the guide's user ids", () => {
  it('match those of the server and of the client, for texts of many kinds', () => {
    expect(vectors.length).toBeGreaterThan(5);
    expect(vectors.map(([text]) => [text, userIdOf(text)])).toEqual(vectors);
    expect(vectors.map(([text]) => [text, userId(text)])).toEqual(vectors);
  });

  it.each(languages)('are derived by its program in $name, which refuses a missing user', async ({ name, command, file, call }) => {
    const [, code] = new RegExp(`^\`\`\`${name}\\n(.*?)^\`\`\``, 'ms').exec(guide)!;
    await writeFile(join(folder, file), inOrder(name, code!, call));
    // Java reads arguments in the encoding of the locale.
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const { stdout } = await run(command, [join(folder, file), ...vectors.map(([text]) => text)], { env });
    expect(JSON.parse(stdout)).toEqual(vectors.map(([, id]) => id));
    await expect(run(command, [join(folder, file), ' '], { env })).rejects.toThrow(/user is missing/);
  });
});
