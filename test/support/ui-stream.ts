// Reads a UI message stream of the AI SDK (version 1) as strictly as its description allows: each part with its fields, and their order.

/** A part of a stream or of a message; looked at field by field in tests. */
type Fields = Readonly<Record<string, unknown>>;
type Loose = Record<string, ReturnType<typeof JSON.parse>>;

/** What a stream makes of a message. */
export interface UiMessage {
  readonly id: string;
  readonly role: 'assistant';
  readonly metadata: Fields;
  readonly parts: Loose[];
  readonly finishReason: string | undefined;
  readonly error: string | undefined;
  /** Types of the parts as they came, deltas of one text only once. */
  readonly types: string[];
  /** Calls that a client runs. */
  readonly toRun: { id: string; name: string; input: unknown }[];
}

type Kind = 'text' | 'flag' | 'any' | 'record';
const IS: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  any: () => true,
  record: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Fields of the types of parts; those that end with `?` may be missing. */
const TYPES: Record<string, Record<string, Kind>> = {
  start: { 'messageId?': 'text', 'messageMetadata?': 'record' },
  'start-step': {},
  'finish-step': {},
  'text-start': { id: 'text' },
  'text-delta': { id: 'text', delta: 'text' },
  'text-end': { id: 'text' },
  'reasoning-start': { id: 'text' },
  'reasoning-delta': { id: 'text', delta: 'text' },
  'reasoning-end': { id: 'text' },
  'tool-input-start': { toolCallId: 'text', toolName: 'text', 'dynamic?': 'flag', 'providerExecuted?': 'flag' },
  'tool-input-delta': { toolCallId: 'text', inputTextDelta: 'text' },
  'tool-input-available': { toolCallId: 'text', toolName: 'text', input: 'any', 'dynamic?': 'flag', 'providerExecuted?': 'flag' },
  'tool-output-available': { toolCallId: 'text', output: 'any', 'dynamic?': 'flag', 'providerExecuted?': 'flag' },
  'tool-output-error': { toolCallId: 'text', errorText: 'text', 'dynamic?': 'flag', 'providerExecuted?': 'flag' },
  'source-url': { sourceId: 'text', url: 'text', 'title?': 'text', 'providerMetadata?': 'record' },
  'source-document': { sourceId: 'text', mediaType: 'text', title: 'text', 'filename?': 'text', 'providerMetadata?': 'record' },
  finish: { 'finishReason?': 'text', 'messageMetadata?': 'record' },
  abort: { 'reason?': 'text' },
  error: { errorText: 'text' },
};
const REASONS = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'];

/** @throws Error for a part that the protocol does not have, or not there */
export function readUiStream(text: string): UiMessage {
  const reader = new UiStreamReader();
  const lines = [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => line!);
  if (lines.at(-1) !== '[DONE]') throw new Error(`the stream does not end with [DONE]: ${text}`);
  for (const line of lines.slice(0, -1)) reader.take(JSON.parse(line) as Fields);
  return reader.end();
}

class UiStreamReader {
  private readonly parts: Loose[] = [];
  private readonly open = new Map<string, Loose>();
  private readonly calls = new Map<string, Loose>();
  private readonly types: string[] = [];
  private readonly toRun: UiMessage['toRun'] = [];
  private metadata: Fields = {};
  private id = '';
  private inStep = false;
  private last: Fields | undefined;

  take(chunk: Fields): void {
    const type = String(chunk['type']);
    this.check(type, chunk);
    if (this.types.at(-1) !== type || !type.endsWith('-delta')) this.types.push(type);
    if (type === 'start') {
      this.id = (chunk['messageId'] as string | undefined) ?? '';
      this.add(chunk['messageMetadata']);
    } else if (type === 'start-step') this.parts.push({ type: 'step-start' });
    else if (/^(text|reasoning)-/.test(type)) this.write(type, chunk);
    else if (type.startsWith('tool-')) this.call(type, chunk);
    else if (type.startsWith('source-')) this.parts.push(chunk);
    else if (type === 'finish' || type === 'abort' || type === 'error') {
      this.last = chunk;
      this.add(chunk['messageMetadata']);
    }
  }

  end(): UiMessage {
    if (!this.last || this.inStep || this.open.size > 0) throw new Error(`the stream breaks off: ${this.types.join(' ')}`);
    const { finishReason, errorText } = this.last as { finishReason?: string; errorText?: string };
    const { id, metadata, parts, types, toRun } = this;
    return { id, role: 'assistant', metadata, parts, finishReason, error: errorText, types, toRun };
  }

  private check(type: string, chunk: Fields): void {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${JSON.stringify(chunk)} behind ${this.types.join(' ')}`);
    };
    const fields = TYPES[type] ?? fail('an unknown part');
    for (const [name, kind] of Object.entries(fields)) {
      const value = chunk[name.replace('?', '')];
      if (value === undefined ? !name.endsWith('?') : !IS[kind](value)) fail(`${name} is wrong`);
    }
    const other = Object.keys(chunk).find((name) => name !== 'type' && !(name in fields) && !(`${name}?` in fields));
    if (other !== undefined) fail(`${other} is unknown`);
    if (this.last) fail('a part behind the end');
    if ((type === 'start') !== (this.types.length === 0)) fail('start has to be the first part');
    if (type === 'finish' && !REASONS.includes(String(chunk['finishReason']))) fail('an unknown reason');
    const isContent = /^(text|reasoning|tool|source)-/.test(type);
    if (isContent && !this.inStep) fail('a part outside of a step');
    if (type === 'start-step' || type === 'finish-step') {
      if (this.inStep === (type === 'start-step') || this.open.size > 0) fail('a step where none can be');
      this.inStep = type === 'start-step';
    }
  }

  private write(type: string, chunk: Fields): void {
    const [kind, what] = type.split('-') as ['text' | 'reasoning', string];
    const key = `${kind} ${String(chunk['id'])}`;
    const known = this.open.get(key);
    if ((what === 'start') === (known !== undefined)) throw new Error(`${key}: ${what} is out of order`);
    if (what === 'start') {
      const part = { type: kind, text: '', state: 'streaming' };
      this.open.set(key, part);
      this.parts.push(part);
    } else if (what === 'delta') known!['text'] += String(chunk['delta']);
    else {
      known!['state'] = 'done';
      this.open.delete(key);
    }
  }

  private call(type: string, chunk: Fields): void {
    const { toolCallId, toolName, dynamic, providerExecuted, input, output, errorText, inputTextDelta } = chunk;
    const id = String(toolCallId);
    const known = this.calls.get(id);
    if (type === 'tool-input-start' || (type === 'tool-input-available' && !known)) {
      if (known) throw new Error(`the call ${id} begins twice`);
      const named = dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${String(toolName)}` };
      const part = { ...named, toolCallId, state: 'input-streaming', ...(providerExecuted !== undefined && { providerExecuted }) };
      this.calls.set(id, part);
      this.parts.push(part);
    }
    const part = this.calls.get(id);
    if (!part || String(part['state']).startsWith('output')) throw new Error(`${type} of the call ${id} is out of order`);
    if (type === 'tool-input-delta') part['input'] = JSON.parse(String(inputTextDelta));
    else if (type === 'tool-input-available') {
      Object.assign(part, { state: 'input-available', input });
      if (!providerExecuted) this.toRun.push({ id, name: String(toolName), input });
    } else if (type === 'tool-output-available') Object.assign(part, { state: 'output-available', output });
    else if (type === 'tool-output-error') Object.assign(part, { state: 'output-error', errorText });
    // Version 5 looks for the part by this field.
    const isDynamic = part['type'] === 'dynamic-tool';
    if (type.startsWith('tool-output') && (dynamic === true) !== isDynamic) throw new Error(`${id}: dynamic is wrong`);
  }

  private add(metadata: unknown): void {
    this.metadata = { ...this.metadata, ...(metadata as Fields | undefined) };
  }
}
