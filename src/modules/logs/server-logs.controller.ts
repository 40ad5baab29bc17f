import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Accepts, Hybrid, Refuses, Scope, ValidationPipe } from '../../core/http/index.js';
import { ClearedLogsView, presentLogs, ServerLogsQuery, ServerLogsView, SubmitLogsBody, toLogFilter } from './server-logs.dto.js';
import { ServerLogs } from './server-logs.service.js';

/** The server's own log, as far as this process remembers it. */
@Controller('api/server/logs')
@Scope('admin')
@Hybrid()
export class ServerLogsController {
  private readonly validation = new ValidationPipe();

  constructor(
    private readonly logs: ServerLogs,
    private readonly clock: Clock,
  ) {}

  /** The newest lines of the server's log. */
  @Get()
  @Refuses('VALIDATION_ERROR')
  async query(@Query() query: ServerLogsQuery): Promise<ServerLogsView> {
    return Promise.resolve(presentLogs(this.logs.query(toLogFilter(query, this.clock.now())), query));
  }

  /** Puts lines into the server's log; without a list `logs` in the body it is the same as GET. */
  @Post()
  @HttpCode(200)
  @Accepts({ mediaType: 'application/json', body: SubmitLogsBody })
  @Refuses('VALIDATION_ERROR')
  async submit(@Query() query: ServerLogsQuery, @Body() body: unknown): Promise<ServerLogsView> {
    const asks = body === undefined || (typeof body === 'object' && body !== null && !Array.isArray(body) && !('logs' in body));
    if (asks) return this.query(query);
    const { logs = [] } = this.validation.transform(body, { type: 'body', metatype: SubmitLogsBody }) as SubmitLogsBody;
    this.logs.submit(logs.map(({ metadata, ...line }) => ({ ...line, ...(metadata ? { metadata } : {}) })));
    return { received: logs.length };
  }

  /** Forgets the lines of the server's log that this process remembers. */
  @Delete()
  async clear(): Promise<ClearedLogsView> {
    return Promise.resolve({ status: 'success', message: 'Logs cleared successfully', cleared: this.logs.clear() });
  }
}
