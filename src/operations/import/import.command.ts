import { readArguments, UsageError } from '../../cli/arguments.js';
import { restrictedConfig, type Command, type Program, type Terminal } from '../../cli/program.js';

export const importCommand: Command = {
  usage: `  import FILE... [--agent NAME] [--user NAME]
                      take what other programs have: character cards (JSON, PNG, CHARX), character files of elizaOS, agent files of Letta (.af),
                      and the exports of ChatGPT and Claude (conversations.json, or the ZIP file). FILE may be a folder. --agent is the id or
                      name of the agent that conversations go to, --user the user whose they are. Tools and plugins come in switched off
  import elizaos ADDRESS [--vouched]
                      take agents, worlds, rooms, channels, messages and memories out of a database of elizaOS 1.7, which may be in use:
                      ADDRESS is its postgres:// address or its PGlite folder. --vouched trusts the ids of users.
                      Stop the Parley server before an import, or with PostgreSQL all of them. Imports can be repeated and add what is new
`,
  async run(args, program, terminal) {
    const { values, positionals } = readArguments(args, {
      vouched: { type: 'boolean' },
      agent: { type: 'string' },
      user: { type: 'string' },
    });
    const [first, address, ...more] = positionals;
    if (first === undefined) throw new UsageError('"import" needs the name of a file, or "elizaos" and the address of a database.');
    if (first !== 'elizaos') {
      if (values.vouched === true) throw new UsageError('--vouched is an option of "import elizaos".');
      return importFiles(positionals, values, program, terminal);
    }
    if (address === undefined || more.length > 0) throw new UsageError('"import elizaos" needs the address of one database.');
    if (values.agent !== undefined || values.user !== undefined) throw new UsageError('"import elizaos" takes no --agent and no --user.');
    return importDatabase(address, values.vouched === true, program, terminal);
  },
};

async function importFiles(
  paths: readonly string[],
  { agent, user }: { agent?: string; user?: string },
  program: Program,
  terminal: Terminal,
): Promise<number> {
  const config = await restrictedConfig(program);
  const [{ FileImport, isRefusal }, { ImportReport }, { createApp }] = await Promise.all([
    import('./file-import.js'),
    import('./report.js'),
    import('../../bootstrap/create-app.js'),
  ]);
  const report = new ImportReport();
  const app = await createApp(config);
  try {
    const files = new FileImport(app, { report, agent, user, progress: (line) => terminal.err(`${line}\n`) });
    for (const path of paths) await files.run(path);
  } catch (error) {
    if (!isRefusal(error)) {
      // Stored rows stay, so the report names them.
      terminal.out(report.toString());
      throw error;
    }
    report.fail(error.message);
  } finally {
    await app.close();
  }
  if (report.isEmpty && !report.failed) {
    report.fail(
      'Nothing was found to take. "parley import" reads character cards, character files, .af files, and exports of ChatGPT and Claude.',
    );
  }
  terminal.out(report.toString());
  return report.failed ? 1 : 0;
}

async function importDatabase(address: string, vouched: boolean, program: Program, terminal: Terminal): Promise<string> {
  const config = await restrictedConfig(program);
  const [{ openSource }, { ElizaImport }, { ImportReport }, { createApp }] = await Promise.all([
    import('./source.js'),
    import('./elizaos-import.js'),
    import('./report.js'),
    import('../../bootstrap/create-app.js'),
  ]);
  const source = await openSource(address);
  const report = new ImportReport();
  try {
    const app = await createApp(config);
    try {
      await new ElizaImport(source, app, { report, vouched, progress: (line) => terminal.err(`${line}\n`) }).run();
    } finally {
      await app.close();
    }
  } finally {
    await source.close();
  }
  report.note('Files that messages and memories name stay where elizaOS has them; their addresses are not changed.');
  report.note('Vectors are not taken: the server embeds the memories after its next start.');
  return report.toString();
}
