import { sep } from 'node:path';
import { pluginText, testFile, testText } from './new-plugin.js';

/** The name of the package for those who import it, whichever name it is published under. */
export const PACKAGE_NAME = 'parley-server';

/** The package that a project depends on. */
export interface ParleyPackage {
  readonly name: string;
  readonly version: string;
  /** The archive or folder to install it from, absolute; the registry's package if undefined. */
  readonly source?: string | undefined;
}

const PLUGIN = 'hello';

/**
 * The files of a new project, by their paths with `/`.
 *
 * @param dependency what package.json says of Parley (`dependencyOn`)
 */
export function projectFiles(name: string, dependency: string): Readonly<Record<string, string>> {
  return {
    'package.json': `${JSON.stringify(manifest(name, dependency), null, 2)}\n`,
    'characters/juno.json': `${JSON.stringify(CHARACTER, null, 2)}\n`,
    [`plugins/${PLUGIN}/index.mjs`]: pluginText(PLUGIN),
    [`plugins/${PLUGIN}/${testFile(PLUGIN)}`]: testText(PLUGIN),
    'exec.cmd': EXEC,
    '.env.example': ENV_EXAMPLE,
    '.gitignore': 'node_modules/\ndata/\n.env\n',
    'README.md': readme(name),
  };
}

/** How package.json names Parley: a path, a version, or an alias of the name under which it is published. */
export function dependencyOn({ name, version, source }: ParleyPackage): string {
  if (source !== undefined) return `file:${source.split(sep).join('/')}`;
  return name === PACKAGE_NAME ? version : `npm:${name}@${version}`;
}

const manifest = (name: string, dependency: string): object => ({
  name,
  version: '0.1.0',
  private: true,
  type: 'module',
  scripts: { start: `exec ${PACKAGE_NAME}`, test: 'node --test' },
  dependencies: { [PACKAGE_NAME]: dependency },
  // The driver of SQLite is downloaded or compiled when it is installed.
  allowScripts: { sqlite3: true },
});

const CHARACTER = {
  name: 'Juno',
  system: 'You are Juno, the first agent of a new project. Be friendly, brief and honest; when you do not know something, say so.',
  bio: ['I am Juno, the first agent of this project.', 'I am here to be tried out, and then to be replaced by an agent of yours.'],
  topics: ['this project', 'plugins', 'characters'],
  knowledge: [
    'My character is the file characters/juno.json; after a change, restart the server.',
    'Every JSON file in the folder characters becomes an agent.',
    `The plugin of this project is in plugins/${PLUGIN}; it answers GET /${PLUGIN}/Ada.`,
    'npm test runs the tests of the plugins.',
    'To give me a language model, copy .env.example to .env and set OPENAI_API_KEY, ANTHROPIC_API_KEY or OLLAMA_MODEL.',
  ],
  style: { all: ['Keep answers short.', 'Never invent facts.'] },
  plugins: [PLUGIN],
};

const EXEC = `@rem "npm start" begins with exec, so that the shell makes way for the server and signals reach it. cmd.exe has no such word.
@%*
`;

const ENV_EXAMPLE = `# Copy this file to .env, which the server reads at start. Every setting: node_modules/parley-server/docs/reference/config.md

# A language model: one of these. Without any, agents reply from their character files.
# OPENAI_API_KEY=
# ANTHROPIC_API_KEY=
# OLLAMA_MODEL=

# Where the server listens. An address beyond this machine requires API_KEY.
# SERVER_HOST=127.0.0.1
# SERVER_PORT=3000
# API_KEY=

# Where the server keeps its data.
# DATA_DIR=./data
# DATABASE_URL=postgres://user:password@localhost:5432/parley
`;

const readme = (name: string): string => `# ${name}

Agents that run on Parley.

\`\`\`sh
npm install
npm test
npm start
\`\`\`

Open <http://localhost:3000> and talk to Juno. Her plugin answers at <http://localhost:3000/${PLUGIN}/Ada>.

| Folder or file | Contains |
| --- | --- |
| \`characters/\` | a JSON file for each agent |
| \`plugins/\` | routes, webhooks and actions of your own, with their tests |
| \`.env\` | keys and settings; \`.env.example\` shows the most important ones |
| \`exec.cmd\` | what \`npm start\` needs on Windows |
| \`data/\` | database, uploads and backups of the server |

- \`npx parley-server plugin new NAME\` adds a plugin, and \`PLUGINS_WATCH=true npm start\` reloads plugins when they change.
- \`npx parley-server --help\` lists the commands, such as \`backup\`.
- The guides are in \`node_modules/parley-server/docs/guides\`.
`;
