import { describe, expect, it } from '@jest/globals';
import { uuidsIn, claimedIdentities, referencedResources } from './request-references.js';

const ID = 'ABCDEF01-1111-1111-1111-111111111111';

/** An object that counts the accesses to its properties. */
function counted<T extends object>(value: T): { value: T; asked: () => number } {
  let asked = 0;
  const handler: ProxyHandler<T> = {
    get: (target, key, receiver) => {
      asked += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
    ownKeys: (target) => {
      const keys = Reflect.ownKeys(target);
      asked += keys.length;
      return keys;
    },
  };
  return { value: new Proxy(value, handler), asked: () => asked };
}

describe('ids named by a request', () => {
  it('are found as values and as keys, at any depth, in lower case', () => {
    const found = uuidsIn([{ a: [{ b: [ID] }], '22222222-2222-2222-2222-222222222222': 1 }, undefined, null, 7, 'x'.repeat(36)]);
    expect([...found].sort()).toEqual(['22222222-2222-2222-2222-222222222222', ID.toLowerCase()]);
  });

  it('are read from a limited number of fields', () => {
    const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, index]));
    const body = counted({ ...fields, agent_id: ID, userId: 'a user', channelId: null });
    expect(referencedResources([body.value, undefined, 'text'])).toEqual([['agentId', ID]]);
    expect(claimedIdentities([body.value, null])).toEqual([[expect.any(String), 'a user']]);
    expect(body.asked()).toBeLessThan(20);
  });

  it.each<[string, object]>([
    ['Buffer', Buffer.alloc(990_000)],
    ['ArrayBuffer', new ArrayBuffer(990_000)],
    ['DataView', new DataView(new ArrayBuffer(990_000))],
  ])('are not searched in a %s', (_name, binary) => {
    expect(uuidsIn([{ parts: Array<unknown>(1000).fill(binary), agentId: ID }])).toEqual(new Set([ID.toLowerCase()]));
  });

  it('are searched in a limited number of values', () => {
    const list = counted(Array<number>(1_000_000).fill(0));
    expect(() => uuidsIn([{ list: list.value }])).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(list.asked()).toBeLessThan(10);
    const sparse: unknown[] = [];
    sparse[4_000_000_000] = 1;
    expect(() => uuidsIn([sparse])).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    const lists = Array.from({ length: 1000 }, () => counted(Array<number>(1000).fill(0)));
    expect(() => uuidsIn([lists.map(({ value }) => value)])).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(lists.reduce((sum, { asked }) => sum + asked(), 0)).toBeLessThan(250_000);
  });
});
