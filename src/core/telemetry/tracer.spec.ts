import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { currentTrace, outsideRequest, withRequestId } from '../context/request-context.js';
import { parseTraceContext, readTraceContext, traceparentOf } from './trace-context.js';
import { Tracer, type FinishedSpan } from './tracer.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('Tracer', () => {
  const recorded = async (
    work: (tracer: Tracer) => unknown,
    samples: (traceId: string, parent?: boolean) => boolean = () => true,
  ): Promise<FinishedSpan[]> => {
    const tracer = new Tracer(new FakeClock());
    const spans: FinishedSpan[] = [];
    const stop = tracer.start({ propagates: true, samples, ended: (span) => spans.push(span) });
    await work(tracer);
    stop();
    return spans;
  };
  const nothing = async (): Promise<void> => undefined;

  it('records work as a span with times and attributes', async () => {
    const startedAt = new FakeClock().now();
    const began = performance.now();
    const [span] = await recorded((tracer) =>
      tracer.span('work', { agent: 'ada', unknown: undefined }, async (current) => current.set('outcome', 'completed'), { kind: 'client' }),
    );
    expect(span).toMatchObject({
      ...{ name: 'work', kind: 'client', failed: false, attributes: { agent: 'ada', outcome: 'completed' } },
      context: { traceId: expect.stringMatching(/^[0-9a-f]{32}$/), spanId: expect.stringMatching(/^[0-9a-f]{16}$/), sampled: true },
    });
    expect(span!.parent).toBeUndefined();
    expect(span!.startedAt - startedAt).toBeGreaterThanOrEqual(0);
    expect(span!.startedAt - startedAt).toBeLessThanOrEqual(performance.now() - began);
    expect(span!.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('makes nested spans children, including concurrent ones', async () => {
    const spans = await recorded((tracer) =>
      tracer.span('outer', {}, () => Promise.all([tracer.span('one', {}, nothing), tracer.span('two', {}, nothing)])),
    );
    const outer = spans.find(({ name }) => name === 'outer')!;
    for (const name of ['one', 'two']) expect(spans.find((span) => span.name === name)?.parent).toEqual(outer.context);
  });

  it('names the request in the first span only', async () => {
    const [inner, outer] = await recorded((tracer) =>
      withRequestId('request', () => tracer.span('outer', {}, () => tracer.span('inner', {}, nothing))),
    );
    expect([outer!.attributes, inner!.attributes]).toEqual([{ 'parley.request.id': 'request' }, {}]);
  });

  it('continues a stored trace in every process', async () => {
    let stored: string | null = null;
    const [first] = await recorded((tracer) => tracer.span('request', {}, async () => void (stored = tracer.toStore('queued'))));
    const [second] = await recorded((tracer) => tracer.span('turn', {}, nothing, { parent: readTraceContext(stored) }));
    expect(second!.parent).toMatchObject({ traceId: first!.context.traceId, spanId: first!.context.spanId });
    expect(second!.context.traceId).toBe(first!.context.traceId);
  });

  it('starts a trace for a job without one', async () => {
    let stored: string | null = null;
    const [span] = await recorded((tracer) => void (stored = tracer.toStore('turn.queued')));
    expect(span).toMatchObject({ name: 'turn.queued', kind: 'producer' });
    expect(stored).toBe(traceparentOf(span!.context));
  });

  it('keeps the trace of unsampled work without recording it', async () => {
    let inner: string | undefined;
    const decisions: unknown[] = [];
    const spans = await recorded(
      (tracer) =>
        tracer.span('outer', {}, () => tracer.span('inner', {}, async () => void (inner = traceparentOf(currentTrace()!))), {
          parent: parseTraceContext(`00-${TRACE}-${SPAN}-00`),
        }),
      (traceId, parent) => {
        decisions.push([traceId, parent]);
        return false;
      },
    );
    expect(spans).toEqual([]);
    expect(inner).toBe(`00-${TRACE}-${SPAN}-00`);
    expect(decisions).toEqual([[TRACE, false]]);
  });

  it('marks the span of failed work without the error message, and rethrows the error', async () => {
    const failure = new TypeError('what a user wrote');
    const spans = await recorded((tracer) => expect(tracer.span('work', {}, () => Promise.reject(failure))).rejects.toBe(failure));
    expect(spans).toMatchObject([{ failed: true, attributes: { 'error.type': 'TypeError' } }]);
    expect(JSON.stringify(spans)).not.toContain('what a user wrote');
  });

  it('does nothing without an exporter', async () => {
    const tracer = new Tracer(new FakeClock());
    await tracer.span('work', {}, async () => expect(currentTrace()).toBeUndefined());
    expect([tracer.toStore('job'), tracer.received({ traceparent: `00-${TRACE}-${SPAN}-01` })]).toEqual([null, undefined]);
  });

  it('leaves the trace with the request', async () => {
    await recorded((tracer) => tracer.span('work', {}, async () => expect(outsideRequest(currentTrace)).toBeUndefined()));
  });
});

describe('W3C Trace Context headers', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-adds`, true],
  ])('%s is valid', (traceparent, sampled) => {
    expect(parseTraceContext(traceparent)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
  });

  it.each([
    undefined,
    '',
    [`00-${TRACE}-${SPAN}-01`],
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  ])('%j is not', (traceparent) => {
    expect(parseTraceContext(traceparent)).toBeUndefined();
  });

  it.each([
    ['congo=t61rcWkgMzE,rojo=00f067aa0ba902b7', 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'],
    [' a=1 ,, tenant@vendor=x y ', 'a=1,tenant@vendor=x y'],
    ['=1', undefined],
    ['A=1', undefined],
    ['a=1\r\nx: y', undefined],
    [Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(','), undefined],
    [`a=${'x'.repeat(600)}`, undefined],
  ])('tracestate %j is %j', (given, kept) => {
    expect(parseTraceContext(`00-${TRACE}-${SPAN}-01`, given)?.state).toBe(kept);
  });
});
