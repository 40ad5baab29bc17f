import { sep } from 'node:path';
import { Clock } from '../core/clock/index.js';
import type { Config } from '../core/config/index.js';
import { configureLogging, Log } from '../core/logging/index.js';
import { restrictPermissions, restrictUmask } from '../core/file-permissions/index.js';
import { FaultRecorder } from '../modules/diagnostics/index.js';
import { PluginHost } from '../modules/plugins/index.js';
import { StopRequests } from '../modules/system/index.js';
import { limitHeapGrowth } from './heap-limits.js';
import { IdleMemory } from './idle-memory.js';
import { banner, runServer } from './run-server.js';
import type { StopSignals } from './stop-signals.js';

/** Runs the server in this process until a stop signal or request, then exits with code 0. */
export async function serve(config: Config, signals: StopSignals): Promise<void> {
  await configureLogging({ level: config.logLevel, format: config.logFormat, colours: config.noColor === undefined });
  const log = new Log('main');
  for (const { name, suggestion } of config.mistyped) log.warn(`Parley does not read ${name}; did you mean ${suggestion}?`);
  restrictUmask();
  await restrictPermissions(config);
  const loaded: { host?: PluginHost; recorder?: FaultRecorder } = {};
  // An uncaught exception of a plugin must not end the server. One of the server itself does, because the state of the process is unknown
  // then, and all acknowledged data is on disk.
  process.on('uncaughtException', (error) => {
    const early = error.stack?.includes(config.pluginsDir + sep) ? 'of PLUGINS_DIR' : undefined;
    const plugin = loaded.host ? loaded.host.sourceOf(error) : early;
    if (plugin === undefined) {
      loaded.recorder?.recordNow({
        kind: 'error',
        title: `uncaught exception: ${error.message}`,
        signature: `uncaught ${error.stack}`,
        error,
      });
      log.error('uncaught exception', error);
      process.exit(1);
    }
    log.error(`uncaught exception in plugin ${plugin}`, error);
  });
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', reason));
  const server = await runServer(config);
  loaded.host = server.app.get(PluginHost);
  loaded.recorder = server.app.get(FaultRecorder);
  limitHeapGrowth();
  const memory = new IdleMemory(server.app.get(Clock));
  memory.start();

  let stopping = false;
  const stop = (signal: NodeJS.Signals | 'request'): boolean => {
    if (stopping) return server.skipDrain();
    stopping = true;
    log.info('stopping', { signal, drainMs: config.drainMs });
    void memory.stop();
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('the server did not stop cleanly', error);
        process.exit(1);
      },
    );
    return true;
  };
  server.app.get(StopRequests).setHandler(() => void stop('request'));
  signals.handle(stop);
  // Printed last, so that a caller that stops the server on seeing it gets a clean shutdown.
  process.stdout.write(banner(server, config));
}
