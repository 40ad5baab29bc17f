import { describe, expect, it } from '@jest/globals';
import { RawData, type StreamEvent } from '../../core/http/index.js';
import type { Cursor } from '../../core/journal/index.js';
import type { FinalResponse, PartEvent } from '../../modules/protocols/index.js';
import { UiStreamWriter } from './ui-stream.writer.js';

const cursor = '7' as Cursor;
const of = { replyId: 'r', messageId: 'm', agentId: 'a' };
const exchange = { message: { id: 'm', channelId: 'c' }, agentId: 'a', replyId: 'r' } as ConstructorParameters<typeof UiStreamWriter>[0];
const text = (said: string): PartEvent => ({ kind: 'text', text: said, cursor });
const reset: PartEvent = { kind: 'reset', cursor };
const started = (details?: object): PartEvent => ({
  kind: 'action',
  change: { kind: 'action', ...of, action: 'LOOK_UP', step: 1, status: 'started' },
  details,
  cursor,
});
const completed = (success: boolean, details?: object): PartEvent => ({
  kind: 'action',
  change: { kind: 'action', ...of, action: 'LOOK_UP', step: 1, status: 'completed', success, durationMs: 1 },
  details,
  cursor,
});
const final = (fields: Partial<FinalResponse> = {}): FinalResponse => ({
  ...{ text: '', reason: 'stop', calls: [], citations: [], usage: { inputTokens: 1, outputTokens: 2 }, cursor },
  ...fields,
});

const data = (events: readonly StreamEvent[] | undefined): ReturnType<typeof JSON.parse>[] =>
  (events ?? []).map(({ data: each }) => (each instanceof RawData ? each.text : each));
const types = (events: readonly StreamEvent[] | undefined): string[] => data(events).map((each) => each.type ?? each);

describe('UiStreamWriter', () => {
  it('puts the cursor on the last part of an event alone', () => {
    const events = new UiStreamWriter(exchange).take(text('Hi'))!;
    expect(events.map(({ id }) => id)).toEqual([undefined, undefined, '7']);
    expect(types(events)).toEqual(['start-step', 'text-start', 'text-delta']);
  });

  it('gives every text and every reasoning an id of its own', () => {
    const writer = new UiStreamWriter(exchange);
    const events = [
      ...writer.take({ kind: 'reasoning', text: 'Hm', cursor })!,
      ...writer.take(text('A'))!,
      ...writer.take({ kind: 'round', cursor })!,
      ...writer.take(text('B'))!,
      ...writer.end(final()),
    ];
    expect(types(events)).toEqual([
      ...['start-step', 'reasoning-start', 'reasoning-delta', 'reasoning-end', 'text-start', 'text-delta', 'text-end'],
      ...['finish-step', 'start-step', 'text-start', 'text-delta', 'text-end', 'finish-step', 'finish', '[DONE]'],
    ]);
    expect(new Set(data(events).flatMap(({ type, id }) => (/-start$/.test(type) && id ? [id] : []))).size).toBe(3);
  });

  it('cannot take back text, and says how to get the reply', () => {
    const writer = new UiStreamWriter(exchange);
    writer.take(text('One'));
    expect(writer.take(reset)).toBeUndefined();
    const events = data(writer.fail({ code: 'TURN_FAILED', message: 'x', details: 'y' }, undefined));
    expect(events.map(({ type }) => type ?? '')).toEqual(['text-end', 'finish-step', 'error', '']);
    expect(events[2].errorText).toMatch(/Resume the stream/);
  });

  it('goes on with another attempt where no text is replaced', () => {
    const writer = new UiStreamWriter(exchange);
    writer.take(text('Let me look.'));
    writer.take(started());
    expect(types(writer.take(reset))).toEqual([]);
    // The other attempt begins the action again.
    expect(types(writer.take(started()))).toEqual([]);
    expect(types(writer.take(completed(true)))).toEqual(['tool-output-available']);
    expect(types(writer.take(text('Tea.')))).toEqual(['finish-step', 'start-step', 'text-start', 'text-delta']);
  });

  it.each([
    ['hides', undefined, true, {}, { output: null }],
    ['shows', { arguments: { a: 1 }, result: { text: 'x' } }, true, { a: 1 }, { output: { text: 'x' } }],
    ['hides', undefined, false, {}, { errorText: 'The action failed.' }],
    ['shows', { arguments: { a: 1 }, result: { error: 'No.' } }, false, { a: 1 }, { errorText: 'No.' }],
  ])('%s what an action got and gave with the details %j (success: %s)', (_what, details, success, input, output) => {
    const events = data(new UiStreamWriter(exchange).take(completed(success, details)));
    const same = { toolCallId: 'r:1', dynamic: true, providerExecuted: true };
    expect(events.at(-2)).toEqual({ type: 'tool-input-available', ...same, toolName: 'LOOK_UP', input });
    expect(events.at(-1)).toEqual({ type: success ? 'tool-output-available' : 'tool-output-error', ...same, ...output });
  });

  it.each([
    ['{"sky":"blue"}', { sky: 'blue' }],
    ['[1]', [1]],
    ['17', '17'],
    ['{half', '{half'],
  ])('tells the output %s again as it was given', (given, output) => {
    const calls = [{ id: 'call_1', name: 'look', input: { a: 1 }, text: given, isError: false }];
    const events = data(new UiStreamWriter(exchange).take({ kind: 'given', calls, cursor }));
    expect(events).toEqual([
      { type: 'start-step' },
      { type: 'tool-input-start', toolCallId: 'call_1', toolName: 'look' },
      { type: 'tool-input-delta', toolCallId: 'call_1', inputTextDelta: '{"a":1}' },
      { type: 'tool-output-available', toolCallId: 'call_1', output },
    ]);
  });

  it('tells its sources', () => {
    const citations = [
      { document: 'teas.pdf', place: 'page 2', url: null, quote: 'Sencha', reference: 1 },
      { document: 'Teas', place: '', url: 'https://tea.example', quote: 'Oolong' },
    ];
    const events = data(new UiStreamWriter(exchange).end(final({ citations })));
    expect(events.slice(0, -2)).toEqual([
      { type: 'start-step' },
      {
        type: 'source-document',
        ...{ sourceId: 'r:source-1', title: 'teas.pdf', mediaType: 'text/plain' },
        providerMetadata: { parley: { place: 'page 2', quote: 'Sencha', reference: 1 } },
      },
      {
        type: 'source-url',
        ...{ sourceId: 'r:source-2', title: 'Teas', url: 'https://tea.example' },
        providerMetadata: { parley: { place: '', quote: 'Oolong' } },
      },
      { type: 'finish-step' },
    ]);
  });

  it('has no step for an agent that chose not to reply', () => {
    const writer = new UiStreamWriter(exchange);
    expect([...types(writer.begin()), ...types(writer.end(final()))]).toEqual(['start', 'finish', '[DONE]']);
  });

  it('tells a failure with its remedy, and that a reply was cancelled', () => {
    const failed = data(new UiStreamWriter(exchange).fail({ code: 'TURN_FAILED', message: 'It broke', details: 'Try again.' }, cursor));
    expect(failed).toEqual([{ type: 'error', errorText: 'It broke. Try again.' }, '[DONE]']);
    const cancelled = data(new UiStreamWriter(exchange).fail({ code: 'TURN_CANCELLED', message: 'Stopped.', details: '' }, cursor));
    expect(cancelled[0]).toEqual({ type: 'abort', reason: 'Stopped.' });
  });
});
