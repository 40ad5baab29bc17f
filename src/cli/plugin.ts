import { join } from 'node:path';
import { errorMessage } from '../core/errors/index.js';
import { readArguments, readSubcommand, UsageError } from './arguments.js';
import { testFile, writePlugin } from './new-plugin.js';
import type { Command, Program } from './program.js';

/** What the subcommands need. */
const SUBJECTS = { new: 'the NAME of the plugin', check: 'the path or the package NAME of the plugin' } as const;

export const pluginCommand: Command = {
  usage: `  plugin new NAME     create a working plugin with a test in PLUGINS_DIR
  plugin check NAME   check whether a plugin (a path or a package) can be loaded; list its parts and warnings
`,
  async run(args, program) {
    const [given, subject, ...more] = readArguments(args, {}).positionals;
    const action = readSubcommand('plugin', given, ['new', 'check']);
    if (subject === undefined) throw new UsageError(`"plugin ${action}" needs ${SUBJECTS[action]}.`);
    if (more.length > 0) throw new UsageError(`"plugin ${action}" takes one plugin.`);
    return action === 'new' ? newPlugin(subject, program) : check(subject, program);
  },
};

async function newPlugin(name: string, program: Program): Promise<string> {
  const { pluginsDir } = await program.config();
  const folder = await writePlugin(pluginsDir, name);
  return `The plugin is in ${folder}. Start the server to load it; node --test ${join(folder, testFile(name))} runs its test.\n`;
}

async function check(path: string, program: Program): Promise<string> {
  try {
    const { checkPlugin } = await import('../modules/plugins/index.js');
    const { plugin, parts, warnings } = await checkPlugin(path, await program.config());
    return [
      `${plugin.name}${plugin.version === undefined ? '' : ` ${plugin.version}`} can be loaded.`,
      ...parts.map(({ kind, name, notes }) => `  ${kind.padEnd(6)} ${name}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`),
      ...warnings.map((warning) => `  warning: ${warning}`),
      '',
    ].join('\n');
  } catch (error) {
    throw new Error(`${path} cannot be loaded: ${errorMessage(error)}`, { cause: error });
  }
}
