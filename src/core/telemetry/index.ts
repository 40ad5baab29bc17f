export { MetricSources, type MetricSource } from './metric-sources.js';
export { DURATION_BOUNDS_MS, meter, type Metric, type MetricInfo, type MetricSnapshot, type Reading } from './metrics.js';
export { TelemetryModule } from './telemetry.module.js';
export { readTraceContext, traceparentOf } from './trace-context.js';
export { errorType, Tracer, type Attributes, type FinishedSpan, type OpenSpan, type Span, type SpanExport } from './tracer.js';
