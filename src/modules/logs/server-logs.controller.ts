import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { ApiConsumes, HybridEnvelope, ApiErrors, Scope, ValidationPipe } from '../../core/http/index.js';
import { ClearedLogsView, presentLogs, ServerLogsQuery, ServerLogsView, SubmitLogsBody, toLogFilter } from './server-logs.dto.js';
import { ServerLogs } from './server-logs.service.js';

/** The server's log, from the memory of this process. */
@Controller('api/server/logs')
@Scope('admin')
@HybridEnvelope()
export class ServerLogsController {
  private readonly validation = new ValidationPipe();

  constructor(
    private readonly logs: ServerLogs,
    private readonly clock: Clock,
  ) {}

  /** Returns the newest lines of the server's log. */
  @Get()
  @ApiErrors('VALIDATION_ERROR')
  async query(@Query() query: ServerLogsQuery): Promise<ServerLogsView> {
    return Promise.resolve(presentLogs(this.logs.query(toLogFilter(query, this.clock.now())), query));
  }

  /** Adds lines to the server's log. Without `logs` in the body, same as GET. */
  @Post()
  @HttpCode(200)
  @ApiConsumes({ mediaType: 'application/json', body: SubmitLogsBody })
  @ApiErrors('VALIDATION_ERROR')
  async submit(@Query() query: ServerLogsQuery, @Body() body: unknown): Promise<ServerLogsView> {
    const asks = body === undefined || (typeof body === 'object' && body !== null && !Array.isArray(body) && !('logs' in body));
    if (asks) return this.query(query);
    const { logs = [] } = this.validation.transform(body, { type: 'body', metatype: SubmitLogsBody }) as SubmitLogsBody;
    this.logs.submit(logs.map(({ metadata, ...line }) => ({ ...line, ...(metadata ? { metadata } : {}) })));
    return { received: logs.length };
  }

  /** Clears the log lines in the memory of this process. */
  @Delete()
  async clear(): Promise<ClearedLogsView> {
    return { status: 'success', message: 'Logs cleared successfully', cleared: await this.logs.clear() };
  }
}
