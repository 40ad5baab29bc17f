import { Controller, Get, Res } from '@nestjs/common';
import { currentRequestId } from '../../core/context/request-context.js';
import { AppError } from '../../core/errors/index.js';
import { ApiErrors, errorEnvelope, NoEnvelope, Public, ResponseSent, type HttpResponse } from '../../core/http/index.js';
import { LiveView, ReadyView, StartedView } from './probes.dto.js';
import { Readiness } from './readiness.js';

/** Probes for orchestrators and load balancers. */
@Controller()
@Public()
@NoEnvelope()
export class ProbesController {
  constructor(private readonly readiness: Readiness) {}

  /** Liveness probe: the process responds. Does not use the database. */
  @Get('livez')
  async live(): Promise<LiveView> {
    return { status: 'live' };
  }

  /**
   * Readiness probe: 503 while new requests should go to another process.
   *
   * @remarks Fails as soon as the server is told to stop, and while the database accepts no writes. A failing model is a warning: another
   *   process would not do better. The database is written to at most once a second.
   */
  @Get('readyz')
  @ApiErrors('SERVER_STOPPING', 'STORAGE_UNAVAILABLE')
  async ready(@Res({ passthrough: true }) response: HttpResponse): Promise<ReadyView> {
    try {
      return { status: 'ready', checks: await this.readiness.check() };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Not through the error filter, which would log every probe of an outage.
      response.status(503).set('Cache-Control', 'no-store').json(errorEnvelope(error, currentRequestId()));
      throw new ResponseSent();
    }
  }

  /** Startup probe. The server accepts connections when its start is complete, so a response means that it has started. */
  @Get('startupz')
  async started(): Promise<StartedView> {
    return { status: 'started' };
  }
}
