import type { ChatReasoning } from '../chat-model.js';
import { StreamError } from '../../sdk/index.js';
import { finishReason } from './finish-reasons.js';
import { MessageReader } from './message-reader.js';
import { countOf, fieldsOf, isFields, listOf, textOf, type Fields } from './values.js';

/** A block of thoughts, which Anthropic expects back as it sent it. */
type Thought = { type: 'thinking'; thinking: string; signature: string } | { type: 'redacted_thinking'; data: unknown };

/** Reads the events of Anthropic's messages, and whole messages. */
export class AnthropicReader extends MessageReader {
  private readonly blocks: Thought[] = [];
  private input: number | undefined;
  private output: number | undefined;
  /** Types of the blocks by their index. */
  private readonly types = new Map<unknown, string>();
  private latest: unknown;

  override read(payload: unknown): void {
    if (!isFields(payload)) return;
    const { type } = payload;
    if (type === 'message_start') this.readMessage(fieldsOf(payload['message']));
    else if (type === 'message') {
      this.readMessage(payload);
      this.done();
    } else if (type === 'content_block_start') this.open(payload['index'], fieldsOf(payload['content_block']));
    else if (type === 'content_block_delta') this.readDelta(payload['index'] ?? this.latest, fieldsOf(payload['delta']));
    else if (type === 'message_delta') this.readEnd(fieldsOf(payload['delta']), payload['usage']);
    else if (type === 'message_stop') this.done();
    else if (type === 'error' || (type === undefined && payload['error'] !== undefined)) this.fail(new StreamError(payload));
  }

  protected override fields(): ChatReasoning['fields'] {
    return this.blocks.length === 0 ? undefined : { content: this.blocks };
  }

  private readMessage(message: Fields): void {
    const { model, usage, content } = message;
    if (typeof model === 'string' && model !== '') this.model = model;
    this.readUsage(usage);
    for (const [index, block] of listOf(content).entries()) this.open(index, fieldsOf(block));
    this.readEnd(message, undefined);
  }

  private open(index: unknown, block: Fields): void {
    const type = textOf(block['type']);
    this.types.set(index, type);
    this.latest = index;
    if (type === 'text') this.addText(textOf(block['text']));
    else if (type === 'thinking') {
      this.blocks.push({ type, thinking: '', signature: '' });
      this.think(textOf(block['thinking']), textOf(block['signature']));
    } else if (type === 'redacted_thinking') this.blocks.push({ type, data: block['data'] });
    else if (type === 'tool_use') {
      const { id, name, input } = block;
      // An empty object stands for the pieces that follow.
      const given = isFields(input) && Object.keys(input).length > 0 ? input : undefined;
      this.calls.add({ index, id, function: { name, arguments: given } });
    }
  }

  private readDelta(index: unknown, delta: Fields): void {
    const { type } = delta;
    if (type === 'text_delta') this.addText(textOf(delta['text']));
    else if (type === 'thinking_delta') this.think(textOf(delta['thinking']), '');
    else if (type === 'signature_delta') this.think('', textOf(delta['signature']));
    else if (type === 'input_json_delta' && this.types.get(index) === 'tool_use') {
      this.calls.add({ index, function: { arguments: delta['partial_json'] } });
    }
  }

  private think(words: string, signature: string): void {
    const thought = this.blocks.at(-1);
    if (thought?.type === 'thinking') {
      thought.thinking += words;
      thought.signature += signature;
    }
    this.addReasoning(words);
  }

  private readEnd({ stop_reason: stop, stop_details: details }: Fields, usage: unknown): void {
    this.readUsage(usage);
    this.reason = stop === 'pause_turn' ? 'other' : (finishReason(stop) ?? this.reason);
    this.refusal += textOf(fieldsOf(details)['explanation']);
  }

  private readUsage(usage: unknown): void {
    if (!isFields(usage)) return;
    const parts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map((name) => countOf(usage[name]));
    // The last event counts only the output, or repeats the input.
    if (parts[0] !== undefined) this.input = parts.reduce<number>((sum, count = 0) => sum + count, 0);
    this.output = countOf(usage['output_tokens']) ?? this.output;
    this.usage = { inputTokens: this.input, outputTokens: this.output };
  }
}
