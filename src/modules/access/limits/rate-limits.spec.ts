import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { RateLimits } from './rate-limits.js';
import { SystemClock } from '../../../core/clock/index.js';
import type { Config } from '../../../core/config/index.js';
import type { Store } from '../../../core/database/index.js';
import { networkOf } from '../../../core/http/index.js';
import { InstallationIds } from '../../../core/ids/index.js';

describe('rate limits', () => {
  const limits = (): RateLimits =>
    new RateLimits(
      {
        databaseUrl: 'sqlite::memory:',
        rateLimit: 'on',
        rateLimitWindowSeconds: 600,
        rateLimitRequests: 1,
        rateLimitUploads: 1,
        rateLimitSessions: 1,
        rateLimitCredentials: 1,
        rateLimitPlugins: 1,
      } as Config,
      {} as Store,
      new InstallationIds(randomBytes(32)),
      new SystemClock(),
    );

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:0:12:1:2:3:4', '2001:db8:0:12::/64'],
    ['2001:0DB8::12:ffff', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('map %s to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('count all addresses of an IPv6 network together', async () => {
    const own = limits();
    const nobody = { id: 'nobody' };
    await own.consume('sessions', nobody, '2001:db8::1');
    await expect(async () => own.consume('sessions', nobody, '2001:db8::2')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    await own.consume('sessions', nobody, '2001:db8:0:1::1');
  });

  it.each([
    ['requests', 'requests'],
    ['uploads', 'uploads'],
    ['sessions', 'new sessions'],
    ['credentials', 'wrong credentials'],
    ['plugins', 'requests to plugin routes'],
  ] as const)('name the limit of %s', async (what, words) => {
    const own = limits();
    await own.consume(what, { id: 'nobody' }, '');
    const message = `More than 1 ${words} in 600 seconds.`;
    await expect(async () => own.consume(what, { id: 'nobody' }, '')).rejects.toMatchObject({ message });
  });

  it('do not reveal whose counter an address shares', async () => {
    const bucket = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() % 65_536;
    const victim = 'key:11111111-1111-1111-1111-111111111111';
    let chosen = 0;
    while (bucket(`10.${chosen >> 16}.${(chosen >> 8) & 255}.${chosen & 255}`) !== bucket(victim)) chosen += 1;
    const own = limits();
    await own.consume('requests', { id: 'nobody' }, `10.${chosen >> 16}.${(chosen >> 8) & 255}.${chosen & 255}`);
    await own.consume('requests', { id: victim }, '');
  });
});
