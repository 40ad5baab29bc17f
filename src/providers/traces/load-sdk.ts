import { AppError } from '../../core/errors/index.js';

const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
] as const;

/** The parts of OpenTelemetry that traces need. */
export type Sdk = Pick<typeof import('@opentelemetry/api'), 'ROOT_CONTEXT'> &
  Pick<typeof import('@opentelemetry/sdk-trace-base'), 'BatchSpanProcessor' | 'SamplingDecision' | 'TraceIdRatioBasedSampler'> &
  Pick<typeof import('@opentelemetry/resources'), 'defaultResource' | 'resourceFromAttributes'> &
  Pick<typeof import('@opentelemetry/exporter-trace-otlp-http'), 'OTLPTraceExporter'>;

/** @throws AppError CONFIG_INVALID when a package is not installed */
export async function loadSdk(): Promise<Sdk> {
  try {
    const [
      { ROOT_CONTEXT },
      { BatchSpanProcessor, SamplingDecision, TraceIdRatioBasedSampler },
      { defaultResource, resourceFromAttributes },
      { OTLPTraceExporter },
    ] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    return {
      ROOT_CONTEXT,
      BatchSpanProcessor,
      SamplingDecision,
      TraceIdRatioBasedSampler,
      defaultResource,
      resourceFromAttributes,
      OTLPTraceExporter,
    };
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new AppError(
      'CONFIG_INVALID',
      'An OTLP endpoint is set, and the packages of OpenTelemetry, which are optional, are not installed.',
      `Run npm install ${PACKAGES.join(' ')}, or unset OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_TRACES_ENDPOINT.`,
      error,
    );
  }
}
