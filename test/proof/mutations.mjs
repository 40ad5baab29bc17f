// Shows that the checker can fail: plants one fault at a time into a copy of the build and expects the checker to find it.
//   npm run build && node test/proof/mutations.mjs [NAME...]     PROOF_SECONDS says how long each run may look.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const RUNS = 3;

// Each is a mistake that somebody could make. `find` must be there exactly once.
const MUTATIONS = [
  {
    name: 'acknowledged before the commit',
    file: 'core/database/sqlite-engine.js',
    find: "await this.exec('COMMIT');\n            return parts;",
    replace:
      "group.forEach((job, index) => job.resolve(parts[index] ?? []));\n            await this.exec('COMMIT');\n            return parts;",
    faults: 'kill,disk',
  },
  {
    name: 'a failed group is reported as committed',
    file: 'core/database/sqlite-engine.js',
    find: "await this.exec('COMMIT');\n            return parts;",
    replace: "await this.exec('COMMIT').catch(() => this.exec('ROLLBACK').catch(() => undefined));\n            return parts;",
    faults: 'disk',
  },
  {
    name: 'a cursor off by one: a reader that comes back receives its last entry again',
    file: 'core/journal/journal.js',
    find: "'channel_id = ? AND pos > ? AND pos <= ?'",
    replace: "'channel_id = ? AND pos >= ? AND pos <= ?'",
    faults: 'cut',
  },
  {
    name: 'a hole between the past and the present of a stream',
    file: 'core/journal/journal.js',
    find: 'if (entry.offset <= cursor) continue;',
    replace: 'if (entry.offset <= cursor + 1) continue;',
    faults: 'cut',
  },
  {
    name: 'a hole between the past and the present of a socket',
    file: 'interfaces/gateway/subscriptions.js',
    find: 'for (const entry of meanwhile)if (entry.offset > cursor) emit(socket, entry);',
    replace: '',
    faults: 'cut',
  },
  {
    name: 'a job that was running is forgotten by a restart',
    file: 'core/queue/job-table.js',
    find: "...waiting,\n            'running'",
    replace: '...waiting',
    faults: 'kill',
  },
  {
    name: 'a message that is sent again is stored again',
    file: 'modules/messaging/messages.service.js',
    find: 'clientMessageId: command.clientMessageId ?? null',
    replace: 'clientMessageId: null',
    faults: 'kill,cut',
  },
  {
    name: 'a second process may claim a running job',
    file: 'core/queue/job-table.js',
    find: ', 0) <= ?',
    replace: ', 0) - 60000 <= ?',
    faults: 'clock,pause,kill',
    env: { PROOF_DATABASE: 'postgres' },
  },
  {
    name: 'a turn that is taken up again answers under another id',
    file: 'modules/turns/reply.step.js',
    find: 'id: replyId,\n            channelId',
    replace: "id: turn.attempts > 1 ? replyId.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')) : replyId,\n            channelId",
    faults: 'kill',
  },
  {
    name: 'a failed model leaves no record',
    file: 'modules/turns/turn-executor.js',
    find: 'await this.reply.fail(turn, owner, this.failure(error, turn), attempt);',
    replace: 'this.failure(error, turn);',
    faults: 'model',
  },
  {
    name: 'pieces of an answer are streamed again after a restart',
    file: 'modules/turns/turn-executor.js',
    find: 'if (turn.resumed !== true) return [];',
    replace: 'return [];',
    faults: 'kill',
  },
  {
    name: 'an entry is numbered by its place in the whole journal',
    file: 'core/journal/append.js',
    find: 'WHERE channel_id = ? ORDER BY pos DESC LIMIT 1',
    replace: 'WHERE channel_id = ? OR 1 ORDER BY pos DESC LIMIT 1',
    faults: 'pause',
  },
  {
    name: 'a lost wake-up: the next job of a group is not dispatched when one ends',
    file: 'core/queue/queue.js',
    find: 'this.groups.remove(group, idOf(key));\n        this.dispatch(group);',
    replace: 'this.groups.remove(group, idOf(key));',
    more: { find: 'else this.dispatch(group);', replace: '' },
    faults: 'cut',
  },
  {
    name: 'a job that its process did not end is not claimed again',
    file: 'core/queue/job-table.js',
    find: " = 0 WHERE status = 'running'",
    replace: " = 9999999999999 WHERE status = 'running'",
    faults: 'kill',
  },
  {
    name: 'a delivery that comes again is stored again',
    file: 'modules/plugins/webhooks/deliveries.repository.js',
    find: "WHERE webhook_deliveries.status = 'dead' OR (",
    replace: "WHERE webhook_deliveries.status <> 'running' OR (",
    faults: 'cut',
  },
  {
    name: 'what its sender took for handled is handled again',
    file: 'modules/plugins/webhooks/deliveries.repository.js',
    find: "webhook_deliveries.status IN ('failed', 'dead')",
    replace: "webhook_deliveries.status IN ('failed', 'dead', 'done')",
    faults: 'cut',
  },
  {
    name: 'a message does not renew its session',
    file: 'modules/sessions/sessions.service.js',
    find: 'return session.timeout.autoRenew && !isAtMaximum(session);',
    replace: 'return session.timeout.autoRenew && !isAtMaximum(session) && session.renewalCount % 4 !== 3;',
    faults: 'cut',
  },
  {
    name: 'a session expires a minute early',
    file: 'modules/sessions/session-lifetime.js',
    find: "return now >= session.expiresAt ? 'session.expired' : 'session.warning';",
    replace: "return now >= session.expiresAt - 60_000 ? 'session.expired' : 'session.warning';",
    faults: 'clock',
  },
  {
    name: 'a warning is given again a second later',
    file: 'modules/sessions/sessions.repository.js',
    find: 'SET warned_for = expires_at, next_deadline = expires_at',
    replace: 'SET next_deadline = next_deadline + 1000',
    faults: 'clock',
  },
];

const chosen = process.argv.slice(2);
let missed = 0;
for (const mutation of MUTATIONS) {
  if (chosen.length > 0 && !chosen.some((name) => mutation.name.includes(name))) continue;
  const folder = await mkdtemp(join(tmpdir(), 'parley-mutation-'));
  try {
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const path = join(folder, 'dist', mutation.file);
    const source = await readFile(path, 'utf8');
    await writeFile(path, [mutation, ...(mutation.more ? [mutation.more] : [])].reduce(planted, source));
    await bundle(folder);
    const begin = performance.now();
    let verdict;
    for (let seed = 1; seed <= RUNS && verdict === undefined; seed += 1) verdict = run(folder, mutation, seed);
    if (verdict === undefined) missed += 1;
    process.stdout.write(`${verdict === undefined ? 'MISSED' : 'found '} ${mutation.name} (${seconds(begin)} s)\n${verdict ?? ''}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
process.exitCode = missed === 0 ? 0 : 1;

function planted(source, { find, replace }) {
  if (source.split(find).length !== 2) throw new Error(`the place is there ${source.split(find).length - 1} times: ${find}`);
  return source.replace(find, () => replace);
}

function seconds(begin) {
  return Math.round((performance.now() - begin) / 1000);
}

/** What the checker says against a build, in a few lines; undefined when it finds no fault. */
function run(folder, { faults, env }, seed) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'proof', '--', 'proof.spec'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PROOF_MAIN: join(folder, 'dist/main.js'),
      PROOF_FAULTS: faults,
      PROOF_SEED: String(seed),
      PROOF_SECONDS: process.env.PROOF_SECONDS ?? '10',
      ...env,
    },
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  const lines = `${stdout}${stderr}`.split('\n');
  const at = Math.max(
    0,
    lines.findIndex((line) => line.includes('PROOF_SEED=')),
  );
  const said = lines.slice(at).filter((line) => line.trim() !== '');
  return said
    .slice(0, 3)
    .map((line) => `         ${line.trim().slice(0, 240)}\n`)
    .join('');
}
