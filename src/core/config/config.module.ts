import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock, SystemClock } from '../clock/index.js';
import type { Config } from './config.js';

/** Token under which the configuration is injected: `@Inject(CONFIG) config: Config`. */
export const CONFIG = Symbol('CONFIG');

/** Provides the configuration and the clock to all modules. */
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
