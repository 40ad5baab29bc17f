// Any sequence of valid events, in any packets, gives the text and the reasoning in the order of the bytes.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ResponseReader, type Dialect } from '../../../src/providers/models/wire/response-reader.js';
import type { ReadEvent } from '../../../src/providers/models/wire/message-reader.js';
import { WEATHER } from './wire.js';

interface Part {
  readonly kind: 'text' | 'thought';
  readonly words: string;
}

type Fields = Readonly<Record<string, unknown>>;

// Words of every script, with half emojis left out: JSON of a service has whole characters.
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const parts = fc.array(fc.record({ kind: fc.constantFrom('text', 'text', 'thought'), words }), { minLength: 1, maxLength: 12 });

/** How one event is written: its lines, line ends, and what stands around it. */
const framing = fc.record({
  line: fc.constantFrom('\n', '\r\n', '\r'),
  space: fc.constantFrom('', ' '),
  indent: fc.constantFrom(0, 0, 2),
  before: fc.constantFrom('', '', 'event: message', 'id: 7', 'retry: 3000', ': keep-alive'),
  between: fc.constantFrom('', '', ':', ': ping', 'data:', 'data: '),
});
type Framing = typeof framing extends fc.Arbitrary<infer T> ? T : never;

function framed(payload: unknown, { line, space, indent, before, between }: Framing, name?: string): string {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload, undefined, indent);
  const lines = text.split('\n').map((each) => `data:${space}${each}`);
  const heads = name === undefined ? (before === '' ? [] : [before]) : [`event: ${name}`];
  const silence = between === '' ? '' : between + line + line;
  return silence + [...heads, ...lines, '', ''].join(line);
}

const noise = fc.record({
  role: fc.boolean(),
  calls: fc.constantFrom(undefined, null, []),
  content: fc.constantFrom(undefined, null, ''),
  usage: fc.constantFrom(undefined, null, { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }),
  asParts: fc.boolean(),
  field: fc.constantFrom('reasoning_content', 'reasoning'),
  isMerged: fc.boolean(),
  refusal: fc.constantFrom(undefined, null, ''),
});
type Noise = typeof noise extends fc.Arbitrary<infer T> ? T : never;

/** The delta of a part; a thought and the text that follows it may come in one event. */
function deltaOf(part: Part, next: Part | undefined, { role, calls, content, asParts, field, refusal }: Noise): Fields {
  const said = part.kind === 'text' ? part : next;
  const text = said === undefined ? content : asParts ? [{ type: 'text', text: said.words }] : said.words;
  return {
    ...(role ? { role: 'assistant' } : {}),
    ...(text === undefined ? {} : { content: text }),
    ...(part.kind === 'thought' ? { [field]: part.words } : {}),
    ...(calls === undefined ? {} : { tool_calls: calls }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** Chat completions; each event takes the framing and the noise of its place. */
function completion(all: readonly Part[], framings: readonly Framing[], noises: readonly Noise[], hasDone: boolean): string {
  let wire = '';
  for (let index = 0; index < all.length; index += 1) {
    const [part, next] = [all[index]!, all[index + 1]];
    const how = noises[index % noises.length]!;
    const merges = how.isMerged && part.kind === 'thought' && next?.kind === 'text';
    const choices = [{ index: 0, delta: deltaOf(part, merges ? next : undefined, how), finish_reason: null }];
    const { usage } = how;
    wire += framed({ id: 'c', choices, ...(usage === undefined ? {} : { usage }) }, framings[index % framings.length]!);
    if (merges) index += 1;
  }
  const last = framings.at(-1)!;
  wire += framed({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, last);
  return hasDone ? wire + framed('[DONE]', last) : wire;
}

/** Messages of Anthropic: one block for each part. */
function message(all: readonly Part[], framings: readonly Framing[]): string {
  const events: Fields[] = [{ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 3 } } }];
  for (const [index, { kind, words: said }] of all.entries()) {
    const block = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
    const delta = kind === 'text' ? { type: 'text_delta', text: said } : { type: 'thinking_delta', thinking: said };
    events.push({ type: 'content_block_start', index, content_block: block }, { type: 'ping' });
    events.push({ type: 'content_block_delta', index, delta });
    if (kind === 'thought') events.push({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 's' } });
    events.push({ type: 'content_block_stop', index });
  }
  events.push({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }, { type: 'message_stop' });
  return events.map((event, index) => framed(event, framings[index % framings.length]!, event['type'] as string)).join('');
}

/** What the reader makes of bytes that arrive in pieces of these sizes, over and over. */
function read(dialect: Dialect, wire: string, sizes: readonly number[]) {
  const reader = new ResponseReader({ dialect, tools: [WEATHER], mediaType: 'text/event-stream' });
  const bytes = Buffer.from(wire);
  const events: ReadEvent[] = [];
  for (let sent = 0, piece = 0; sent < bytes.length; piece += 1) {
    const size = sizes[piece % sizes.length]!;
    events.push(...reader.read(bytes.subarray(sent, sent + size)));
    sent += size;
  }
  events.push(...reader.end());
  const of = (type: string): string => events.map((event) => (event.type === type ? (event as { text: string }).text : '')).join('');
  return {
    text: of('delta'),
    thoughts: of('reasoning'),
    ends: events.at(-1)?.type,
    failures: events.filter(({ type }) => type === 'failure'),
  };
}

const expected = (all: readonly Part[]) => ({
  ...{ text: '', thoughts: '', ends: 'finish', failures: [] },
  text: all.map(({ kind, words: said }) => (kind === 'text' ? said : '')).join(''),
  thoughts: all.map(({ kind, words: said }) => (kind === 'thought' ? said : '')).join(''),
});

const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 });
const framings = fc.array(framing, { minLength: 1, maxLength: 5 });

describe('any sequence of valid events in any packets', () => {
  it('yields the text and reasoning of chat completions in order', () => {
    fc.assert(
      fc.property(
        parts,
        framings,
        fc.array(noise, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        sizes,
        (all, frames, noises, done, cuts) => {
          expect(read('chat-completions', completion(all as Part[], frames, noises, done), cuts)).toEqual(expected(all));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('yields the text and reasoning of Anthropic messages in order', () => {
    fc.assert(
      fc.property(parts, framings, sizes, (all, frames, cuts) => {
        expect(read('anthropic', message(all as Part[], frames), cuts)).toEqual(expected(all));
      }),
      { numRuns: 1000 },
    );
  });
});
