import { readArguments, readSubcommand, UsageError } from '../../cli/arguments.js';
import { restrictedConfig, type Command } from '../../cli/program.js';

export const importCommand: Command = {
  usage: `  import elizaos ADDRESS [--vouched]
                      take agents, worlds, rooms, channels, messages and memories out of a database of elizaOS 1.7, which may be in use:
                      ADDRESS is its postgres:// address or its PGlite folder. Stop the Parley server before, or with PostgreSQL all of
                      them. The command can be repeated and adds what is new. --vouched trusts the ids of users
`,
  async run(args, program, terminal) {
    const { values, positionals } = readArguments(args, { vouched: { type: 'boolean' } });
    const [from, address, ...more] = positionals;
    readSubcommand('import', from, ['elizaos']);
    if (address === undefined || more.length > 0) throw new UsageError('"import elizaos" needs the address of one database.');
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
        await new ElizaImport(source, app, {
          report,
          vouched: values.vouched === true,
          progress: (line) => terminal.err(`${line}\n`),
        }).run();
      } finally {
        await app.close();
      }
    } finally {
      await source.close();
    }
    report.note('Files that messages and memories name stay where elizaOS has them; their addresses are not changed.');
    report.note('Vectors are not taken: the server embeds the memories after its next start.');
    return report.toString();
  },
};
