import { resolve } from 'node:path';
import { backupFolder, hasUnfinishedRestore, PARTIAL, publishHere, removeBackup, restoreBackup } from '../../core/backup/index.js';
import type { Config } from '../../core/config/index.js';
import { DataDirLock } from '../../core/database/index.js';
import { readArguments, UsageError } from '../../cli/arguments.js';
import { now, restrictedConfig, type Command } from '../../cli/program.js';

export const restoreCommand: Command = {
  usage: `  restore FOLDER|s3://BUCKET/FOLDER|latest
                      replace the current data with a backup; the current data is moved aside; "latest" is the newest backup in
                      DATA_DIR/backups and BACKUP_DESTINATION, and of a folder or bucket with several the newest is taken
`,
  async run(args, program) {
    const [address, ...more] = readArguments(args, {}).positionals;
    if (address === undefined) throw new UsageError('"restore" needs the FOLDER of a backup, or latest.');
    if (more.length > 0) throw new UsageError(`There is no command "restore ${args.join(' ')}".`);
    const config = await restrictedConfig(program);
    const { from, replaced } = await restore(config, address);
    return `${from} is restored; the previous data is in ${replaced}.\n`;
  },
};

async function restore(config: Config, address: string): Promise<{ readonly from: string; readonly replaced: string }> {
  // Files from a MEDIA_DIR outside of DATA_DIR go to the present one, wherever that is.
  const source = { ...config, uploads: config.mediaDir };
  // An interrupted restore goes on with its own backup.
  if (await hasUnfinishedRestore(config.dataDir)) {
    const { folder, replaced } = await restoreBackup(source, address, now());
    return { from: folder, replaced };
  }
  // Before a long download: a running server would refuse the restore.
  await (await DataDirLock.acquire(config.dataDir)).release();
  // The modules define the tables.
  const [{ findBackup }, { SCHEMA: schema }] = await Promise.all([import('../../modules/backups/index.js'), import('../../app.module.js')]);
  const { destination, name } = await findBackup(config, address);
  try {
    const copy = resolve(backupFolder(config.dataDir, `${name}-fetched`));
    const partial = `${copy}${PARTIAL}`;
    for (const left of [copy, partial]) await removeBackup(left);
    const fetched = await destination.fetch(name, partial);
    if (fetched === partial) await publishHere(partial, copy);
    const { replaced } = await restoreBackup(source, fetched === partial ? copy : fetched, now(), { schema });
    await removeBackup(copy);
    return { from: destination.addressOf(name), replaced };
  } finally {
    destination.close();
  }
}
