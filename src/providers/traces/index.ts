// Traces for OpenTelemetry collectors. The packages of OpenTelemetry are optional, and loaded only when traces are on.
export { descriptor } from './traces.module.js';
