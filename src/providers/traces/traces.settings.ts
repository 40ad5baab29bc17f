import { address, choice, flag, fraction, integer, pairs, secretPairs, text, type SettingValues } from '../../core/config/index.js';

// The names, defaults and meanings are those of OpenTelemetry.
export const TRACES_SETTINGS = {
  otlpEndpoint: address('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, {
    about:
      'Address of an OpenTelemetry collector that accepts OTLP over HTTP, such as http://localhost:4318. Traces are sent to /v1/traces below it. Unset: no traces.',
  }),
  otlpTracesEndpoint: address('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', undefined, {
    about: 'Complete address to send traces to.',
    shownDefault: 'OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces',
  }),
  otlpHeaders: secretPairs('OTEL_EXPORTER_OTLP_HEADERS', {
    about: 'Headers for the collector, such as credentials: name=value, comma-separated, values percent-encoded.',
  }),
  otlpTracesHeaders: secretPairs('OTEL_EXPORTER_OTLP_TRACES_HEADERS', {
    about: 'Further headers for the collector. They override those of OTEL_EXPORTER_OTLP_HEADERS.',
  }),
  otlpProtocol: choice('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', ['http/json'], {
    about: 'Protocol to the collector. Collectors accept it on the port of http/protobuf, 4318.',
  }),
  otlpTimeoutMs: integer(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    10_000,
    { min: 100, max: 600_000 },
    { about: 'Time limit of sending a batch of spans, repetitions included, ms.' },
  ),
  otlpCompression: choice('OTEL_EXPORTER_OTLP_COMPRESSION', 'none', ['none', 'gzip'], { about: 'Compression of the batches.' }),
  tracesExporter: choice('OTEL_TRACES_EXPORTER', 'otlp', ['otlp', 'none'], { about: 'none turns traces off.' }),
  otelDisabled: flag('OTEL_SDK_DISABLED', false, { about: 'true turns traces off.' }),
  tracesSampler: choice(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
    { about: 'Which traces are sent. The samplers parentbased_* follow the sampled flag of callers that send traceparent.' },
  ),
  tracesSamplerRatio: fraction('OTEL_TRACES_SAMPLER_ARG', 1, { about: 'Share of traces that the samplers traceidratio send.' }),
  tracesPropagator: choice('OTEL_PROPAGATORS', 'tracecontext', ['tracecontext', 'none'], {
    about: 'tracecontext reads and sends the headers traceparent and tracestate; none does neither.',
  }),
  tracesServiceName: text('OTEL_SERVICE_NAME', undefined, {
    about: 'Name of this service in traces.',
    shownDefault: 'service.name of OTEL_RESOURCE_ATTRIBUTES, else parley',
  }),
  tracesResource: pairs('OTEL_RESOURCE_ATTRIBUTES', {
    about: 'Attributes of this service in traces, such as deployment.environment.name=production: name=value, comma-separated.',
  }),
  tracesBatchDelayMs: integer(
    'OTEL_BSP_SCHEDULE_DELAY',
    5000,
    { min: 10, max: 600_000 },
    { about: 'Time between two batches of spans, ms. A full batch is sent at once.' },
  ),
  tracesQueueSize: integer(
    'OTEL_BSP_MAX_QUEUE_SIZE',
    2048,
    { min: 1, max: 1_000_000 },
    { about: 'Spans that wait to be sent. Further ones are dropped.' },
  ),
  tracesBatchSize: integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, { min: 1, max: 1_000_000 }, { about: 'Spans in a batch.' }),
  tracesContent: flag('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', false, {
    about: 'true adds prompts, replies, and arguments and results of tools to traces. They contain what users write.',
  }),
} as const;

type TracesConfig = SettingValues<typeof TRACES_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends TracesConfig {}
}
