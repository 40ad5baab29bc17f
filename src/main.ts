#!/usr/bin/env node
import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { runCommand } from './cli/cli.js';
import { oneLine } from './cli/one-line.js';
import { loadConfig } from './core/config/index.js';
import { AppError } from './core/errors/index.js';

async function main(): Promise<void> {
  readEnvFile(process.env['ENV_FILE'] ?? '.env');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const config = (): ReturnType<typeof loadConfig> => loadConfig(process.env, version);
  const code = await runCommand(
    process.argv.slice(2),
    { version, config, start: async () => (await import('./bootstrap/serve.js')).serve(config()) },
    { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) },
  );
  // A plugin that was checked may have left something running.
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
