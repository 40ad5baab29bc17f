import { Body, Controller, Get, Injectable, Module, Post, UseGuards, type CanActivate } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppError } from '../../src/core/errors/index.js';
import { EnvelopeAdapter, ErrorFilter, ErrorFormat, IsFilledText, ValidationPipe } from '../../src/core/http/index.js';

class NoteBody {
  @IsFilledText(10)
  text!: string;
}

@Injectable()
class Closed implements CanActivate {
  canActivate(): never {
    throw new AppError('FORBIDDEN', 'Not here.', 'Elsewhere.').retryAfter(7);
  }
}

@Controller('proto/v1')
@ErrorFormat(({ code, message, status }, requestId) => ({ fault: { code: `proto_${code.toLowerCase()}`, message, status }, requestId }))
class ProtocolController {
  @Post('notes')
  note(@Body() { text }: NoteBody): unknown {
    if (text === 'fail') throw new Error('a secret');
    return { text };
  }

  @Get('closed')
  @UseGuards(Closed)
  closed(): string {
    return 'open';
  }
}

@Controller('proto')
class NeighbourController {
  @Post('v10')
  note(@Body() { text }: NoteBody): unknown {
    return { text };
  }
}

@Module({
  controllers: [ProtocolController, NeighbourController],
  providers: [
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: ValidationPipe },
  ],
})
class ProtocolModule {}

describe('a controller with its own error format', () => {
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(ProtocolModule, new EnvelopeAdapter(), {
      logger: false,
      abortOnError: false,
      forceCloseConnections: true,
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  const answerOf = async (method: string, path: string, body?: string): Promise<{ status: number; body: unknown; headers: Headers }> => {
    const answer = await fetch(url + path, { method, body, headers: { 'Content-Type': 'application/json' } });
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  };

  it.each([
    ['a pipe', 'POST', '/proto/v1/notes', '{}', 400, 'proto_validation_error'],
    ['the body parser', 'POST', '/proto/v1/notes', '{"text', 400, 'proto_invalid_json'],
    ['a guard', 'GET', '/proto/v1/closed', undefined, 403, 'proto_forbidden'],
    ['a fault of the method', 'POST', '/Proto/V1/notes', '{"text":"fail"}', 500, 'proto_internal_error'],
    ['an unknown path below it', 'GET', '/proto/v1/nothing', undefined, 404, 'proto_not_found'],
  ])('formats the error of %s', async (_what, method, path, body, status, code) => {
    const answer = await answerOf(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ fault: { code, status } });
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|success/);
  });

  it('keeps the headers of the error', async () => {
    expect((await answerOf('GET', '/proto/v1/closed')).headers.get('retry-after')).toBe('7');
  });

  it.each([
    ['a neighbour whose path begins with the same letters', 'POST', '/proto/v10', '{}', 400, 'VALIDATION_ERROR'],
    ['an unknown path beside it', 'GET', '/proto', undefined, 404, 'NOT_FOUND'],
  ])('leaves the envelope to %s', async (_what, method, path, body, status, code) => {
    const answer = await answerOf(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ success: false, error: { code } });
  });

  it('leaves successful responses unchanged', async () => {
    expect(await answerOf('POST', '/proto/v1/notes', '{"text":"hi"}')).toMatchObject({
      status: 201,
      body: { success: true, data: { text: 'hi' } },
    });
  });
});
