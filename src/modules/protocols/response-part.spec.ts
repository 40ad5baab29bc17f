import { describe, expect, it } from '@jest/globals';
import { cursorBehind } from '../../core/journal/index.js';
import type { ReplyChange, ReplyEvent } from '../messaging/index.js';
import { ResponsePart, type PartEvent } from './response-part.js';

const IDS = { messageId: 'message', agentId: 'agent', replyId: 'reply' };
const text = (said: string, attempt: number, reset = false): ReplyChange => ({
  ...{ kind: 'text', ...IDS, text: said, index: 0, attempt, restart: 0, start: 0, ...(reset && { reset }) },
});
const BEGUN = (attempt: number): ReplyChange => ({ kind: 'begun', ...IDS, attempt });
const ACTED: ReplyChange = { kind: 'action', ...IDS, action: 'LOOK_UP', step: 1, status: 'completed', success: true, durationMs: 1 };

/** The events of changes, each with a cursor that says nothing of the running text. */
const eventsOf = (changes: readonly ReplyChange[]): ReplyEvent[] =>
  changes.map((change, offset) => ({ change, cursor: cursorBehind(offset), last: false, entry: {} }) as ReplyEvent);
const told = (events: readonly PartEvent[]): string[] => events.map((event) => (event.kind === 'text' ? event.text : event.kind));

describe('what is said behind an action, when the server that ran it was killed before it stored more', () => {
  const before = [BEGUN(1), text('I look.', 1), ACTED, BEGUN(2)];

  it('is another round for a reader who was there', () => {
    const part = new ResponsePart({});
    const events = eventsOf([...before, text('It rains.', 2, true)]).flatMap((event) => part.take(event));
    expect([told(events), part.told]).toEqual([['I look.', 'action', 'round', 'It rains.'], 'I look.\n\nIt rains.']);
  });

  it('is another round for a reader who comes back', () => {
    const part = new ResponsePart({});
    const events = [...part.takePast(eventsOf(before)), ...eventsOf([text('It rains.', 2, true)]).flatMap((event) => part.take(event))];
    expect([told(events), part.told]).toEqual([['I look.', 'action', 'round', 'It rains.'], 'I look.\n\nIt rains.']);
  });

  it('voids what another attempt said there', () => {
    const part = new ResponsePart({});
    const events = eventsOf([BEGUN(1), text('I look.', 1), ACTED, text('It sn', 1, true), BEGUN(2), text('It rains.', 2, true)]);
    expect(told(events.flatMap((event) => part.take(event)))).toEqual(['I look.', 'action', 'round', 'It sn', 'reset', 'It rains.']);
  });
});
