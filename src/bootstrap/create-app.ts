import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module.js';
import { backupBeforeUpgrade, refuseUnfinishedRestore } from '../core/backup/index.js';
import { Clock, SystemClock } from '../core/clock/index.js';
import { secretsOf, type Config } from '../core/config/index.js';
import { openStore } from '../core/database/index.js';
import { EnvelopeAdapter } from '../core/http/index.js';
import { keepSecret, Log, NestLog } from '../core/logging/index.js';
import { GatewayAdapter } from '../modules/gateway/index.js';
import { ENTITIES } from '../schema.js';
import { setUpHttp } from './http-setup.js';

/**
 * The whole server, ready to listen; the same for `main`, the command line and every test.
 *
 * @param replaced parts that tests put their own in the place of
 * @throws AppError when the data directory, the database or a character cannot be used; nothing is left half open then
 */
export async function createApp(config: Config, replaced: { clock?: Clock } = {}): Promise<NestExpressApplication> {
  keepSecret(secretsOf(config));
  await refuseUnfinishedRestore(config.dataDir);
  const store = await openStore(config, ENTITIES, { beforeUpgrade: () => keepCopy(config) });
  try {
    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot({ config, store, ...replaced }),
      new EnvelopeAdapter(replaced.clock),
      {
        logger: new NestLog(),
        bodyParser: false,
        abortOnError: false,
        forceCloseConnections: true,
      },
    );
    setUpHttp(app, config);
    app.useWebSocketAdapter(new GatewayAdapter(app, config, app.get(Clock)));
    await app.init();
    return app;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function keepCopy(config: Config): Promise<string> {
  const log = new Log('upgrade');
  if (config.upgradeBackups === 0) return 'UPGRADE_BACKUPS is 0: no copy was made before.';
  const folder = await backupBeforeUpgrade(config, new Date(new SystemClock().now()), config.upgradeBackups);
  log.info('the database was copied before its schema is changed', { folder });
  return `The way back: parley restore ${folder}`;
}
