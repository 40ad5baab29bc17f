import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aRequest, failureOf, listen, textOf } from '../../../test/support/describe-chat-model.js';
import { ScriptedModel } from '../../../test/support/scripted-model.js';
import { AppError } from '../../core/errors/index.js';
import type { ChatEvent } from './chat-model.js';
import { OfflineResponder } from './offline/offline-responder.js';
import { StopTexts } from './stop-texts.js';

/** The text that is given out for each of these pieces. */
function given(pieces: readonly string[], stop: readonly string[]): string[] {
  const texts = new StopTexts(stop);
  const out: string[] = [];
  for (const piece of pieces) {
    out.push(texts.add(piece));
    if (texts.hasStopped) return out;
  }
  return [...out, texts.end()];
}

describe('StopTexts', () => {
  it.each<[what: string, pieces: string[], stop: string[], out: string[]]>([
    ['in one piece', ['One. END Two.'], ['END'], ['One. ']],
    ['divided over three pieces', ['One. E', 'N', 'D Two.'], ['END'], ['One. ', '', '']],
    ['that only seemed to begin', ['One. E', 'Nough.'], ['END'], ['One. ', 'ENough.', '']],
    ['that only seemed to begin, at the end', ['One. EN'], ['END'], ['One. ', 'EN']],
    ['whose beginning comes twice', ['a', 'a', 'ab', 'c'], ['aab'], ['', '', 'a']],
    ['that is complete first, not the one that begins first', ['abc', 'd'], ['abcd', 'c'], ['ab']],
    ['that is complete first, also in one piece', ['abcd'], ['abcd', 'c'], ['ab']],
    ['that is the longest of those that end together', ['xabc'], ['c', 'abc'], ['x']],
    ['of which only the first letter comes, which holds nothing', ['a1a2'], ['aXYZQ'], ['a1a2', '']],
    ['with a character of two units', ['Hi 😁 and ', '😀!'], ['😀'], ['Hi 😁 and ', '']],
    ['that is half a character, which no text has', ['Hi 😀!'], ['\ude00'], ['Hi 😀!', '']],
    ['that is empty, which is none', ['One.'], [''], ['One.', '']],
  ])('ends at a text %s', (_what, pieces, stop, out) => {
    expect(given(pieces, stop)).toEqual(out);
  });

  it('gives out the same text however it is divided, and whole characters', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀', '😁'), maxLength: 12 });
    fc.assert(
      fc.property(letters, fc.array(letters, { minLength: 1, maxLength: 3 }), (text, stop) => {
        const pieces = given([...text], stop);
        expect(pieces.join('')).toBe(given([text], stop).join(''));
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
        const ends = stop.filter((each) => each !== '' && text.includes(each)).map((each) => text.indexOf(each) + each.length);
        const said = ends.length === 0 ? text : text.slice(0, Math.min(...ends));
        expect(said.startsWith(pieces.join(''))).toBe(true);
        expect(stop.some((each) => each !== '' && pieces.join('').includes(each))).toBe(false);
      }),
    );
  });
});

describe('a request with stop texts', () => {
  const request = { ...aRequest('How many?'), stop: ['END'] };

  it('ends every response before them, and leaves a model that goes on', async () => {
    let left = false;
    async function* endless(): AsyncGenerator<ChatEvent> {
      try {
        for (const text of ['One', ' E', 'ND', ' Two', ' Three']) {
          await Promise.resolve();
          yield { type: 'delta', text };
        }
        throw new Error('The model was asked for more.');
      } finally {
        left = true;
      }
    }
    const events = await listen(new ScriptedModel().events(endless()), request);
    expect(events).toEqual([
      { type: 'delta', text: 'One' },
      { type: 'delta', text: ' ' },
      { type: 'finish', reason: 'stop', usage: {} },
    ]);
    expect(left).toBe(true);
  });

  it('does the same for a caller of `read`', async () => {
    const events: ChatEvent[] = [];
    const model = new ScriptedModel().deltas(['One EN', 'D Two']);
    await model.read(request, { signal: new AbortController().signal }, (event) => events.push(event));
    expect(events).toEqual([
      { type: 'delta', text: 'One ' },
      { type: 'finish', reason: 'stop', usage: {} },
    ]);
  });

  it('keeps what seemed to begin one: before a call, the end and a failure', async () => {
    const model = new ScriptedModel().calls([{ name: 'A', input: {} }], 'One EN').deltas(['One EN']);
    expect((await listen(model, request)).map(({ type }) => type)).toEqual(['delta', 'delta', 'tool-call', 'finish']);
    expect(textOf(await listen(model, request))).toBe('One EN');
    const error = new AppError('MODEL_UNAVAILABLE', 'down');
    expect(await failureOf(new ScriptedModel().fail(error, { after: ['One EN'] }), request)).toEqual({ error, heard: 'One EN' });
  });

  it('forgets a text that turned out to be reasoning', async () => {
    const model = new ScriptedModel().events([
      { type: 'delta', text: 'Hm, EN' },
      { type: 'reset' },
      { type: 'reasoning', text: 'Hm, EN' },
      { type: 'delta', text: 'D it is.' },
    ]);
    expect((await listen(model, request)).slice(1)).toEqual([
      { type: 'reset' },
      { type: 'reasoning', text: 'Hm, EN' },
      { type: 'delta', text: 'D it is.' },
      { type: 'finish', reason: 'stop', usage: {} },
    ]);
  });

  it('ends the responses of the offline responder', async () => {
    const asked = { ...aRequest('When?', 'We open at seven and close at five.'), stop: ['n and cl'] };
    expect(textOf(await listen(new OfflineResponder(undefined), asked))).toBe('We open at seve');
  });
});
