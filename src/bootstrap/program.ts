import { existsSync, readFileSync } from 'node:fs';
import { limitHeapAtStart } from './heap-limits.js';
import { StopSignals } from './stop-signals.js';
import { oneLine } from '../cli/one-line.js';
import type { Config } from '../core/config/index.js';
import { AppError } from '../core/errors/index.js';

// Slow imports are deferred, because no signal is handled while they load.
async function main(): Promise<void> {
  const signals = new StopSignals();
  // Set by npm, pnpm and yarn for what they run.
  if (process.env['npm_lifecycle_event'] !== undefined) {
    const { SystemClock } = await import('../core/clock/index.js');
    signals.followParent(new SystemClock());
  }
  readEnvFile(process.env['ENV_FILE'] ?? '.env');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  await import('reflect-metadata');
  const { runCommand } = await import('../cli/cli.js');
  const config = async (): Promise<Config> => {
    // Modules register their settings when they are loaded.
    await import('../app.module.js');
    const { loadConfig } = await import('../core/config/index.js');
    return loadConfig(process.env, version);
  };
  const start = async (): Promise<void> => {
    limitHeapAtStart();
    await (await import('./serve.js')).serve(await config(), signals);
  };
  const code = await runCommand(
    process.argv.slice(2),
    { version, config, start },
    { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
  );
  // A checked plugin may have left timers or connections open.
  if (code !== undefined) process.exit(code);
}

function readEnvFile(path: string): void {
  if (!existsSync(path)) return;
  try {
    process.loadEnvFile(path);
  } catch (error) {
    const way = 'Set ENV_FILE to a file of lines NAME=value, or leave it unset.';
    throw new AppError('CONFIG_INVALID', `The environment file ${path} cannot be read.`, way, error);
  }
}

main().catch((error: unknown) => {
  const line = error instanceof AppError ? oneLine(error) : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`Parley cannot start. ${line}\n`);
  process.exit(1);
});
