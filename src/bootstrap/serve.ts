import { sep } from 'node:path';
import type { Config } from '../core/config/index.js';
import { configureLogging, Log } from '../core/logging/index.js';
import { closeToOthers, writePrivately } from '../core/private-files/index.js';
import { PluginHost } from '../modules/plugins/index.js';
import { StopRequests } from '../modules/system/index.js';
import { banner, runServer } from './run-server.js';
import type { StopSignals } from './stop-signals.js';

/** Runs the server in this process until it is told to stop; it exits with 0 then. */
export async function serve(config: Config, signals: StopSignals): Promise<void> {
  configureLogging(config.logLevel);
  const log = new Log('main');
  for (const { name, meant } of config.mistyped) log.warn(`${name} is set, which Parley does not read; is ${meant} meant?`);
  writePrivately();
  await closeToOthers(config);
  const loaded: { host?: PluginHost } = {};
  // A plugin may begin work that nobody waits for, and its failure must not end everybody else's. A fault of our own does end the
  // process: what it leaves behind is not known, and what was acknowledged is on disk.
  process.on('uncaughtException', (error) => {
    const early = error.stack?.includes(config.pluginsDir + sep) ? 'of PLUGINS_DIR' : undefined;
    const plugin = loaded.host ? loaded.host.blame(error) : early;
    log.error(plugin === undefined ? 'an error that nobody caught' : `plugin ${plugin} threw an error that nobody caught`, error);
    if (plugin === undefined) process.exit(1);
  });
  process.on('unhandledRejection', (reason) => log.error('a promise was rejected that nobody waits for', reason));
  const server = await runServer(config);
  loaded.host = server.app.get(PluginHost);

  let stopping = false;
  const stop = (signal: NodeJS.Signals | 'request'): void => {
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
  server.app.get(StopRequests).listen(() => stop('request'));
  signals.handle(stop);
  // Last: who reads that it runs may stop it at once, and is to get a clean stop.
  process.stdout.write(banner(server, config));
}
