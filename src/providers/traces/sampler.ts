import type { Config } from '../../core/config/index.js';
import type { SpanExport } from '../../core/telemetry/index.js';
import type { Sdk } from './load-sdk.js';

/** The sampler of OTEL_TRACES_SAMPLER. */
export function samplerOf(
  { tracesSampler, tracesSamplerRatio }: Pick<Config, 'tracesSampler' | 'tracesSamplerRatio'>,
  { TraceIdRatioBasedSampler, SamplingDecision, ROOT_CONTEXT }: Pick<Sdk, 'TraceIdRatioBasedSampler' | 'SamplingDecision' | 'ROOT_CONTEXT'>,
): SpanExport['samples'] {
  const byRatio = new TraceIdRatioBasedSampler(tracesSamplerRatio);
  const own = (traceId: string): boolean => {
    if (tracesSampler.endsWith('always_on')) return true;
    if (tracesSampler.endsWith('always_off')) return false;
    return byRatio.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  };
  const follows = tracesSampler.startsWith('parentbased_');
  return (traceId, parent) => (follows && parent !== undefined ? parent : own(traceId));
}
