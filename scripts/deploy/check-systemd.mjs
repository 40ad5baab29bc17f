import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const WORST_EXPOSURE = 2;

/** The units: what systemd says of them, the variables that they set, and the time for a stop. */
export function systemdFaults({ root, read, files, unknownNames, stopSeconds }) {
  const faults = [];
  const notes = [];
  const units = files.filter((path) => path.endsWith('.service'));
  if (units.length === 0) faults.push('deploy/systemd has no unit');
  for (const path of units) {
    const text = read(path);
    const values = Object.fromEntries([...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
    faults.push(...unknownNames(Object.keys(values)).map((name) => `${path}: ${name} is no setting of Parley`));
    const limit = Number(/^TimeoutStopSec=(\d+)s$/m.exec(text)?.[1]);
    if (!(limit >= stopSeconds(values))) faults.push(`${path}: TimeoutStopSec must be at least ${stopSeconds(values)}s`);
    const verified = analyze(['verify', '--man=no', join(root, path)]);
    if (verified.error) {
      notes.push(`${path}: systemd-analyze is not installed, so systemd has not read it`);
      continue;
    }
    // It succeeds in spite of unknown settings, which it only mentions; a program that is elsewhere on this machine is no fault.
    const complaints = `${verified.stderr}${verified.stdout}`
      .split('\n')
      .filter((line) => line.includes(path) || line.startsWith('parley'));
    faults.push(...complaints.filter((line) => !/is not executable/.test(line)).map((line) => `${path}: ${line}`));
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(analyze(['security', '--offline=true', join(root, path)]).stdout)?.[1]);
    if (!(exposure <= WORST_EXPOSURE)) faults.push(`${path}: the exposure is ${exposure}, more than ${WORST_EXPOSURE}`);
  }
  return { faults, notes };
}

function analyze(args) {
  return spawnSync('systemd-analyze', args, { encoding: 'utf8' });
}
