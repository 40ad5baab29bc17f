import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { SystemClock } from '../../core/clock/index.js';
import { CallDeadline } from './target.js';

/** The proof found it: a model that hung while the clock was set back by minutes held up its conversations for as long. */
it('a call ends within its limit when the clock is set back', async () => {
  let shift = 0;
  class ShiftedClock extends SystemClock {
    override now(): number {
      return super.now() + shift;
    }
  }
  const clock = new ShiftedClock();
  const limit = new CallDeadline({ provider: 'p', modelId: 'm', retries: 0, timeoutMs: 20, clock, hint: 'h' }, []);
  shift = -3_600_000;
  await once(limit.signal, 'abort');
  expect(limit.signal.reason).toMatchObject({ code: 'MODEL_UNAVAILABLE', message: 'p (m) did not respond within 20 ms.' });
  limit.release();
});
