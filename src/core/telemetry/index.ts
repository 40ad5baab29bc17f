export { DURATION_BOUNDS_MS, meter, type Metric } from './metrics.js';
export { TelemetryModule } from './telemetry.module.js';
export { Tracer } from './tracer.js';
