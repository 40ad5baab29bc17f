import 'reflect-metadata';
import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Header,
  HttpCode,
  Module,
  Param,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  StreamableFile,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_PIPE, NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { map, of, type Observable } from 'rxjs';
import { AppError } from '../../src/core/errors/index.js';
import { runOperationsDirectly } from '../../src/core/http/direct-operations.js';
import { ErrorFilter } from '../../src/core/http/error.filter.js';
import type { HttpRequest, HttpResponse } from '../../src/core/http/express.js';

const steps: string[] = [];

const guard = (name: string, answer: () => unknown): CanActivate => ({
  canActivate: (context: ExecutionContext) => {
    const http = context.switchToHttp();
    steps.push(
      `${name} ${context.getClass().name}.${context.getHandler().name} ${http.getRequest<HttpRequest>().path} ${typeof http.getNext()}`,
    );
    return answer() as boolean;
  },
});
const pipe = (name: string, change: (value: unknown) => unknown): PipeTransform => ({
  transform: (value: unknown, { type, data, metatype }) => {
    steps.push(`${name} ${type} ${data} ${metatype?.name}`);
    return change(value);
  },
});
const refuse = (message: string) => (): never => {
  throw new AppError('VALIDATION_ERROR', message, 'For the test.');
};
const upper = (value: unknown): unknown => String(value).toUpperCase();
const wait = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const Later = createParamDecorator(async (data: string, context: ExecutionContext) => {
  await wait();
  return `${data} ${context.switchToHttp().getRequest<HttpRequest>().path}`;
});
const Failing = createParamDecorator(refuse('the factory'));
const wraps: NestInterceptor = {
  intercept: (_: ExecutionContext, next: CallHandler): Observable<unknown> => next.handle().pipe(map((inner) => ({ inner }))),
};

class View {
  readonly kind = 'view';
}

@Controller('all')
class AllController {
  @Get('sync')
  sync(): unknown {
    return { a: 1 };
  }
  @Post('async')
  async later(@Body() body: object): Promise<unknown> {
    await wait();
    return [body];
  }
  @Get('text')
  text(): string {
    return 'text';
  }
  @Get('nothing')
  @HttpCode(204)
  nothing(): void {}
  @Get('null')
  none(): null {
    return null;
  }
  @Get('instance')
  instance(): View {
    return new View();
  }
  @Get('observable')
  observable(): unknown {
    return of(1, { last: true });
  }
  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(['the ', 'file']));
  }
  @Get('header')
  @Header('X-Own', 'yes')
  header(): string {
    return 'header';
  }
  @Get('redirect')
  @Redirect('/elsewhere', 307)
  redirect(): void {}
  @Get('intercepted')
  @UseInterceptors(wraps)
  intercepted(): string {
    return 'value';
  }
  @Get('own')
  own(@Res() response: HttpResponse): string {
    response.status(202).send('own');
    return 'not sent';
  }
  @Get('passthrough')
  passthrough(@Res({ passthrough: true }) response: HttpResponse, @Req() request: HttpRequest): unknown {
    response.status(202);
    return { method: request.method };
  }
  @Get('throws')
  throws(): void {
    throw new Error('thrown');
  }
  @Get('rejects')
  async rejects(): Promise<void> {
    await wait();
    refuse('rejected')();
  }
  @Get('guarded')
  @UseGuards(guard('one', () => true), guard('two', () => wait().then(() => true)), guard('three', () => true))
  guarded(): string {
    return 'in';
  }
  @Get('closed')
  @UseGuards(guard('one', () => false), guard('two', () => true))
  closed(): void {}
  @Get('closed-later')
  @UseGuards(guard('one', () => Promise.resolve(false)))
  closedLater(): void {}
  @Get('refused')
  @UseGuards(guard('one', refuse('the guard')))
  refused(): void {}
  @Post('order/:id')
  order(
    @Param('id', pipe('second', upper)) id: string,
    @Query('q', pipe('slow', (value) => wait().then(() => upper(value))), pipe('after', upper)) q: string,
    @Later('of') factory: string,
  ): unknown {
    return { id, q, factory };
  }
  @Post('errors/:id')
  errors(@Param('id', pipe('own', refuse('the path'))) _id: string, @Body(pipe('body', refuse('the body'))) _body: object): void {}
  @Post('rounds/:id')
  rounds(@Param('id', pipe('own', refuse('the path'))) _id: string, @Body('refused') _body: string): void {}
  @Post('factory/:id')
  factory(@Param('id', pipe('own', refuse('the path'))) _id: string, @Failing() _failing: string): void {}
}

const shared: PipeTransform = pipe('shared', (value) => (value === 'refuse' ? refuse('the shared pipe')() : value));

@Module({ controllers: [AllController], providers: [{ provide: APP_PIPE, useValue: shared }] })
class AllModule {}

const CASES: readonly (readonly [method: string, path: string, body?: object])[] = [
  ...['sync', 'text', 'nothing', 'null', 'instance', 'observable', 'file', 'header', 'redirect', 'intercepted', 'own', 'passthrough'].map(
    (path) => ['GET', path] as const,
  ),
  ...['throws', 'rejects', 'guarded', 'closed', 'closed-later', 'refused'].map((path) => ['GET', path] as const),
  ['HEAD', 'sync'],
  ['POST', 'async', { a: 1 }],
  ['POST', 'order/x?q=y', {}],
  ['POST', 'errors/x', {}],
  ['POST', 'rounds/x', { refused: 'refuse' }],
  ['POST', 'rounds/x', { refused: 'no' }],
  ['POST', 'factory/x', {}],
];

describe('an operation that runs directly', () => {
  const apps: NestExpressApplication[] = [];
  const start = async (): Promise<void> => {
    const app = await NestFactory.create<NestExpressApplication>(AllModule, new ExpressAdapter(), {
      logger: false,
      forceCloseConnections: true,
    });
    app.useGlobalFilters(new ErrorFilter());
    await app.listen(0, '127.0.0.1');
    apps.push(app);
  };
  beforeAll(async () => {
    await start();
    runOperationsDirectly();
    await start();
  });
  afterAll(() => Promise.all(apps.map((app) => app.close())));

  const answer = async (app: NestExpressApplication, [method, path, body]: (typeof CASES)[number]): Promise<unknown> => {
    steps.length = 0;
    const response = await fetch(`${await app.getUrl()}/all/${path}`, {
      method,
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'date'));
    // After the first error, Nest lets the other parameters go on.
    return { status: response.status, headers, text: await response.text(), ...(response.ok ? { steps: [...steps].sort() } : {}) };
  };

  it.each(CASES)('responds as with Nest: %s %s', async (...given) => {
    const [nest, direct] = apps;
    expect(await answer(direct!, given)).toEqual(await answer(nest!, given));
  });

  it('reports the first error', async () => {
    expect(await answer(apps[1]!, ['POST', 'rounds/x', { refused: 'refuse' }])).toMatchObject({
      text: expect.stringContaining('the shared pipe'),
    });
    expect(await answer(apps[1]!, ['POST', 'errors/x', {}])).toMatchObject({ text: expect.stringContaining('the body') });
    expect(await answer(apps[1]!, ['GET', 'closed'])).toMatchObject({ status: 403 });
  });
});
