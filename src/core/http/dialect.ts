import { createParamDecorator, Inject, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { CONFIG, type Config } from '../config/index.js';
import type { HttpRequest } from './express.js';

/** Response format where the specification and the original service differ (contract 9.4). */
export type Dialect = 'spec' | 'eliza';

@Injectable()
class DialectPipe implements PipeTransform<string | undefined, Dialect> {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  transform(asked: string | undefined): Dialect {
    return (asked ?? this.config.apiDialect).startsWith('eliza') ? 'eliza' : 'spec';
  }
}

const requestedDialect = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<HttpRequest>().get('x-api-dialect'),
);

/** Parameter decorator: the dialect of the response, from the header X-API-Dialect or else API_DIALECT. */
export const ApiDialect = (): ParameterDecorator => requestedDialect(DialectPipe);
