import { createParamDecorator, Inject, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import { CONFIG, type Config } from '../config/index.js';
import type { HttpRequest } from './express.js';

/** Whose shape an answer has where the specification and the original service cannot share one (contract 9.4). */
export type Dialect = 'spec' | 'eliza';

@Injectable()
class DialectPipe implements PipeTransform<string | undefined, Dialect> {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  transform(asked: string | undefined): Dialect {
    return (asked ?? this.config.apiDialect).startsWith('eliza') ? 'eliza' : 'spec';
  }
}

const askedDialect = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<HttpRequest>().get('x-api-dialect'),
);

/** The dialect that a request is answered in: its header X-API-Dialect, else API_DIALECT. */
export const ApiDialect = (): ParameterDecorator => askedDialect(DialectPipe);
