import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock, SystemClock } from '../clock/index.js';
import type { Config } from './config.js';

/** Token under which the configuration is injected: `@Inject(CONFIG) config: Config`. */
export const CONFIG = Symbol('CONFIG');

/** What everything stands on and nothing else can make: the configuration and the clock. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Clock, useValue: clock },
      ],
      exports: [CONFIG, Clock],
    };
  }
}
