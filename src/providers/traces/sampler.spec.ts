import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from '@jest/globals';
import { samplerOf } from './sampler.js';

const LOW = '00000000000000000000000000000001';
const HIGH = `${'f'.repeat(8)}${'0'.repeat(24)}`;

describe('OTEL_TRACES_SAMPLER', () => {
  const decisions = (tracesSampler: Parameters<typeof samplerOf>[0]['tracesSampler'], trace: string, ratio = 1): boolean[] => {
    const samples = samplerOf({ tracesSampler, tracesSamplerRatio: ratio }, { ROOT_CONTEXT, SamplingDecision, TraceIdRatioBasedSampler });
    return [undefined, true, false].map((parent) => samples(trace, parent));
  };

  it.each([
    ['always_on', [true, true, true]],
    ['always_off', [false, false, false]],
    ['parentbased_always_on', [true, true, false]],
    ['parentbased_always_off', [false, true, false]],
  ] as const)('%s decides %j without a caller, and for sampled and unsampled callers', (sampler, expected) => {
    expect(decisions(sampler, LOW)).toEqual(expected);
  });

  it('decides by the trace id, alike in each process', () => {
    expect(decisions('traceidratio', LOW, 0.5)).toEqual([true, true, true]);
    expect(decisions('traceidratio', HIGH, 0.5)).toEqual([false, false, false]);
    expect(decisions('parentbased_traceidratio', HIGH, 0.5)).toEqual([false, true, false]);
    expect(decisions('parentbased_traceidratio', HIGH, 1)).toEqual([true, true, false]);
    expect(decisions('traceidratio', LOW, 0)).toEqual([false, false, false]);
  });
});
