import { backupName, makeBackup, type Verification } from '../../core/backup/index.js';
import { SystemClock } from '../../core/clock/index.js';
import type { Config } from '../../core/config/index.js';
import { readArguments, UsageError } from '../../cli/arguments.js';
import { now, restrictedConfig, type Command, type Program, type Terminal } from '../../cli/program.js';

export const backupCommand: Command = {
  usage: `  backup [FOLDER|s3://BUCKET/FOLDER]
                      back up the database and the files of DATA_DIR while the server runs: into the new FOLDER, into a new folder
                      of a bucket, or by default into a new folder of DATA_DIR/backups
  backup verify [FOLDER|s3://BUCKET/FOLDER|latest]
                      restore a backup to a scratch place and compare it with its manifest; exit with 1 if anything is wrong
`,
  async run(args, program, terminal) {
    const { positionals } = readArguments(args, {});
    const [first, second, ...more] = positionals;
    if (more.length > 0 || (first !== 'verify' && second !== undefined)) {
      throw new UsageError(`There is no command "backup ${args.join(' ')}".`);
    }
    if (first === 'verify') return verify(second ?? 'latest', program, terminal);
    const config = await restrictedConfig(program);
    const address = await make(config, first);
    const { storageOutside } = await import('../../modules/backups/index.js');
    const files = storageOutside(config);
    return `The backup is in ${address}.\n${files === undefined ? '' : `Uploaded files are in ${files} and not in the backup.\n`}`;
  },
};

/** @returns the address of the backup */
async function make(config: Config, target: string | undefined): Promise<string> {
  const at = now();
  const { backupSource, openDestination } = await import('../../modules/backups/index.js');
  const source = backupSource(config);
  if (target?.startsWith('s3:') !== true) return makeBackup(source, at, target);
  const destination = await openDestination(config, target);
  try {
    const name = backupName('command', at);
    await destination.make(source, at, name);
    return destination.addressOf(name);
  } finally {
    destination.close();
  }
}

async function verify(address: string, program: Program, { out, err }: Terminal): Promise<number> {
  const config = await restrictedConfig(program);
  const { findBackup, verifyFound } = await import('../../modules/backups/index.js');
  const { SCHEMA } = await import('../../app.module.js');
  const found = await findBackup(config, address);
  try {
    const where = found.destination.addressOf(found.name);
    const verification = await verifyFound(config, SCHEMA, found, new SystemClock());
    out(report(where, verification));
    if (verification.faults.length === 0) return 0;
    err(`The backup ${where} cannot be trusted. Use another backup.\n`);
    return 1;
  } finally {
    found.destination.close();
  }
}

function report(where: string, { manifest, checks }: Verification): string {
  const { createdAt, parley, engine } = manifest;
  const lines = checks.map(({ name, about, faults }) =>
    [`  ${faults.length === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)}  ${about}`, ...faults.map((fault) => `          ${fault}`)].join(
      '\n',
    ),
  );
  return [`${where}, made at ${createdAt} by Parley ${parley} on ${engine}`, ...lines, ''].join('\n');
}
