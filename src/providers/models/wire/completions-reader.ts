import type { ChatReasoning, ChatUsage } from '../chat-model.js';
import { StreamError } from '../../sdk/index.js';
import { finishReason } from './finish-reasons.js';
import { MessageReader } from './message-reader.js';
import { ReasoningDetails } from './reasoning-details.js';
import { countOf, fieldsOf, isFields, listOf, textOf, type Fields } from './values.js';

/** Reads the chunks of chat completions, and whole completions, of OpenAI and the services that are compatible with it. */
export class CompletionsReader extends MessageReader {
  private readonly details = new ReasoningDetails();
  /** Reasoning under the name of its field. */
  private readonly named: Record<'reasoning_content' | 'reasoning', string> = { reasoning_content: '', reasoning: '' };
  /** Reasoning in parts of the content. */
  private thinking = '';

  override read(payload: unknown): void {
    if (!isFields(payload)) return;
    const { choices, model } = payload;
    if (typeof model === 'string' && model !== '') this.model = model;
    this.readUsage(payload);
    const choice = listOf(choices).find((each): each is Fields => isFields(each) && (each['index'] ?? 0) === 0);
    if (choice !== undefined) this.readChoice(choice);
    if (isFailure(payload)) this.fail(new StreamError(payload));
    else if (this.reason === 'error') this.fail(new StreamError({ message: `finish_reason ${textOf(choice?.['finish_reason'])}` }));
  }

  protected override fields(): ChatReasoning['fields'] {
    const { reasoning_content: content, reasoning } = this.named;
    const details = this.details.all();
    const fields = {
      ...(content === '' ? {} : { reasoning_content: content }),
      ...(reasoning === '' || content !== '' ? {} : { reasoning }),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      ...(this.thinking === '' ? {} : { content: [{ type: 'thinking', thinking: [{ type: 'text', text: this.thinking }] }] }),
    };
    return Object.keys(fields).length === 0 ? undefined : fields;
  }

  private readChoice(choice: Fields): void {
    const delta = choice['delta'] ?? choice['message'] ?? { content: choice['text'] };
    if (isFields(delta)) this.readDelta(delta);
    this.reason = finishReason(choice['finish_reason']) ?? this.reason;
  }

  /** Reasoning precedes the text, and the text precedes the calls. */
  private readDelta(delta: Fields): void {
    this.readReasoning(delta);
    this.readContent(delta['content']);
    this.refusal += textOf(delta['refusal']);
    for (const piece of listOf(delta['tool_calls'])) this.calls.add(piece);
    const { function_call: legacy } = delta;
    if (isFields(legacy)) this.calls.add({ index: 0, function: legacy });
  }

  private readReasoning({ reasoning_content: content, reasoning, reasoning_details: details }: Fields): void {
    const detailed = this.details.add(listOf(details));
    const [name, text] = isGiven(content)
      ? (['reasoning_content', wordsOf(content)] as const)
      : (['reasoning', wordsOf(reasoning)] as const);
    if (text !== '') {
      this.named[name] += text;
      this.addReasoning(text);
    } else if (detailed !== '') this.addReasoning(detailed);
  }

  private readContent(content: unknown): void {
    if (typeof content === 'string') {
      if (content !== '') this.addText(content);
      return;
    }
    for (const part of listOf(content)) {
      if (typeof part === 'string') this.addText(part);
      else if (isFields(part)) this.readPart(part);
    }
  }

  private readPart(part: Fields): void {
    const { type, text, thinking } = part;
    if (type !== 'thinking' && type !== 'reasoning') {
      this.addText(textOf(text));
      return;
    }
    const thought = wordsOf(thinking ?? text);
    this.thinking += thought;
    this.addReasoning(thought);
  }

  private readUsage({ usage, x_groq: groq, timings }: Fields): void {
    const counted = usageOf(usage) ?? usageOf(fieldsOf(groq)['usage']) ?? timingsOf(timings);
    if (counted !== undefined) this.usage = counted;
  }
}

/** The words of reasoning: a text, parts with texts, or an object with one. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsOf).join('');
  const { text, content } = fieldsOf(value);
  return textOf(text ?? content);
}

function usageOf(value: unknown): ChatUsage | undefined {
  if (!isFields(value)) return undefined;
  const inputTokens = countOf(value['prompt_tokens'] ?? value['input_tokens']);
  const outputTokens = countOf(value['completion_tokens'] ?? value['output_tokens']);
  return inputTokens === undefined && outputTokens === undefined ? undefined : { inputTokens, outputTokens };
}

/** llama.cpp: tokens of the prompt that were not cached, and those that were. */
function timingsOf(value: unknown): ChatUsage | undefined {
  if (!isFields(value)) return undefined;
  const read = countOf(value['prompt_n']);
  const outputTokens = countOf(value['predicted_n']);
  if (read === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: read === undefined ? undefined : read + (countOf(value['cache_n']) ?? 0), outputTokens };
}

/** Errors come under several names, also beside choices; an empty one is none. */
function isFailure(payload: Fields): boolean {
  const { error, error_message: message, object, choices, detail } = payload;
  if (isGiven(error) && error !== '' && error !== false && !isEmpty(error)) return true;
  if (textOf(message) !== '' || object === 'error') return true;
  if (choices !== undefined) return false;
  return isGiven(detail) || (typeof payload['message'] === 'string' && (isGiven(payload['code']) || isGiven(payload['type'])));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
