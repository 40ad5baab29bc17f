import { describe, expect, it } from '@jest/globals';
import { MessagesWriter, Thoughts } from './messages-writer.js';

const HEAD = { id: 'msg_1', model: 'Ada', inputTokens: 1 };
const types = (events: readonly { event?: string }[] | undefined): unknown => events?.map(({ event }) => event);

describe('MessagesWriter', () => {
  it('cannot take a text back', () => {
    const writer = new MessagesWriter(HEAD, true);
    writer.take({ kind: 'text', text: 'One', cursor: undefined });
    expect(writer.take({ kind: 'reset', cursor: undefined })).toBeUndefined();
  });

  it('closes an open block only once', () => {
    const writer = new MessagesWriter(HEAD, true);
    expect(types(writer.take({ kind: 'round', cursor: undefined }))).toEqual([]);
    writer.take({ kind: 'reasoning', text: 'Hm', cursor: undefined });
    expect(types(writer.take({ kind: 'round', cursor: undefined }))).toEqual(['content_block_stop']);
    expect(types(writer.take({ kind: 'round', cursor: undefined }))).toEqual([]);
  });

  it('does not tell thoughts to a caller that does not hear them', () => {
    const writer = new MessagesWriter(HEAD, false);
    expect(writer.take({ kind: 'reasoning', text: 'Hm', cursor: undefined })).toEqual([]);
  });
});

describe('Thoughts', () => {
  it('are a block for each run, and void after a reset', () => {
    const thoughts = new Thoughts();
    const think = (text: string): void => thoughts.take({ kind: 'reasoning', text, cursor: undefined });
    think('Void.');
    thoughts.take({ kind: 'reset', cursor: undefined });
    think('One, ');
    think('two.');
    thoughts.take({ kind: 'round', cursor: undefined });
    think('Three.');
    expect(thoughts.blocks).toEqual(['One, two.', 'Three.']);
  });
});
