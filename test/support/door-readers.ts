import type { Frame } from './cut-wire.js';

/** A call of a tool that the client runs. */
export interface ToldCall {
  readonly id: string;
  readonly name: string;
  /** JSON; undefined where a protocol does not tell it. */
  readonly input: string | undefined;
}

/** What a client has of a reply, in whatever protocol. */
export interface Told {
  /** Of the response or message. */
  readonly id: string;
  /** What the model said, call by call. */
  readonly texts: readonly string[];
  readonly calls: readonly ToldCall[];
  /** How it ended, once it has: `stop`, `tool-calls`, or what went wrong. */
  readonly end: string | undefined;
}

type Json = ReturnType<typeof JSON.parse>;

/** Puts a reply together as a client does. */
class Building {
  id = '';
  end: string | undefined;
  readonly calls: { id: string; name: string; input: string | undefined }[] = [];
  private readonly texts: string[];

  constructor({ texts = [], calls = [], end }: Partial<Told> = {}) {
    this.texts = [...texts];
    this.calls.push(...calls);
    this.end = end;
  }

  begin(): void {
    this.texts.push('');
  }

  say(text: string): void {
    if (this.texts.length === 0) this.begin();
    this.texts[this.texts.length - 1] += text;
  }

  /** Voids all that the model said in this call. */
  reset(): void {
    this.texts.pop();
    this.begin();
  }

  told(): Told {
    const { id, calls, end } = this;
    return { id, texts: this.texts.filter((text) => text !== ''), calls, end };
  }

  clear(): void {
    this.texts.splice(0);
    this.calls.splice(0);
    this.end = undefined;
  }
}

const dataOf = (frames: readonly Frame[]): Json[] => frames.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data));

/** Of chunks of Chat Completions. */
export function readChat(frames: readonly Frame[]): Told {
  const told = new Building();
  for (const { id, error, choices } of dataOf(frames)) {
    if (error) told.end = `error: ${error.code}`;
    if (error || !choices?.[0]) continue;
    const [{ delta, finish_reason: finish }] = choices;
    told.id = id;
    if (delta.content === '\n\n') told.begin();
    else if (delta.content) told.say(delta.content);
    for (const call of delta.tool_calls ?? []) {
      told.calls.push({ id: call.id, name: call.function.name, input: call.function.arguments });
    }
    if (finish) told.end = String(finish).replace('_', '-');
  }
  return told.told();
}

const ANTHROPIC_ENDS: Readonly<Record<string, string>> = { end_turn: 'stop', tool_use: 'tool-calls' };

/** Of events of Anthropic's Messages. */
export function readMessages(frames: readonly Frame[]): Told {
  const told = new Building();
  let end: string | undefined;
  for (const { type, message, content_block: block, delta, error } of dataOf(frames)) {
    if (type === 'message_start') told.id = message.id;
    else if (type === 'content_block_start' && block.type === 'text') told.begin();
    else if (type === 'content_block_start') told.calls.push({ id: block.id, name: block.name, input: '' });
    else if (type === 'content_block_delta' && delta.type === 'text_delta') told.say(delta.text);
    else if (type === 'content_block_delta') told.calls.at(-1)!.input += delta.partial_json;
    else if (type === 'message_delta') end = ANTHROPIC_ENDS[delta.stop_reason];
    else if (type === 'message_stop') told.end = end;
    else if (type === 'error') told.end = `error: ${error.details?.error_code ?? error.type}`;
  }
  return told.told();
}

/** Of events of OpenAI's Responses. @throws Error for an event that does not go on from those before it */
export function readResponse(frames: readonly Frame[]): Told {
  const items = new Map<string, { type: string; said: string; status: string; callId: string; name: string; isOther: boolean }>();
  const told = new Building();
  let last = -1;
  const fail = (why: string, event: Json): never => {
    throw new Error(`${why}: ${JSON.stringify(event)}`);
  };
  for (const event of dataOf(frames)) {
    if (event.sequence_number <= last && event.type !== 'error') fail('an event comes twice', event);
    last = event.sequence_number;
    const known = items.get(event.item_id ?? event.item?.id);
    if (event.response) told.id = event.response.id;
    if (event.type === 'response.output_item.added') {
      if (known) fail('an item begins twice', event);
      const { id, type, call_id: callId, name } = event.item;
      items.set(id, { type, said: '', status: 'in_progress', callId, name, isOther: false });
    } else if (event.item_id !== undefined && !known) fail('an item is missing', event);
    else if (event.delta !== undefined) known!.said += event.delta;
    else if (/(output_text|arguments)\.done$/.test(event.type)) {
      known!.isOther = known!.said !== (event.text ?? event.arguments);
    } else if (event.type === 'response.output_item.done') {
      known!.status = event.item.status;
      // Of a text that is void, the end may have been lost.
      if (known!.isOther && known!.status !== 'incomplete') fail(`text is missing or doubled in ${known!.said}`, event);
    } else if (event.type === 'response.completed') told.end = 'stop';
    else if (/failed|incomplete|^error/.test(event.type)) told.end = `error: ${JSON.stringify(event.response?.error ?? event)}`;
  }
  for (const { type, said, status, callId, name } of items.values()) {
    if (type === 'function_call') told.calls.push({ id: callId, name, input: said });
    else if (status !== 'incomplete') {
      told.begin();
      told.say(said);
    }
  }
  if (told.end === 'stop' && told.calls.length > 0) told.end = 'tool-calls';
  return told.told();
}

/** Of a UI message stream of the AI SDK. */
export function readUi(frames: readonly Frame[]): Told {
  const told = new Building();
  const ended = new Set<string>();
  const names = new Map<string, string>();
  for (const part of dataOf(frames)) {
    const { type, toolCallId: id } = part;
    if (type === 'start') told.id = part.messageId;
    else if (type === 'text-start') told.begin();
    else if (type === 'text-delta') told.say(part.delta);
    else if (type === 'tool-input-start') names.set(id, part.toolName);
    else if (type === 'tool-input-delta') told.calls.push({ id, name: names.get(id)!, input: part.inputTextDelta });
    else if (type === 'tool-input-available' && !part.providerExecuted) {
      told.calls.push({ id, name: part.toolName, input: JSON.stringify(part.input) });
    } else if (type.startsWith('tool-output')) ended.add(id);
    else if (type === 'finish') told.end = part.finishReason;
    else if (type === 'error') told.end = `error: ${part.errorText}`;
  }
  return told.told();
}

/** The part of a reply's native stream until it ends or waits for results. @param had what the client had up to the cursor */
export function readNative(frames: readonly Frame[], had?: Told): Told {
  const told = new Building(had);
  // A text that comes from its beginning is another one only behind an action.
  let hasActed = false;
  for (const { event, data } of frames) {
    const { text, reset, replyId, calls, message } = JSON.parse(data);
    told.id = replyId ?? told.id;
    if (event === 'resumed') told.clear();
    if (told.end !== undefined) continue;
    if (event?.startsWith('action.')) hasActed = true;
    else if (event === 'chunk') {
      if (reset && hasActed) told.begin();
      else if (reset) told.reset();
      told.say(text);
      hasActed = false;
    } else if (event === 'suspended') {
      for (const { id, name } of calls) told.calls.push({ id, name, input: undefined });
      told.end = 'tool-calls';
    } else if (event === 'message' || event === 'done') {
      const said = told.told().texts.at(-1) ?? '';
      told.end = said.trim() === text ? 'stop' : `the reply has another text: ${text}`;
    } else if (event === 'error') told.end = `error: ${message}`;
    else if (event === 'gap') told.end = 'gap';
  }
  return told.told();
}
