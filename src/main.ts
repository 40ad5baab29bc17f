#!/usr/bin/env node
import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { banner, runServer } from './bootstrap/run-server.js';
import { loadConfig } from './core/config/index.js';
import { AppError } from './core/errors/index.js';
import { configureLogging, Log } from './core/logging/index.js';

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const config = loadConfig(process.env, version);
  configureLogging(config.logLevel);
  const log = new Log('main');
  const server = await runServer(config);
  process.stdout.write(banner(server, config));

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('the server did not stop cleanly', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const line = error instanceof AppError ? `${error.message} ${error.details}` : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`Parley cannot start. ${line}\n`);
  process.exit(1);
});
