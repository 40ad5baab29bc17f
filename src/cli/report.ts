import { access, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { resolve } from 'node:path';
import JSZip from 'jszip';
import { publicSettings } from '../core/config/index.js';
import { engineOf } from '../core/database/index.js';
import { faultsFolder, listFaults, readFault } from '../core/faults/index.js';
import { redact } from '../core/logging/index.js';
import { readArguments, UsageError } from './arguments.js';
import { now, restrictedConfig, type Command } from './program.js';

export const reportCommand: Command = {
  usage: `  report [FILE]       pack the records of faults in DATA_DIR/faults and the configuration without secrets into a ZIP file for an issue
`,
  async run(args, program) {
    const [file, ...more] = readArguments(args, {}).positionals;
    if (more.length > 0) throw new UsageError('"report" takes the name of one file.');
    const config = await restrictedConfig(program);
    const at = now();
    const path = resolve(file ?? `parley-report-${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}.zip`);
    await access(path).then(
      () => Promise.reject(new Error(`${path} exists. Name another file.`)),
      () => undefined,
    );
    const folder = faultsFolder(config.dataDir);
    const names = await listFaults(folder);
    const zip = new JSZip();
    const about = {
      at: at.toISOString(),
      version: program.version,
      node: process.version,
      system: `${platform()} ${release()} ${arch()}`,
      processors: cpus().length,
      memoryBytes: totalmem(),
      database: engineOf(config.databaseUrl),
      configuration: redact(publicSettings(config)),
    };
    zip.file('about.json', JSON.stringify(about, null, 2));
    for (const name of names) zip.file(`faults/${name}`, await readFault(folder, name));
    const content = await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
    await writeFile(path, content, { flag: 'wx' });
    const what =
      names.length === 0 ? 'No fault has been recorded' : `${names.length} ${names.length === 1 ? 'record' : 'records'} of faults`;
    return [
      `${path}: ${what}, and the configuration without secrets.`,
      ...names.map((name) => `  faults/${name}`),
      'The records have log lines, names of files and ids. Look through them before you publish them.',
      '',
    ].join('\n');
  },
};
