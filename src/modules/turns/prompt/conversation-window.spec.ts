import { describe, expect, it } from '@jest/globals';
import { cutMiddle, selectWindow } from './conversation-window.js';

/** A token for each character, so that sums are easy. */
const count = (text: string): number => text.length;
const line = (seq: number, length = 96): { seq: number; text: string } => ({ seq, text: String(seq % 10).repeat(length) });
/** Messages of 100 tokens each, with what a service adds. */
const lines = (length: number): { seq: number; text: string }[] => Array.from({ length }, (_, index) => line(index + 1));
const select = (
  all: readonly { seq: number; text: string }[],
  limits: { messages?: number; tokens?: number; after?: number },
): { seqs: number[]; dueThrough: number | undefined } => {
  const { lines: shown, dueThrough } = selectWindow(all, { messages: 100, tokens: 6000, after: 0, ...limits }, count);
  return { seqs: shown.map(({ seq }) => seq), dueThrough };
};

describe('the conversation window', () => {
  it('is empty without messages', () => {
    expect(select([], {})).toEqual({ seqs: [], dueThrough: undefined });
  });

  it('contains the newest messages that fit', () => {
    expect(select(lines(10), { tokens: 450 }).seqs).toEqual([7, 8, 9, 10]);
    expect(select(lines(10), { messages: 3 }).seqs).toEqual([8, 9, 10]);
  });

  it('begins after the summary', () => {
    expect(select(lines(10), { after: 6 })).toEqual({ seqs: [7, 8, 9, 10], dueThrough: undefined });
  });

  it('cuts a message longer than half of the budget, and keeps its neighbours', () => {
    const all = [line(1), line(2, 5000), line(3)];
    const { lines: shown } = selectWindow(all, { messages: 100, tokens: 1000, after: 0 }, count);
    expect(shown.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(shown[1]?.text).toMatch(/^2+\n\[… \d+ characters left out …\]\n2+$/);
    expect(shown[1]?.text.length).toBeLessThanOrEqual(500);
    expect(shown[0]).toBe(all[0]);
  });

  it('always contains the newest message, even with the smallest budget', () => {
    expect(select([line(1, 5000)], { tokens: 20 }).seqs).toEqual([1]);
  });

  it.each([
    ['little waits', lines(35), {}, undefined],
    ['twelve messages wait beyond the newer half', Array.from({ length: 24 }, (_, at) => line(at + 1, 10)), { messages: 24 }, 12],
    ['2,000 tokens wait beyond the newer half', lines(50), { messages: 1000 }, 20],
    ['a third of a small budget waits', lines(9), { tokens: 900 }, 5],
    ['the budget is tiny', lines(6), { messages: 1 }, 5],
  ])('requests the summary when %s', (_when, all, limits, through) => {
    expect(select(all, limits).dueThrough).toBe(through);
  });

  it('requests a summary before a message leaves the window', () => {
    for (let length = 1; length <= 60; length++) {
      const { seqs, dueThrough } = select(lines(length), {});
      if (dueThrough === undefined) expect(seqs).toHaveLength(length);
      else {
        expect(seqs[0]).toBe(1);
        break;
      }
    }
  });

  it('summarises a message and its reply together', () => {
    const pairs = Array.from({ length: 12 }, (_, at) => [line(at + 1), line(at + 1)]).flat();
    const { dueThrough } = select(pairs, { messages: 15, tokens: 100_000 });
    // The newer half begins between a message and its reply: both stay.
    expect(dueThrough).toBe(8);
  });
});

describe('cutting a text in the middle', () => {
  it.each([
    ['a short text', 'a short text', 12],
    ['😀'.repeat(200), '', 100],
  ])('%# keeps both ends and whole characters', (text, whole, tokens) => {
    const cut = cutMiddle(text, tokens, count);
    if (whole !== '') expect(cut).toBe(whole);
    else expect(cut).toMatch(/^(?:😀)+\n\[… \d+ characters left out …\]\n(?:😀)+$/u);
    expect(count(cut)).toBeLessThanOrEqual(tokens);
  });

  it('estimates the length of a very long text', () => {
    const counted: number[] = [];
    cutMiddle('x'.repeat(1_000_000), 100, (text) => counted.push(text.length) && text.length);
    expect(Math.max(...counted)).toBe(800);
  });
});
