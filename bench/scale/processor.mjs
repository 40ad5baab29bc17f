// Processor time, from Linux.
import { readFile, readdir } from 'node:fs/promises';

/** Time that the processors of the machine were busy. */
export async function machineMs() {
  const [user, nice, system, , , irq, soft] = (await readFile('/proc/stat', 'utf8')).split('\n')[0].split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + soft) * 10;
}

/** Processor time of everything that this bench has started. */
export async function descendantsMs() {
  const all = new Map();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    all.set(pid, { parent: fields[1], ms: (Number(fields[11]) + Number(fields[12])) * 10 });
  }
  const ours = (pid) => pid !== undefined && (pid === String(process.pid) || ours(all.get(pid)?.parent));
  return [...all].reduce((sum, [pid, { ms }]) => (ours(pid) ? sum + ms : sum), 0);
}

/** Time on a processor of these processes, from the scheduler, which counts it in ns. */
export async function preciseMs(pids) {
  const times = await Promise.all(
    pids.map(async (pid) => Number((await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')).split(' ')[0])),
  );
  return times.reduce((all, time) => all + time, 0) / 1e6;
}
