// The events of OpenAI's responses, in order and in full; those that a client goes on from; responses in the background.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { JournalRetention } from '../../src/core/journal/journal-retention.js';
import { Gate } from '../support/scripted-model.js';
import { contractApp, NOBODY } from './support/contract-app.js';
import { checked, checkEvents, eventsIn, joined, ResponsesCaller, saidIn, WEATHER, type Json } from './support/responses.js';
import { unlike } from './support/samples.js';

const PLUGIN = `export default { name: 'clerk', actions: [
  { name: 'LOOK_UP', description: 'Looks up.', handler: async () => ({ success: true, text: 'Found.' }) } ] };`;

const app = contractApp({}, { plugins: { 'clerk/index.mjs': PLUGIN } });
const { api } = app;
const caller = new ResponsesCaller(app);
const typesIn = (events: readonly Json[]): string[] => joined(events).map(({ type }) => type.replace('response.', ''));

/** Reads a stream until some of its text has come. */
async function readUntil(response: Response, text: string): Promise<Json[]> {
  const decoder = new TextDecoder();
  let body = '';
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    body += decoder.decode(part, { stream: true });
    const events = eventsIn(body.substring(0, body.lastIndexOf('\n\n') + 2));
    const told = events.map(({ delta = '' }) => delta).join('');
    if (told.includes(text)) return events;
  }
  throw new Error(`the stream ended before ${text}: ${body}`);
}

const LIFE = ['created', 'in_progress'];
const MESSAGE = [
  'output_item.added',
  'content_part.added',
  'output_text.delta',
  'output_text.done',
  'content_part.done',
  'output_item.done',
];
const REASONING = [
  'output_item.added',
  'reasoning_summary_part.added',
  'reasoning_summary_text.delta',
  'reasoning_summary_text.done',
  'reasoning_summary_part.done',
  'output_item.done',
];
const CALL = ['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.done', 'output_item.done'];

describe('a stream', () => {
  it('has the events of a text, with the whole response in the first and the last ones', async () => {
    app.test.model.deltas(['Green ', 'tea.', ' ']);
    const { events, response, headers } = await caller.stream({ input: unlike('Tea?'), instructions: 'Be brief.' });
    expect(headers.get('content-type')).toMatch('text/event-stream');
    expect(typesIn(events)).toEqual([...LIFE, ...MESSAGE, 'completed']);
    expect(events[0].sequence_number).toBe(0);
    for (const event of [events[0], events[1]]) {
      expect(event.response).toEqual({ ...response, status: 'in_progress', output: [], usage: null, completed_at: null });
    }
    expect([saidIn(response), response.instructions]).toEqual(['Green tea.', 'Be brief.']);
    const done = events.find(({ type }) => type === 'response.output_item.done');
    expect(response.output).toEqual([done.item]);
    expect(await caller.get(response.id)).toEqual({ ...response, instructions: null, usage: null });
  });

  it('has what the model thinks, says, calls and says again as items of their own', async () => {
    app.test.model
      .events([
        { type: 'reasoning', text: 'Hm.' } as const,
        { type: 'delta', text: 'I look.' } as const,
        { type: 'tool-call', id: 'a', name: 'LOOK_UP', input: {} } as const,
      ])
      .events([{ type: 'reasoning', text: 'Well.' } as const, { type: 'delta', text: 'I look. It rains.' } as const]);
    const { events, response } = await caller.stream({ input: unlike('Rain?'), reasoning: { summary: 'detailed' } });
    expect(typesIn(events)).toEqual([...LIFE, ...REASONING, ...MESSAGE, ...REASONING, ...MESSAGE, 'completed']);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ output_index: index }) => index)).toEqual([0, 1, 2, 3]);
    expect(response.output).toEqual(done.map(({ item }) => item));
    expect(response.output.map(({ type, phase = null }: Json) => [type, phase])).toEqual([
      ['reasoning', null],
      ['message', 'commentary'],
      ['reasoning', null],
      ['message', 'final_answer'],
    ]);
    expect(saidIn(response)).toBe('I look. It rains.');
  });

  it('ends with the calls of functions, and another one has what follows the outputs', async () => {
    app.test.model
      .calls(
        [
          { name: 'get_weather', input: { town: 'Ulm' } },
          { name: 'get_weather', input: { town: 'Bonn' } },
        ],
        'I look.',
      )
      .deltas(['I look', ' no more.']);
    const first = await caller.stream({ input: unlike('Rain?'), tools: [WEATHER] });
    expect(typesIn(first.events)).toEqual([...LIFE, ...MESSAGE, ...CALL, ...CALL, 'completed']);
    const calls = first.response.output.filter(({ type }: Json) => type === 'function_call');
    expect(calls.map(({ id, call_id: callId, arguments: input }: Json) => [id === callId, input])).toEqual([
      [false, '{"town":"Ulm"}'],
      [false, '{"town":"Bonn"}'],
    ]);
    expect(first.events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toEqual(first.response.output);
    const input = calls.map(({ call_id }: Json) => ({ type: 'function_call_output', call_id, output: 'No.' }));
    const second = await caller.stream({ previous_response_id: first.response.id, input, tools: [WEATHER] });
    expect(typesIn(second.events)).toEqual([...LIFE, ...MESSAGE, 'completed']);
    expect([saidIn(second.response), second.response.id]).toEqual(['I look no more.', `${first.response.id}_3`]);
    expect(second.events[0].response.previous_response_id).toBe(first.response.id);
    for (const { events, response } of [first, second]) {
      expect(joined((await caller.resume(response.id)).events).length).toBe(joined(events).length);
    }
  });

  it('begins another item when the model begins its text again', async () => {
    app.test.model.events([
      { type: 'delta', text: 'I think' } as const,
      { type: 'reset' } as const,
      { type: 'delta', text: 'Tea.' } as const,
    ]);
    const { events, response } = await caller.stream({ input: unlike('Tea?') });
    const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => [item.status, item.content[0].text]);
    expect(items.at(-1)).toEqual(['completed', 'Tea.']);
    expect(items.slice(0, -1).every(([status]) => status === 'incomplete')).toBe(true);
    expect(saidIn(response)).toBe('Tea.');
  });

  it('ends as incomplete at a limit, and as failed when the reply fails', async () => {
    app.test.model.events([{ type: 'delta', text: 'Half' } as const, { type: 'finish', reason: 'length', usage: {} } as const]);
    const cut = await caller.stream({ input: unlike('Hi') });
    expect([cut.events.at(-1).type, cut.response.incomplete_details]).toEqual(['response.incomplete', { reason: 'max_output_tokens' }]);
    app.test.model.fail(new Error('no'), { after: ['Half'] });
    const failed = await caller.stream({ input: unlike('Hi') });
    expect(typesIn(failed.events)).toEqual([...LIFE, ...MESSAGE, 'failed']);
    expect(failed.events.at(-2).item.status).toBe('incomplete');
    expect(failed.response).toMatchObject({ status: 'failed', error: { code: expect.any(String), message: expect.any(String) } });
    expect((await caller.get(failed.response.id)).error).toEqual(failed.response.error);
  });

  it('leaves nothing without store', async () => {
    app.test.model.reply('Secret.');
    const { response } = await caller.stream({ input: unlike('Hi'), store: false });
    expect(saidIn(response)).toBe('Secret.');
    expect((await api.get(`/v1/responses/${response.id}`)).status).toBe(404);
  });
});

describe('a client that goes on from an event', () => {
  it('gets what it lacks, each event once, wherever it stopped', async () => {
    app.test.model.calls([{ name: 'LOOK_UP', input: {} }], 'I look it up. ').deltas(['It ', 'rains ', 'in Ulm', '.']);
    const { events, response } = await caller.stream({ input: unlike('Rain?') });
    for (const [index, { sequence_number: number }] of events.entries()) {
      const rest = index === events.length - 1 ? [] : (await caller.resume(response.id, number)).events;
      expect(joined([...events.slice(0, index + 1), ...rest]).map(({ response: _, ...event }) => event)).toEqual(
        joined(events).map(({ response: _, ...event }) => event),
      );
    }
    expect((await caller.resume(response.id)).events.at(-1).response.output).toEqual(response.output);
  });

  it('gets the rest of a piece of text', async () => {
    app.test.model.reply('Green tea.');
    const { events, response } = await caller.stream({ input: unlike('Tea?') });
    const piece = events.find(({ delta }) => delta !== undefined);
    const { events: rest } = await caller.resume(response.id, piece.sequence_number - 'tea.'.length);
    expect(rest[0]).toMatchObject({ type: 'response.output_text.delta', delta: 'tea.', sequence_number: piece.sequence_number });
  });

  it('goes on while the reply is written, and after a restart of the server', async () => {
    const gate = new Gate();
    app.test.model.deltas(['Green ', 'tea ', 'is good.'], { gate });
    const gone = new AbortController();
    gate.release();
    const opened = await caller.open({ input: unlike('Tea?') }, {}, gone.signal);
    const had = await whileTimePasses(readUntil(opened, 'Green'));
    gone.abort();
    const { id } = had[0].response;
    expect((await caller.get(id)).status).toBe('in_progress');
    const rest = caller.resume(id, had.at(-1).sequence_number);
    gate.open();
    const { events } = await rest;
    checkEvents([...had, ...events]);
    const whole = joined([...had, ...events]);
    expect(whole.find(({ delta }) => delta !== undefined).delta).toBe('Green tea is good.');
    await app.test.restart();
    app.useScriptedModel();
    const again = (await caller.resume(id, had.at(-1).sequence_number)).events;
    expect(joined([...had, ...again])).toEqual(whole);
  });

  it('is connected at once, also when nothing new has happened', async () => {
    const gate = new Gate();
    app.test.model.deltas(['Green ', 'tea.'], { gate });
    gate.release();
    const gone = new AbortController();
    const opened = await caller.open({ input: unlike('Tea?') }, {}, gone.signal);
    const had = await whileTimePasses(readUntil(opened, 'Green'));
    gone.abort();
    const native = opened.headers.get('content-location')!;
    const channel = await app.entries(opened.headers.get('x-conversation-id')!);
    const [rest, own] = await Promise.all([
      fetch(`${app.test.url}/v1/responses/${had[0].response.id}?stream=true&starting_after=${had.at(-1).sequence_number}`),
      fetch(`${app.test.url}${native}`, { headers: { 'Last-Event-ID': String(channel.at(-1)!.offset) } }),
    ]);
    gate.open();
    expect(eventsIn(await rest.text())[0]).toMatchObject({ delta: ' tea.' });
    expect(await own.text()).toMatch(/event: done/);
  });

  it('gets the same from what is stored when the pieces of text have been deleted', async () => {
    app.test.model.calls([{ name: 'LOOK_UP', input: {} }], 'I look it up. ').deltas([' It ', 'rains ', 'in Ulm', '.']);
    const { events, response } = await caller.stream({ input: unlike('Rain?') });
    const hour = 60 * 60_000;
    app.clock.advance(24 * hour);
    await sweep();
    for (const [index, { sequence_number: number }] of events.slice(0, -1).entries()) {
      const rest = (await caller.resume(response.id, number)).events;
      expect(joined([...events.slice(0, index + 1), ...rest])).toEqual([
        ...joined(events).slice(0, -1),
        { ...events.at(-1), response: { ...events.at(-1).response, usage: expect.anything() } },
      ]);
    }
    app.clock.advance(1000 * hour);
    await sweep();
    expect(joined((await caller.resume(response.id)).events)).toHaveLength(joined(events).length);
  });

  it('gets an error when it names no event, and no stream for a response that it does not have', async () => {
    app.test.model.reply('Yes.');
    const { id } = await caller.ask({ input: unlike('Hi') });
    expect((await api.get(`/v1/responses/${id}?stream=true&starting_after=x`)).body.error.param).toBe('starting_after');
    expect((await api.get(`/v1/responses/${id}?starting_after=3`)).body.error.param).toBe('starting_after');
    const unknown = await api.get(`/v1/responses/resp_${NOBODY.replaceAll('-', '')}?stream=true`);
    expect([unknown.status, unknown.body.error]).toMatchObject([404, { code: 'response_not_found', type: 'not_found_error' }]);
  });
});

describe('a response in the background', () => {
  it('is returned at once, and read later', async () => {
    const gate = new Gate();
    app.test.model.deltas(['Done.'], { gate });
    const begun = await caller.ask({ input: unlike('Work'), background: true, tools: [WEATHER] });
    expect(['queued', 'in_progress']).toContain(begun.status);
    expect(begun).toMatchObject({ background: true, output: [], usage: null, completed_at: null, tools: [{ name: 'get_weather' }] });
    const following = caller.resume(begun.id);
    gate.open();
    const { events, response } = await following;
    expect(typesIn(events)).toEqual(['created', 'queued', 'in_progress', ...MESSAGE, 'completed']);
    expect(saidIn(response)).toBe('Done.');
    expect(await caller.get(begun.id)).toEqual({ ...response, usage: null });
  });

  it('is cancelled', async () => {
    const gate = new Gate();
    app.test.model.deltas(['Never ', 'ending.'], { gate });
    const { id } = await caller.ask({ input: unlike('Work'), background: true });
    const opened = await fetch(`${app.test.url}/v1/responses/${id}?stream=true`);
    const reading = opened.text();
    gate.release();
    const { status, body } = await api.post(`/v1/responses/${id}/cancel`);
    expect([status, checked(body).status]).toEqual([200, 'cancelled']);
    const events = eventsIn(await reading);
    expect([events.at(-1), events.at(-2)]).toMatchObject(['[DONE]', { type: 'response.incomplete', response: { status: 'cancelled' } }]);
    expect((await caller.get(id)).status).toBe('cancelled');
    gate.open();
    app.test.model.reply('Yes.');
    const ended = await caller.ask({ input: unlike('Hi') });
    expect((await api.post(`/v1/responses/${ended.id}/cancel`)).body.status).toBe('completed');
  });

  it('is streamed, too', async () => {
    app.test.model.reply('Done.');
    const { events } = await caller.stream({ input: unlike('Work'), background: true });
    expect(typesIn(events)).toEqual(['created', 'queued', 'in_progress', ...MESSAGE, 'completed']);
  });
});

describe('a stored response', () => {
  it('is deleted with its message', async () => {
    app.test.model.reply('Yes.');
    const { id } = await caller.ask({ input: unlike('Hi') });
    expect((await api.delete(`/v1/responses/${id}`)).body).toEqual({ id, object: 'response', deleted: true });
    for (const path of ['', '/input_items']) expect((await api.get(`/v1/responses/${id}${path}`)).status).toBe(404);
    expect((await api.delete(`/v1/responses/${id}`)).body.error.code).toBe('response_not_found');
  });

  it('lists what its request sent, page by page', async () => {
    app.test.model.reply('Yes.');
    const said = ['One', 'Two', 'Three'].map(unlike);
    const { id } = await caller.ask({
      input: said.map((content, index) => ({ role: index === 1 ? 'assistant' : 'user', content })),
    });
    const path = `/v1/responses/${id}/input_items`;
    const { body } = await api.get(`${path}?order=asc`);
    expect(body.data.map(({ role, content }: Json) => [role, content[0].type, content[0].text])).toEqual([
      ['user', 'input_text', said[0]],
      ['assistant', 'output_text', said[1]],
      ['user', 'input_text', said[2]],
    ]);
    expect([body.object, body.has_more, body.first_id, body.last_id]).toEqual(['list', false, body.data[0].id, body.data[2].id]);
    const first = (await api.get(`${path}?limit=2`)).body;
    expect([first.has_more, first.data]).toEqual([true, [body.data[2], body.data[1]]]);
    expect((await api.get(`${path}?limit=2&after=${first.last_id}`)).body).toMatchObject({ has_more: false, data: [body.data[0]] });
    expect((await api.get(`${path}?limit=0`)).body.error.param).toBe('limit');
  });
});

/** Pieces of text are told at times. */
async function whileTimePasses<T>(reading: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = reading.finally(() => (state.isDone = true));
  while (!state.isDone) {
    app.clock.advance(30);
    await nextTurn();
  }
  return done;
}

async function sweep(): Promise<void> {
  await app.test.app.get(JournalRetention).sweep();
}
