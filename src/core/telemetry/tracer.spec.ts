import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { withRequestId } from '../context/request-context.js';
import { Tracer, type FinishedSpan } from './tracer.js';

describe('Tracer', () => {
  const clock = new FakeClock();

  const recorded = async (work: (tracer: Tracer) => Promise<unknown>): Promise<FinishedSpan[]> => {
    const tracer = new Tracer(clock);
    const spans: FinishedSpan[] = [];
    tracer.subscribe((span) => spans.push(span));
    await work(tracer);
    return spans;
  };

  it('records the work as a span, with times and attributes', async () => {
    const startedAt = clock.now();
    const [span] = await recorded((tracer) =>
      tracer.span('work', { agentId: 'ada' }, async (current) => {
        clock.advance(25);
        current.set('outcome', 'completed');
      }),
    );
    expect(span).toEqual({
      name: 'work',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      startedAt,
      endedAt: startedAt + 25,
      attributes: { agentId: 'ada', outcome: 'completed' },
    });
  });

  it('makes nested spans children, also concurrent ones', async () => {
    const spans = await recorded((tracer) =>
      tracer.span('outer', {}, () =>
        Promise.all([tracer.span('one', {}, async () => undefined), tracer.span('two', {}, async () => undefined)]),
      ),
    );
    const outer = spans.find(({ name }) => name === 'outer')!;
    expect(outer.parentId).toBeUndefined();
    for (const name of ['one', 'two']) {
      expect(spans.find((span) => span.name === name)).toMatchObject({ traceId: outer.traceId, parentId: outer.spanId });
    }
  });

  it('records the work of one request in one trace, in every process', async () => {
    const work = (tracer: Tracer): Promise<unknown> => tracer.span('turn', {}, async () => undefined);
    const [one, two, other] = [
      ...(await recorded((tracer) => withRequestId('a', () => work(tracer)))),
      ...(await recorded((tracer) => withRequestId('a', () => work(tracer)))),
      ...(await recorded((tracer) => withRequestId('b', () => work(tracer)))),
    ];
    expect(one).toMatchObject({ traceId: two!.traceId, attributes: { requestId: 'a' } });
    expect(other!.traceId).not.toBe(one!.traceId);
  });

  it('records the error of the work, and rethrows it', async () => {
    const failure = new Error('no');
    const spans = await recorded((tracer) => expect(tracer.span('work', {}, () => Promise.reject(failure))).rejects.toBe(failure));
    expect(spans).toMatchObject([{ name: 'work', error: failure }]);
  });

  it('makes the current span the parent of outbound requests', async () => {
    let header: string | undefined;
    const tracer = new Tracer(clock);
    const spans: FinishedSpan[] = [];
    const stop = tracer.subscribe((span) => spans.push(span));
    await tracer.span('work', {}, async () => void (header = tracer.traceparent()));
    expect(header).toBe(`00-${spans[0]!.traceId}-${spans[0]!.spanId}-01`);
    expect(tracer.traceparent()).toBeUndefined();
    stop();
    await tracer.span('unheard', {}, async () => void (header = tracer.traceparent()));
    expect(header).toBeUndefined();
    expect(spans).toHaveLength(1);
  });
});
