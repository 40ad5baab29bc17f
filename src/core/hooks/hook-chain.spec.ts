import { describe, expect, it } from '@jest/globals';
import { HookChain, type Hook } from './hook-chain.js';

interface Named extends Hook {
  readonly name: string;
}

class Chain extends HookChain<Named> {
  names(): string[] {
    return this.all().map(({ name }) => name);
  }
}

describe('a chain of hooks', () => {
  it('runs hooks by order, and hooks of equal order in registration order', () => {
    const chain = new Chain(() => []);
    for (const hook of [{ name: 'late', order: 10 }, { name: 'first' }, { name: 'early', order: -10 }, { name: 'second' }]) {
      chain.register(hook);
    }
    expect(chain.names()).toEqual(['early', 'first', 'second', 'late']);
  });

  it('does not run a removed hook', () => {
    const chain = new Chain(() => []);
    const remove = chain.register({ name: 'gone' });
    chain.register({ name: 'stays' });
    remove();
    expect(chain.names()).toEqual(['stays']);
  });
});
