// The benches are not run by CI, but they must be there and work when somebody wants to know: each for a moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const RUN = join(import.meta.dirname, '..', '..', 'bench', 'run.mjs');
const LIMIT_MS = 170_000;

it(
  'measures everything that the budgets name',
  async () => {
    const run = spawn(process.execPath, [RUN, '--smoke'], { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let [table, complaints] = ['', ''];
    run.stdout.setEncoding('utf8').on('data', (text: string) => (table += text));
    run.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const [code] = (await once(run, 'close')) as [number | null];
    expect({ code, complaints: code === 0 ? '' : complaints }).toEqual({ code: 0, complaints: '' });
    const names = table
      .split('\n')
      .slice(2)
      .flatMap((line) => line.split('|')[1]?.trim() ?? []);
    expect(names).toEqual([
      'GET /api/agents / bare Express',
      'session creations, 64 callers',
      'session creations p99, 64 callers',
      'submits, 64 callers',
      'submits p99, 64 callers',
      'turns, 1 caller',
      'turn p50, 1 caller',
      'turns, 16 callers',
      'turns, 64 callers',
      'resident after the turns',
      expect.stringMatching(/^turns with \d+ messages \/ with none$/),
      'resident, idle, one agent',
      'resident, idle, the agents it comes with',
      'resident, idle, 100 agents',
      'start to first answer, empty directory',
      'fan-out p99, 20 sockets in a channel',
    ]);
    expect(table).not.toContain('NaN');
  },
  LIMIT_MS + 5_000,
);
