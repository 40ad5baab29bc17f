import { expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { SilenceLimit } from './silence-limit.js';

it('A silence limit calls back after its time without activity, and not once it has ended', () => {
  const clock = new FakeClock();
  let silences = 0;
  const limit = new SilenceLimit(clock, 100, () => (silences += 1));
  clock.advance(99);
  limit.renew();
  clock.advance(99);
  expect(silences).toBe(0);
  clock.advance(1);
  expect(silences).toBe(1);
  limit.renew();
  limit.end();
  limit.renew();
  clock.advance(1000);
  expect(silences).toBe(1);
});
