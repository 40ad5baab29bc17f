import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { outsideRequest } from '../../core/context/request-context.js';
import { errorMessage } from '../../core/errors/index.js';
import { newId } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import { Tracer } from '../../core/telemetry/index.js';
import { loadSdk, type Sdk } from './load-sdk.js';
import { OutgoingRequests } from './outgoing-requests.js';
import { samplerOf } from './sampler.js';
import { toReadableSpan } from './readable-span.js';

/** `ExportResultCode.SUCCESS`. */
const SUCCESS = 0;

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/**
 * Sends the spans of the tracer over OTLP when an endpoint is configured. Batches wait in a bounded queue; when the collector does not accept
 * them, spans are dropped, and nothing else is disturbed.
 */
@Injectable()
export class TraceExport implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Log('traces');
  private processor?: SpanProcessor;
  private stopRecording = (): void => undefined;
  private failing = false;

  constructor(
    private readonly tracer: Tracer,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError CONFIG_INVALID when the packages of OpenTelemetry are not installed */
  async onModuleInit(): Promise<void> {
    const url = endpointOf(this.config);
    if (url === undefined) return;
    const sdk = await loadSdk();
    const resource = this.resource(sdk);
    const scope = { name: 'parley', version: this.config.version };
    const processor = this.makeProcessor(sdk, url);
    this.processor = processor;
    const propagates = this.config.tracesPropagator === 'tracecontext';
    const stop = this.tracer.start({
      propagates,
      samples: samplerOf(this.config, sdk),
      // The processor sets a timer. It must not keep the request, nor be part of its trace.
      ended: (span) => outsideRequest(() => processor.onEnd(toReadableSpan(span, resource, scope))),
    });
    const requests = new OutgoingRequests(this.tracer, propagates);
    requests.start();
    this.stopRecording = () => {
      requests.stop();
      stop();
    };
    this.log.info('traces are sent', { endpoint: url, sampler: this.config.tracesSampler });
  }

  /** Sends what is queued, within the grace time of the shutdown. */
  async onApplicationShutdown(): Promise<void> {
    const { processor } = this;
    if (!processor) return;
    this.stopRecording();
    this.processor = undefined;
    let cancel = (): void => undefined;
    const limit = new Promise<'late'>((resolve) => (cancel = this.clock.after(this.config.shutdownGraceMs, () => resolve('late'))));
    const flushed = processor.shutdown().then(
      () => 'sent' as const,
      () => 'failed' as const,
    );
    const outcome = await Promise.race([flushed, limit]);
    cancel();
    if (outcome === 'late') this.log.warn('the collector did not accept the last spans in time; they are dropped');
  }

  private makeProcessor(sdk: Sdk, url: string): SpanProcessor {
    const { config } = this;
    const exporter = new sdk.OTLPTraceExporter({
      url,
      headers: { ...config.otlpHeaders, ...config.otlpTracesHeaders },
      timeoutMillis: config.otlpTimeoutMs,
      compression: config.otlpCompression as never,
    });
    const watched: SpanExporter = {
      export: (spans, done) => this.exportWatched(exporter, spans, done),
      shutdown: () => exporter.shutdown(),
    };
    return new sdk.BatchSpanProcessor(watched, {
      scheduledDelayMillis: config.tracesBatchDelayMs,
      maxQueueSize: config.tracesQueueSize,
      maxExportBatchSize: Math.min(config.tracesBatchSize, config.tracesQueueSize),
      exportTimeoutMillis: 2 * config.otlpTimeoutMs,
    });
  }

  private exportWatched(exporter: SpanExporter, spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    exporter.export(spans, (result) => {
      const failed = Number(result.code) !== SUCCESS;
      if (failed && !this.failing) {
        this.log.warn('the collector does not accept traces; spans are dropped until it does', {
          endpoint: endpointOf(this.config),
          reason: errorMessage(result.error ?? 'unknown'),
        });
      }
      if (!failed && this.failing) this.log.info('the collector accepts traces again');
      this.failing = failed;
      done(result);
    });
  }

  private resource({ defaultResource, resourceFromAttributes }: Sdk): ReturnType<Sdk['resourceFromAttributes']> {
    const { tracesResource, tracesServiceName, version } = this.config;
    return defaultResource().merge(
      resourceFromAttributes({
        'service.name': 'parley',
        'service.version': version,
        'service.instance.id': newId(),
        ...tracesResource,
        ...(tracesServiceName === undefined ? {} : { 'service.name': tracesServiceName }),
      }),
    );
  }
}

function endpointOf({ otelDisabled, tracesExporter, otlpEndpoint, otlpTracesEndpoint }: Config): string | undefined {
  if (otelDisabled || tracesExporter === 'none') return undefined;
  return otlpTracesEndpoint ?? (otlpEndpoint === undefined ? undefined : `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`);
}
