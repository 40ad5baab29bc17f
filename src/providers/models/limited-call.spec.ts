import { expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { until } from '../../../test/support/queue-fixture.js';
import { withProgress } from '../../core/context/request-context.js';
import { CallDeadline, StatusError, type SdkTarget } from '../sdk/index.js';
import { LimitedCall } from './limited-call.js';
import { ServiceLimit } from './service-limit.js';

const clock = new FakeClock();
const target: SdkTarget = { provider: 'openai', modelId: 'm', retries: 2, timeoutMs: 60_000, clock, hint: 'h' };

function aCall(limit = new ServiceLimit(clock, { provider: 'openai', model: 'm' })): LimitedCall {
  return new LimitedCall(limit, target, new CallDeadline(target, []), ['Ada', 'a']);
}

function refusal(status: number, headers: Record<string, string> = {}): StatusError {
  return new StatusError(status, new Headers(headers), 'no more');
}

it('a service that names no time and accepts no call is asked as often as there are retries', async () => {
  let asked = 0;
  const end = aCall().attempt(() => {
    asked += 1;
    return Promise.reject(refusal(429));
  });
  const failure = expect(end).rejects.toMatchObject({ retryable: false, error: { reason: 'rate' } });
  for (const [calls, pauseMs] of [
    [1, 500],
    [2, 1000],
  ] as const) {
    // The time limits of the call, its pause, and the time that it has waited.
    await until(() => asked === calls && clock.scheduled === 3);
    clock.advance(pauseMs);
  }
  await failure;
  expect(asked).toBe(3);
});

it('a failure that is no refusal goes to the caller, and frees the place of the call', async () => {
  const limit = new ServiceLimit(clock, { provider: 'openai', model: 'm' });
  await expect(aCall(limit).attempt(() => Promise.reject(refusal(503)))).rejects.toMatchObject({ retryable: true });
  await expect(aCall(limit).attempt(() => Promise.reject(refusal(401)))).rejects.toMatchObject({ retryable: false });
  const stalled = aCall(limit).attempt(() => Promise.reject(refusal(429, { 'retry-after': '61' })));
  await expect(stalled).rejects.toMatchObject({ reason: 'rate' });
  expect(
    await withProgress(
      () => undefined,
      async () => {
        const waits = aCall(limit).attempt(() => Promise.resolve('accepted'));
        clock.advance(61_000);
        return waits;
      },
    ),
  ).toBe('accepted');
});
