import { describe, expect, it } from '@jest/globals';
import { isUuid, mayBeNameDerived } from './ids.js';
import { InstallationIds } from './installation-ids.js';

const KEY = Uint8Array.from({ length: 32 }, (_, index) => index);
const ids = new InstallationIds(KEY);
const UUID = 'abcdef01-2345-6789-abcd-ef0123456789';

describe('an id of the installation', () => {
  it.each([
    ['user', ['ann'], 0, '1ab04f1e-c7fa-8887-9b2d-9c431d2c3373'],
    ['user', ['ann'], 1, 'adad7eef-d97a-81eb-921b-d605ce284eb8'],
    ['user of a platform', ['discord', 'ann'], 0, '723d23ac-e6f8-81fa-91de-bea549d9b6a0'],
    ['direct channel', [UUID, 'héllo 👋', '\ud800'], 0, 'e39a14a2-208a-814e-bd78-7f42be39f725'],
  ] as const)('is deterministic: %s %j, attempt %i', (purpose, parts, attempt, id) => {
    expect(ids.of(purpose, parts, attempt)).toBe(id);
  });

  it('is a UUID of version 8 and the RFC variant, unlike name-derived ids', () => {
    const made = Array.from({ length: 100 }, (_, attempt) => ids.of('user', ['ann'], attempt));
    expect(made.every((id) => isUuid(id) && /^.{14}8.{4}[89ab]/.test(id) && !mayBeNameDerived(id))).toBe(true);
    expect(new Set(made).size).toBe(100);
  });

  it('ignores the case of UUIDs but not of text', () => {
    expect(ids.of('user', [UUID.toUpperCase()])).toBe(ids.of('user', [UUID]));
    expect(ids.of('user', ['Ann'])).not.toBe(ids.of('user', ['ann']));
  });

  it.each([
    [
      ['a', 'b:c'],
      ['a:b', 'c'],
    ],
    [['a","b'], ['a', 'b']],
    [['a', ''], ['a']],
    [['\ud800'], ['\ufffd']],
  ])('differs between the parts %j and %j', (one, other) => {
    expect(ids.of('user', one)).not.toBe(ids.of('user', other));
  });

  it('depends on the purpose and the key', () => {
    expect(ids.of('channel', ['ann'])).not.toBe(ids.of('user', ['ann']));
    expect(new InstallationIds(KEY.toReversed()).of('user', ['ann'])).not.toBe(ids.of('user', ['ann']));
  });
});
