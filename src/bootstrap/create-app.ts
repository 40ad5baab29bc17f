import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, SCHEMA } from '../app.module.js';
import { backupBeforeUpgrade, assertNoUnfinishedRestore } from '../core/backup/index.js';
import { Clock, SystemClock } from '../core/clock/index.js';
import { secretsOf, type Config } from '../core/config/index.js';
import { openStore } from '../core/database/index.js';
import { EnvelopeAdapter, RequestBodies } from '../core/http/index.js';
import { redactSecrets, Log, NestLog } from '../core/logging/index.js';
import { GatewayAdapter } from '../interfaces/gateway/index.js';
import { setUpHttp } from './http-setup.js';

/** What tests replace. */
export interface AppOverrides {
  readonly clock?: Clock;
  /** Called before the application starts its background work, which may use what is replaced at once. */
  readonly beforeStart?: (app: NestExpressApplication) => void;
}

/**
 * Creates the server, ready to listen; used by `main`, the command line and the tests.
 *
 * @throws AppError when the data directory, the database or a character cannot be used; everything opened so far is closed then
 */
export async function createApp(config: Config, { clock, beforeStart }: AppOverrides = {}): Promise<NestExpressApplication> {
  redactSecrets(secretsOf(config));
  await assertNoUnfinishedRestore(config.dataDir);
  const store = await openStore(config, SCHEMA, { beforeUpgrade: () => backUpBeforeUpgrade(config) });
  let app: NestExpressApplication | undefined;
  try {
    app = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot({ config, store, clock }),
      new EnvelopeAdapter(clock, config),
      {
        logger: new NestLog(),
        bodyParser: false,
        abortOnError: false,
        forceCloseConnections: true,
      },
    );
    setUpHttp(app, config);
    app.useWebSocketAdapter(new GatewayAdapter(app, config, app.get(Clock), app.get(RequestBodies)));
    beforeStart?.(app);
    await app.init();
    return app;
  } catch (error) {
    // Queues that have started read the database until they are drained.
    await app?.close();
    await store.close();
    throw error;
  }
}

async function backUpBeforeUpgrade(config: Config): Promise<string> {
  const log = new Log('upgrade');
  if (config.upgradeBackups === 0) return 'No backup was made, because UPGRADE_BACKUPS is 0.';
  const folder = await backupBeforeUpgrade(config, new Date(new SystemClock().now()), config.upgradeBackups);
  log.info('backed up the database before the schema upgrade', { folder });
  return `To roll back: npx parley-server restore ${folder}`;
}
