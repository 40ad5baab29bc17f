import { describe, expect, it } from '@jest/globals';
import { Random } from '../../../test/support/random.js';
import type { ReplyChange } from '../../modules/messaging/index.js';
import type { RecordedRound } from '../../modules/turns/index.js';
import { ResponseItems } from './response-items.js';
import { ResponseSequence, unseen, type ResponseEvent } from './response-sequence.js';

const MESSAGE = '0123abcd-0123-0123-0123-0123456789ab';
const HEX = MESSAGE.replaceAll('-', '');
type Json = ReturnType<typeof JSON.parse>;

const IDS = { messageId: MESSAGE, agentId: 'agent', replyId: 'reply' };
const DONE = { reason: 'stop', calls: [], citations: [] } as const;

/** What a model says in one of its calls. */
interface Said {
  readonly thoughts?: string;
  /** All but the last are begun again by the model. */
  readonly texts: readonly string[];
  /** Own actions of the agent behind it. */
  readonly actions: number;
}

/** A reply: the calls of the model, by attempt. All attempts but the last stop in their last call. */
type Script = readonly (readonly Said[])[];

/** The changes of a reply in pieces of some size, as readers get them. */
function changesOf(script: Script, size: () => number): ReplyChange[] {
  const changes: ReplyChange[] = [];
  let step = 0;
  for (const [index, calls] of script.entries()) {
    const attempt = index + 1;
    let restart = 0;
    let before = '';
    changes.push({ kind: 'begun', ...IDS, attempt });
    for (const { thoughts = '', texts, actions } of calls) {
      for (const [at, text] of pieces(thoughts, size).entries()) changes.push({ kind: 'reasoning', ...IDS, text, index: at });
      for (const text of texts) {
        for (const piece of pieces(text, size)) {
          const isFirst = piece.start === 0;
          if (isFirst && before !== '') restart += 1;
          changes.push({ kind: 'text', ...IDS, ...piece, index: 0, attempt, restart, ...(isFirst && { reset: true }) });
          before = text;
        }
      }
      for (let action = 0; action < actions; action++) {
        step += 1;
        changes.push({ kind: 'action', ...IDS, action: 'A', step, status: 'started' });
        changes.push({ kind: 'action', ...IDS, action: 'A', step, status: 'completed', success: true, durationMs: 0 });
      }
      if (actions > 0) step += 1;
    }
  }
  return changes.map((change) =>
    change.kind === 'reasoning' ? { ...change, text: (change.text as unknown as { text: string }).text } : change,
  );
}

function pieces(text: string, size: () => number): Json[] {
  const found = [];
  for (let start = 0; start < text.length;) {
    const piece = text.substring(start, start + size());
    found.push({ text: piece, start });
    start += piece.length;
  }
  return found;
}

function eventsOf(script: Script, size: () => number, options: object = {}): ResponseEvent[] {
  const items = new ResponseItems({ messageId: MESSAGE, ...options });
  const events = changesOf(script, size).flatMap((change) => items.take(change));
  const last = script.at(-1)!.at(-1)!.texts.at(-1) ?? '';
  const end = items.end({ ...DONE, text: last.trim() });
  return [...events, ...end, { type: 'response.completed', sequence_number: items.endNumber }];
}

/** What a reader has: pieces of a text joined, everything else as it is. */
function joined(events: readonly ResponseEvent[]): unknown[] {
  const all: Json[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (typeof event['delta'] === 'string' && last?.type === event.type && last.item_id === event['item_id']) {
      all[all.length - 1] = { ...last, delta: `${last.delta}${event['delta']}`, sequence_number: event.sequence_number };
    } else all.push(event);
  }
  return all;
}

const WORDS = ['tea ', 'is ', ' green', '\n', '\0', 'and', ' 🍵', '  ', 'x'];

function randomScript(random: Random): Script {
  const text = (): string => Array.from({ length: random.between(0, 11) }, () => WORDS[random.between(0, WORDS.length - 1)]).join('');
  const said = (isLast: boolean): Said => ({
    ...(random.between(0, 1) === 0 && { thoughts: text() }),
    texts: Array.from({ length: 1 + (random.between(0, 3) === 0 ? 1 : 0) }, text),
    actions: isLast ? 0 : 1 + random.between(0, 1),
  });
  const attempts = 1 + random.between(0, 2);
  return Array.from({ length: attempts }, () => {
    const calls = random.between(0, 2);
    return [...Array.from({ length: calls }, () => said(false)), said(true)];
  });
}

describe('the events of a response', () => {
  const random = new Random(20261130);
  const scripts = Array.from({ length: 40 }, () => randomScript(random));

  it('have numbers that rise', () => {
    for (const script of scripts) {
      const numbers = eventsOf(script, () => 1 + random.between(0, 4)).map(({ sequence_number: number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
      expect(numbers.every((number) => Number.isSafeInteger(number) && number > ResponseSequence.inProgress)).toBe(true);
    }
  });

  it('are complete and come once for a reader that goes on from any of them, in pieces of any other sizes', () => {
    for (const script of scripts) {
      const live = eventsOf(script, () => 1 + random.between(0, 4));
      const whole = joined(live);
      for (let cut = 0; cut <= live.length; cut++) {
        const had = live.filter((_, index) => index < cut);
        const after = had.at(-1)?.sequence_number ?? -1;
        const size = 1 + random.between(0, 29);
        const rest = eventsOf(script, () => size, { after }).flatMap((event) => unseen(event, after) ?? []);
        expect(joined([...had, ...rest])).toEqual(whole);
      }
    }
  });

  it('are the same from what is stored when the pieces have been deleted', () => {
    const script: Script = [
      [
        { thoughts: 'Hm. ', texts: ['Let me see. '], actions: 2 },
        { thoughts: 'Well.', texts: [' It is four.'], actions: 0 },
      ],
    ];
    const round = { at: 0, reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 }, handed: 0, attempt: 1 };
    const call = { name: 'A', input: {}, attempt: 1 };
    const rounds: RecordedRound[] = [
      { ...round, step: 0, text: 'Let me see. ', reasoning: 'Hm. ', calls: [call, call] },
      { ...round, step: 3, text: 'It is four.', reasoning: 'Well.', calls: [] },
    ];
    const live = eventsOf(script, () => 3);
    for (let cut = 0; cut <= live.length; cut++) {
      const had = live.filter((_, index) => index < cut);
      const after = had.at(-1)?.sequence_number ?? -1;
      const items = new ResponseItems({ messageId: MESSAGE, rounds, after });
      const kept = changesOf(script, () => 3).filter(({ kind }) => kind !== 'text' && kind !== 'reasoning');
      const events = [...kept.flatMap((change) => items.take(change)), ...items.end({ ...DONE, text: 'It is four.' })];
      const rest = [...events, { type: 'response.completed', sequence_number: items.endNumber }].flatMap(
        (event) => unseen(event, after) ?? [],
      );
      expect(joined([...had, ...rest])).toEqual(joined(live));
    }
  });

  it('end a text that another attempt replaces as incomplete, and open another item', () => {
    const events = eventsOf([[{ texts: ['Hello wor'], actions: 0 }], [{ texts: ['Good day.'], actions: 0 }]], () => 100);
    const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as Record<string, Json>);
    expect(items.map(({ id, status, content, phase }) => [id, status, content[0].text, phase])).toEqual([
      [`msg_${HEX}_0_1`, 'incomplete', 'Hello wor', undefined],
      [`msg_${HEX}_0_2`, 'completed', 'Good day.', 'final_answer'],
    ]);
    expect(events.filter(({ type }) => type === 'response.output_item.added').map(({ output_index: index }) => index)).toEqual([0, 1]);
  });

  it('do not depend on text of an earlier attempt that only some readers got', () => {
    const numbers = (script: Script): number[] =>
      eventsOf(script, () => 4)
        .filter(({ item_id: id }) => id === `msg_${HEX}_0_2`)
        .map(({ sequence_number: number }) => number);
    const again = { texts: ['Good day.'], actions: 0 };
    expect(numbers([[{ texts: ['Hello wor'], actions: 0 }], [again]])).toEqual(numbers([[{ texts: [], actions: 0 }], [again]]));
  });

  it.each([
    ['text', { texts: ['Lost'], actions: 0 }],
    ['thoughts', { thoughts: 'Lost', texts: [], actions: 0 }],
  ])('end the %s of a reader that were lost before they were stored, and count it', (_what, lost) => {
    const found: Said = { texts: ['Found.'], actions: 0 };
    const told = eventsOf([[lost], [found]], () => 3).filter(
      ({ sequence_number: number }) => number < ResponseSequence.end({ attempt: 0, actions: 0 }),
    );
    const had = told.slice(0, 3);
    const after = had.at(-1)!.sequence_number;
    const rest = eventsOf([[], [found]], () => 3, { after }).flatMap((event) => unseen(event, after) ?? []);
    const items = [...had, ...rest].filter(({ item }) => item !== undefined);
    expect(items.map(({ type, output_index: index, item }) => [type, index, (item as Json).id])).toEqual([
      ['response.output_item.added', 0, (had[0]!['item'] as Json).id],
      ['response.output_item.done', 0, (had[0]!['item'] as Json).id],
      ['response.output_item.added', 1, `msg_${HEX}_0_2`],
      ['response.output_item.done', 1, `msg_${HEX}_0_2`],
    ]);
  });

  it('have the calls of functions behind what was said, each with an id of its own beside the id of the call', () => {
    const items = new ResponseItems({ messageId: MESSAGE });
    const call = (step: number): Json => ({ id: `call_${HEX}_${step}`, name: 'look', input: { step } });
    const events = [
      ...items.take({ kind: 'begun', ...IDS, attempt: 1 }),
      ...items.take({ kind: 'text', ...IDS, text: 'I look.', index: 0, attempt: 1, restart: 0, start: 0, reset: true }),
      ...items.take({ kind: 'action', ...IDS, action: 'look', step: 1, status: 'started' }),
      ...items.take({ kind: 'suspended', ...IDS, calls: [] }),
      ...items.end({ text: 'I look.', reason: 'tool-calls', calls: [call(1), call(2)], citations: [] }),
    ];
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as Record<string, Json>);
    expect(done.map(({ id, call_id: callId, phase }) => [id, callId ?? phase])).toEqual([
      [`msg_${HEX}_0_1`, 'commentary'],
      [`fc_${HEX}_1`, `call_${HEX}_1`],
      [`fc_${HEX}_2`, `call_${HEX}_2`],
    ]);
    const calls = events.filter(({ type }) => type.startsWith('response.function_call'));
    expect(calls.map(({ type, delta, arguments: input }) => [type.split('.').at(-1), delta ?? input])).toEqual([
      ['delta', '{"step":1}'],
      ['done', '{"step":1}'],
      ['delta', '{"step":2}'],
      ['done', '{"step":2}'],
    ]);
    const numbers = [...events.map(({ sequence_number: number }) => number), items.endNumber];
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  });

  it('of a later part begin behind its results, and have the whole text that the part begins with', () => {
    const text = (said: string, start: number, attempt: number): ReplyChange => ({
      ...{ kind: 'text', ...IDS, text: said, index: 0, attempt, restart: 0, start },
      ...(start === 0 && { reset: true }),
    });
    const items = new ResponseItems({ messageId: MESSAGE, part: 2 });
    const changes: ReplyChange[] = [
      { kind: 'begun', ...IDS, attempt: 1 },
      text('I see', 0, 1),
      { kind: 'suspended', ...IDS, calls: [] },
      { kind: 'resumed', ...IDS, step: 2 },
      { kind: 'begun', ...IDS, attempt: 2 },
      // It continues what the reader has of the part before.
      text(' four.', 5, 2),
    ];
    const events = [...changes.flatMap((change) => items.take(change)), ...items.end({ ...DONE, text: 'I see four.' })];
    expect(events.find(({ delta }) => delta !== undefined)).toMatchObject({ delta: 'I see four.', item_id: `msg_${HEX}_2_2` });
  });
});
