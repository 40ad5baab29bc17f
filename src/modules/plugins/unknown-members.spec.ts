import { describe, expect, it } from '@jest/globals';
import { elizaMembers } from './runtime-eliza.js';
import { ELIZA_MEMBERS, findUnknownMembers } from './unknown-members.js';

describe('an unknown runtime member', () => {
  it.each([
    ['runtime.sendMesage({})', 'runtime.sendMesage, which does not exist; did you mean sendMessage?'],
    ['this.runtime?.getSeting("A")', 'runtime.getSeting, which does not exist; did you mean getSetting?'],
    ['runtime.logger.inf("a")', 'runtime.logger.inf, which does not exist; did you mean info?'],
    ['runtime\n  .logger\n  .warning("a")', 'runtime.logger.warning, which does not exist'],
    ['const { store, sendMesage: send } = runtime;', 'runtime.sendMesage, which does not exist; did you mean sendMessage?'],
    ['const { inf } = runtime.logger\n', 'runtime.logger.inf, which does not exist; did you mean info?'],
    ['runtime.zebra', 'runtime.zebra, which does not exist'],
  ])('is found in %j', (source, reason) => {
    expect(findUnknownMembers(source)).toEqual([`it uses ${reason}`]);
  });

  it.each([
    'runtime.sendMessage({}); runtime.logger.info("a"); const { store, memories } = runtime;',
    'runtime.getCache("a"); runtime.getTasks({}); runtime.hasOwnProperty("a")',
    'chrome.runtime.sendMesage(); myruntime.zebra; runtimes.zebra',
    '// runtime.zebra\n/* runtime.zebra */',
    'const { zebra } = runtime.store;',
  ])('is not found in %j', (source) => {
    expect(findUnknownMembers(source)).toEqual([]);
  });
});

it('the list of elizaOS runtime members is complete', () => {
  const parts = { plugin: 'a', agent: { id: 'a' }, stores: { of: () => ({}) } };
  expect([...ELIZA_MEMBERS].sort()).toEqual(Object.keys(elizaMembers(parts as never)).sort());
});
