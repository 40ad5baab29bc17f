// The text of a running reply as a reader gets it, however pieces and entries come (docs/decisions/0064).
import { expect, it } from '@jest/globals';
import { offsetOf, registerEvents, replyPositionOf, type Cursor, type JournalEntry, type Piece } from '../../src/core/journal/index.js';
import { RunningText, type TextEvent } from '../../src/modules/messaging/replies/running-text.js';
import type { TextPart } from '../../src/modules/messaging/index.js';
import { TURN_EVENTS } from '../../src/modules/turns/turns.events.js';

registerEvents(TURN_EVENTS);

const CHANNEL = 'c';
const TURN = { messageId: 'm', channelId: CHANNEL, serverId: 's', agentId: 'a', agentName: 'Ada', replyId: 'r' };

type Item = JournalEntry | Piece;

/** Writes what a process writes of a reply. */
class Writer {
  readonly items: Item[] = [];
  readonly texts: string[] = [];
  private offset = 0;
  private behind = 0;
  private index = 0;
  private attempt = 0;
  private restarts = 0;
  private told = 0;
  private stored = 0;

  private get text(): string {
    return this.texts.at(-1) ?? '';
  }

  begin(): void {
    this.attempt += 1;
    this.restarts = this.told = this.stored = 0;
    this.texts.push('');
    this.entry('turn.started', { ...TURN, attempt: this.attempt });
  }

  tell(text: string): void {
    this.texts[this.texts.length - 1] += text;
    const entry = {
      type: 'message.chunk',
      channelId: CHANNEL,
      payload: { ...TURN, ...this.part(text, this.told) },
      at: 0,
      requestId: null,
    };
    this.items.push({ type: 'piece', behind: this.behind, entry } as unknown as Piece);
    this.told += text.length;
    this.index += 1;
  }

  store(): void {
    if (this.stored === this.text.length) return;
    this.entry('message.chunk', { ...TURN, ...this.part(this.text.substring(this.stored), this.stored) });
    this.stored = this.text.length;
  }

  callTool(): void {
    this.store();
    this.entry('action.started', { ...TURN, action: 'LOOK_UP', step: 1 });
    this.behind = this.offset;
    if (this.text === '') return;
    this.restarts += 1;
    this.told = this.stored = 0;
    this.texts.push('');
  }

  end(): void {
    this.store();
    // Says that the text before it is void.
    if (this.text === '' && this.restarts > 0) this.entry('message.chunk', { ...TURN, ...this.part('', 0) });
    this.entry('turn.finished', { ...TURN, didRespond: true, reply: { text: this.text, actions: [], providers: [], metadata: {} } });
  }

  private part(text: string, start: number): TextPart {
    return { text, index: this.index, attempt: this.attempt, restart: this.restarts, start };
  }

  private entry(type: string, payload: object): void {
    this.offset += 1;
    this.items.push({ type, channelId: CHANNEL, payload, offset: this.offset, seq: 1, at: 0, requestId: null } as unknown as JournalEntry);
  }
}

/** A client that does what `docs/reference/events.md` says. */
class Client {
  text = '';
  resets = 0;
  cursor: Cursor | undefined;
  readonly others: string[] = [];

  hear({ entry, cursor }: TextEvent): void {
    this.cursor = cursor;
    if (entry.type !== 'message.chunk') this.others.push(`${entry.type} ${entry.offset}`);
    else if (entry.payload.reset) {
      this.resets += 1;
      this.text = entry.payload.text;
    } else {
      expect(entry.payload.start).toBe(this.text.length);
      this.text += entry.payload.text;
    }
  }
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

function write(next: () => number, writer: Writer): void {
  const word = (): string => 'abcde'.charAt(Math.floor(next() * 5)).repeat(1 + Math.floor(next() * 3));
  const attempts = 1 + Math.floor(next() * 3);
  const repeated = Array.from({ length: 12 }, word);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    writer.begin();
    const [repeats, steps] = [next() < 0.5, 1 + Math.floor(next() * 12)];
    for (let step = 0; step < steps; step += 1) {
      writer.tell(repeats ? (repeated[step] ?? '') : word());
      if (next() < 0.3) writer.store();
      if (next() < 0.1) writer.callTool();
    }
  }
  writer.end();
}

/** A reader that begins again behind its cursor, as `Replies` does. */
function resumed(items: readonly Item[], cursor: Cursor | undefined, client: Client): RunningText {
  const offset = cursor === undefined ? 0 : offsetOf(cursor);
  const text = new RunningText(offset);
  for (const item of items) if (item.type !== 'piece' && item.offset <= offset) text.skip(item);
  for (const event of text.resume(cursor && replyPositionOf(cursor))) client.hear(event);
  for (const item of items) if (item.type !== 'piece' && item.offset > offset) for (const event of text.next(item)) client.hear(event);
  return text;
}

it('is always the beginning of one text, and in the end the stored one, with lost pieces, late entries, cuts and new attempts', () => {
  for (let seed = 1; seed <= 1500; seed += 1) {
    const next = numbers(seed);
    const writer = new Writer();
    write(next, writer);
    const client = new Client();
    let text = new RunningText(0);
    const [loss, lateness, cuts] = [next() * 0.5, next() * 0.5, next() * 0.2];
    const late: JournalEntry[] = [];
    const hear = (item: Item): void => {
      for (const event of text.next(item)) client.hear(event);
      expect([seed, writer.texts.some((each) => each.startsWith(client.text))]).toEqual([seed, true]);
    };
    for (const [index, item] of writer.items.entries()) {
      if (item.type !== 'piece') late.push(item);
      if (next() >= lateness) for (const entry of late.splice(0)) hear(entry);
      if (item.type === 'piece' && next() >= loss) hear(item);
      if (next() < cuts) {
        late.length = 0;
        text = resumed(writer.items.slice(0, index + 1), client.cursor, client);
      }
    }
    for (const entry of late) hear(entry);
    const entries = writer.items.flatMap((item) =>
      item.type === 'piece' || item.type === 'message.chunk' ? [] : [`${item.type} ${item.offset}`],
    );
    expect([seed, client.text, client.others]).toEqual([seed, writer.texts.at(-1), entries]);
  }
});

it('has no reset in a reply of one attempt without restarts, whatever is lost or cut', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const next = numbers(seed);
    const writer = new Writer();
    writer.begin();
    for (let step = 0; step < 20; step += 1) {
      writer.tell(`${step} `);
      if (next() < 0.2) writer.store();
    }
    writer.end();
    const client = new Client();
    let text = new RunningText(0);
    for (const [index, item] of writer.items.entries()) {
      if (item.type !== 'piece' || next() < 0.8) for (const event of text.next(item)) client.hear(event);
      if (client.cursor !== undefined && next() < 0.2) text = resumed(writer.items.slice(0, index + 1), client.cursor, client);
    }
    expect([seed, client.resets, client.text]).toEqual([seed, 0, writer.texts[0]]);
  }
});

it('comes again whole, with a reset, behind a plain offset', () => {
  const writer = new Writer();
  writer.begin();
  writer.tell('One, ');
  writer.store();
  writer.tell('two.');
  const client = new Client();
  const text = resumed(writer.items, '2' as Cursor, client);
  expect([client.text, client.resets, client.cursor]).toEqual(['One, ', 1, '2.1.5']);
  writer.store();
  for (const event of text.next(writer.items.at(-1)!)) client.hear(event);
  expect([client.text, client.resets]).toEqual(['One, two.', 1]);
});

it.each([
  ['of another attempt', '1.2.3'],
  ['beyond the text', '1.1.400'],
  ['before the end of what is stored', '2.1.1'],
])('resets a reader with a position %s', (_of, cursor) => {
  const writer = new Writer();
  writer.begin();
  writer.tell('One.');
  writer.end();
  const client = new Client();
  resumed(writer.items, cursor as Cursor, client);
  expect([client.text, client.resets]).toEqual(['One.', 1]);
});

it('connects pieces that were told before the text in front of them was stored', () => {
  const writer = new Writer();
  writer.begin();
  for (const word of ['One, ', 'two, ', 'three.']) writer.tell(word);
  const [started, ...pieces] = writer.items as [Item, Item, Item, Item];
  writer.store();
  const text = new RunningText(0);
  const client = new Client();
  for (const item of [started, pieces[1], pieces[2]]) for (const event of text.next(item)) client.hear(event);
  expect(client.text).toBe('');
  const stored = writer.items.at(-1) as JournalEntry & { payload: TextPart };
  for (const event of text.next({ ...stored, payload: { ...stored.payload, text: 'One, ' } } as JournalEntry)) client.hear(event);
  expect(client.text).toBe('One, two, three.');
});

it('holds the text of a round back until the reader has the entries before it', () => {
  const writer = new Writer();
  writer.begin();
  writer.tell('Let me see.');
  writer.callTool();
  writer.tell('Sencha.');
  const [started, early, stored, action, late] = writer.items as [Item, Item, Item, Item, Item];
  const text = new RunningText(0);
  const client = new Client();
  const texts = [started, early, late, stored, action].map((item) => {
    for (const event of text.next(item)) client.hear(event);
    return client.text;
  });
  expect(texts).toEqual(['', 'Let me see.', 'Let me see.', 'Let me see.', 'Sencha.']);
});
