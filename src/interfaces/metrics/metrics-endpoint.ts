import { Injectable } from '@nestjs/common';
import type { HttpRequest, HttpResponse } from '../../core/http/index.js';
import { MetricSources } from '../../core/telemetry/index.js';
import { exposition, EXPOSITION_TYPE } from './exposition.js';
import { MetricsAccess } from './metrics-access.js';

const METRICS_PATH = /^\/metrics\/?$/i;

/** Whether a request reads metrics, where they are switched on. */
export function isScrape({ method, path }: HttpRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && METRICS_PATH.test(path);
}

/** Serves the metrics to scrapers. It is installed only where METRICS is on. */
@Injectable()
export class MetricsEndpoint {
  constructor(
    private readonly access: MetricsAccess,
    private readonly sources: MetricSources,
  ) {}

  /** @param fail gets the error that the client is told */
  handle(request: HttpRequest, response: HttpResponse, fail: (error: unknown) => void): void {
    this.serve(request, response).catch(fail);
  }

  private async serve(request: HttpRequest, response: HttpResponse): Promise<void> {
    await this.access.check(request, response);
    const body = exposition(await this.sources.collect());
    response.setHeader('Content-Type', EXPOSITION_TYPE);
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.setHeader('Cache-Control', 'no-store');
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}
