import { expect } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import type { ApiResponse } from '../../support/api-client.js';
import type { ContractApp } from './contract-app.js';

// The shapes of Open Responses of 24 April 2026: what its clients rely on, with all fields that it requires.

/** What came as JSON, which tests look at field by field. */
export type Json = ReturnType<typeof JSON.parse>;

type Schema = Record<string, unknown>;

const text = { type: 'string' };
const integer = { type: 'integer' };
const either = (...anyOf: Schema[]): Schema => ({ anyOf });
const orNull = (schema: Schema): Schema => either(schema, { type: 'null' });
const list = (items: Schema): Schema => ({ type: 'array', items });
const only = (value: string): Schema => ({ const: value });

/** An object with exactly these fields; those with `?` may be absent. */
function object(fields: Record<string, Schema>): Schema {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), fields[name]!])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

const annotation = either(
  object({ type: only('url_citation'), url: text, title: text, start_index: integer, end_index: integer }),
  object({ type: only('file_citation'), file_id: text, filename: text, index: integer }),
);
const outputText = object({ type: only('output_text'), text, annotations: list(annotation), logprobs: { type: 'array', maxItems: 0 } });
const summaryText = object({ type: only('summary_text'), text });
const status = { enum: ['in_progress', 'completed', 'incomplete'] };
const item = either(
  object({
    type: only('message'),
    id: { type: 'string', pattern: '^msg_[0-9a-f]{32}_\\d+_\\d+' },
    ...{ status, role: only('assistant'), content: list(outputText), 'phase?': { enum: ['commentary', 'final_answer'] } },
  }),
  object({
    type: only('function_call'),
    id: { type: 'string', pattern: '^fc_[0-9a-f]{32}_\\d+$' },
    call_id: { type: 'string', pattern: '^call_[0-9a-f]{32}_\\d+$' },
    ...{ name: text, arguments: text, status },
  }),
  object({ type: only('reasoning'), id: { type: 'string', pattern: '^rs_[0-9a-f]{32}_\\d+_\\d+$' }, summary: list(summaryText) }),
);
const tool = object({
  type: only('function'),
  name: text,
  description: orNull(text),
  parameters: { type: 'object' },
  strict: orNull({ type: 'boolean' }),
});
const mode = { enum: ['none', 'auto', 'required'] };
const namedFunction = object({ type: only('function'), name: text });
const response = object({
  id: { type: 'string', pattern: '^resp_[0-9a-f]{32}(_\\d+)?$' },
  object: only('response'),
  created_at: { type: 'integer', maximum: 1e11 },
  completed_at: orNull({ type: 'integer', maximum: 1e11 }),
  status: { enum: ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] },
  incomplete_details: orNull(object({ reason: { enum: ['max_output_tokens', 'content_filter'] } })),
  model: text,
  previous_response_id: orNull(text),
  instructions: orNull(text),
  output: list(item),
  error: orNull(object({ code: text, message: text })),
  tools: list(tool),
  tool_choice: either(mode, namedFunction, object({ type: only('allowed_tools'), tools: list(namedFunction), mode })),
  truncation: { enum: ['auto', 'disabled'] },
  parallel_tool_calls: { type: 'boolean' },
  text: object({ format: { type: 'object', required: ['type'] }, 'verbosity?': { enum: ['low', 'medium', 'high'] } }),
  top_p: { type: 'number' },
  presence_penalty: { type: 'number' },
  frequency_penalty: { type: 'number' },
  top_logprobs: integer,
  temperature: { type: 'number' },
  reasoning: object({
    effort: orNull({ enum: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] }),
    summary: orNull({ enum: ['concise', 'detailed', 'auto'] }),
  }),
  usage: orNull(
    object({
      ...{ input_tokens: integer, output_tokens: integer, total_tokens: integer },
      input_tokens_details: object({ cached_tokens: integer }),
      output_tokens_details: object({ reasoning_tokens: integer }),
    }),
  ),
  max_output_tokens: orNull(integer),
  max_tool_calls: orNull(integer),
  store: { type: 'boolean' },
  background: { type: 'boolean' },
  service_tier: text,
  metadata: { type: 'object', additionalProperties: text },
  safety_identifier: orNull(text),
  prompt_cache_key: orNull(text),
  // Of OpenAI's own protocol.
  conversation: orNull(object({ id: { type: 'string', pattern: '^conv_[0-9a-f]{32}$' } })),
  prompt: { type: 'null' },
  prompt_cache_retention: orNull(text),
  user: orNull(text),
});

const inItem = { item_id: text, output_index: integer };
const inPart = { ...inItem, content_index: integer };
const inSummary = { ...inItem, summary_index: integer };
const EVENTS: Record<string, Record<string, Schema>> = {
  'response.created': { response },
  'response.queued': { response },
  'response.in_progress': { response },
  'response.completed': { response },
  'response.incomplete': { response },
  'response.failed': { response },
  'response.output_item.added': { output_index: integer, item },
  'response.output_item.done': { output_index: integer, item },
  'response.content_part.added': { ...inPart, part: outputText },
  'response.content_part.done': { ...inPart, part: outputText },
  'response.output_text.delta': { ...inPart, delta: { type: 'string', minLength: 1 }, logprobs: { type: 'array' } },
  'response.output_text.done': { ...inPart, text, logprobs: { type: 'array' } },
  'response.output_text.annotation.added': { ...inPart, annotation_index: integer, annotation },
  'response.reasoning_summary_part.added': { ...inSummary, part: summaryText },
  'response.reasoning_summary_part.done': { ...inSummary, part: summaryText },
  'response.reasoning_summary_text.delta': { ...inSummary, delta: { type: 'string', minLength: 1 } },
  'response.reasoning_summary_text.done': { ...inSummary, text },
  'response.function_call_arguments.delta': { ...inItem, delta: text },
  'response.function_call_arguments.done': { ...inItem, name: text, arguments: text },
};

const ajv = new Ajv({ strict: false, allErrors: true });
const validResponse = ajv.compile(response);
const validEvents = new Map(
  Object.entries(EVENTS).map(([type, fields]) => [type, ajv.compile(object({ type: only(type), sequence_number: integer, ...fields }))]),
);

function assertValid(validate: ValidateFunction, value: unknown): void {
  if (!validate(value)) throw new Error(`${ajv.errorsText(validate.errors, { separator: '\n' })}\n${JSON.stringify(value, null, 2)}`);
}

/** A function that the caller runs. */
export const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'Of a town.',
  parameters: { type: 'object', properties: { town: { type: 'string' } } },
};

/** A stream, of which each event has been checked. */
export interface ResponseStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: Json[];
  /** The response in the last event. */
  readonly response: Json;
}

/** Calls `/v1/responses` and checks all that comes back. */
export class ResponsesCaller {
  constructor(private readonly app: ContractApp) {}

  /** A response that has to be there. */
  async ask(body: object, headers: Record<string, string> = {}): Promise<Json> {
    const answer = await this.send(body, headers);
    expect(answer).toMatchObject({ status: 200 });
    return checked(answer.body);
  }

  send(body: object, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.app.api.post('/v1/responses', { model: 'Ada', ...body }, { headers });
  }

  /** Roles and contents of the last prompt behind the system's. */
  prompted = (): Json[][] =>
    this.app.test.model.requests
      .at(-1)!
      .messages.slice(1)
      .map(({ role, content }) => [role, content]);

  async get(id: string): Promise<Json> {
    const answer = await this.app.api.get(`/v1/responses/${id}`);
    expect(answer).toMatchObject({ status: 200 });
    return checked(answer.body);
  }

  async stream(body: object, headers: Record<string, string> = {}): Promise<ResponseStream> {
    return read(await this.open(body, headers));
  }

  open(body: object, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.app.test.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'Ada', stream: true, ...body }),
      ...(signal && { signal }),
    });
  }

  /** The events of a stored response behind one. */
  async resume(id: string, after?: number): Promise<ResponseStream> {
    const query = after === undefined ? '' : `&starting_after=${after}`;
    return read(await fetch(`${this.app.test.url}/v1/responses/${id}?stream=true${query}`));
  }
}

export function checked<T>(body: T): T {
  assertValid(validResponse, body);
  return body;
}

async function read(response: Response): Promise<ResponseStream> {
  const frames = eventsIn(await response.text());
  expect(frames.at(-1)).toBe('[DONE]');
  const events = frames.slice(0, -1);
  checkEvents(events);
  return { status: response.status, headers: response.headers, events, response: events.at(-1).response };
}

/** The data of the events in a text, as it came. */
export function eventsIn(body: string): Json[] {
  const frames = body.split('\n\n').filter((frame) => frame.includes('data: '));
  return frames.map((frame) => {
    const data = /^data: (.*)$/m.exec(frame)![1]!;
    if (data === '[DONE]') return data;
    const event = JSON.parse(data);
    expect(/^event: (.*)$/m.exec(frame)?.[1]).toBe(event.type);
    return event;
  });
}

/** Checks the shape of each event, that the numbers rise, and that the events of an item are inside it. */
export function checkEvents(events: readonly Json[]): void {
  const open = new Map<number, string>();
  let number = -1;
  for (const event of events) {
    const validate = validEvents.get(event.type);
    if (!validate) throw new Error(`unknown event ${JSON.stringify(event)}`);
    assertValid(validate, event);
    expect(event.sequence_number).toBeGreaterThan(number);
    number = event.sequence_number;
    if (event.type === 'response.output_item.added') open.set(event.output_index, event.item.id);
    else if (event.item_id !== undefined && open.has(event.output_index)) expect(open.get(event.output_index)).toBe(event.item_id);
  }
}

/** What a reader of events has in the end: the texts of items joined, and all else as it came. */
export function joined(events: readonly Json[]): Json[] {
  const all: Json[] = [];
  for (const event of events) {
    const last = all.at(-1);
    const goesOn = event.delta !== undefined && last?.type === event.type && last.item_id === event.item_id;
    if (goesOn) all[all.length - 1] = { ...last, delta: last.delta + event.delta, sequence_number: event.sequence_number };
    else all.push(event);
  }
  return all;
}

/** What a response says, without what was said on the way. */
export function saidIn({ output }: { output: Json[] }): string {
  return output
    .filter(({ type, phase }) => type === 'message' && phase !== 'commentary')
    .flatMap(({ content }) => content.map((part: { text: string }) => part.text))
    .join('');
}

export function message(role: string, content: unknown): object {
  return { type: 'message', role, content };
}

/** What a function of the caller returned. */
export function output(callId: string, result: unknown): object {
  return { type: 'function_call_output', call_id: callId, output: result };
}
