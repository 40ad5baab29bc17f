import {
  dataUrlAt,
  filledTextAt,
  inputOf,
  listAt,
  objectAt,
  refuseField,
  textAt,
  type ProtocolMessage,
  type SentFile,
} from '../../modules/protocols/index.js';
import type { SentCall } from '../../modules/turns/index.js';

/** What a request sends of a conversation. */
export interface ResponsesInput {
  readonly messages: readonly ProtocolMessage[];
  /** Of messages of the system and the developer. */
  readonly instructions: readonly string[];
}

/** What an item stands for; undefined for one that does not count, such as reasoning. */
export type ReferencedItem = ProtocolMessage | undefined;

type Sent = Readonly<Record<string, unknown>>;
type Entry = ProtocolMessage | { readonly role: 'system'; readonly text: string };

/**
 * Reads the field `input` of a request, or the field `items` of a conversation.
 *
 * @param refer finds an item that is named by its id; 'unknown' for one that the caller does not have
 * @throws AppError VALIDATION_ERROR naming the field
 */
export async function readResponsesInput(
  sent: string | readonly unknown[],
  refer: (id: string) => Promise<ReferencedItem | 'unknown'>,
  field = 'input',
): Promise<ResponsesInput> {
  if (typeof sent === 'string') return { messages: [{ role: 'user', text: filledTextAt(sent, field) }], instructions: [] };
  const entries: Entry[] = [];
  for (const [index, value] of sent.entries()) {
    const path = `${field}[${index}]`;
    const item = objectAt(value, path);
    if (isReference(item)) {
      const found = await refer(filledTextAt(item['id'], `${path}.id`));
      if (found === 'unknown') refuseField(`${path}.id`, 'is not the id of an item that this server has', 'Send the item itself.');
      if (found) entries.push(found);
    } else entries.push(...readItem(item, path));
  }
  const instructions = entries.flatMap((entry) => (entry.role === 'system' ? [entry.text] : []));
  return { messages: named(joined(entries.flatMap((entry) => (entry.role === 'system' ? [] : [entry])))), instructions };
}

function isReference(item: Sent): boolean {
  const { type, role, id } = item;
  return type === 'item_reference' || ((type === undefined || type === null) && role === undefined && id !== undefined);
}

function readItem(item: Sent, path: string): Entry[] {
  switch (item['type'] ?? 'message') {
    case 'message':
      return [readMessage(item, path)];
    case 'function_call': {
      const id = filledTextAt(item['call_id'], `${path}.call_id`);
      const input = inputOf(textAt(item['arguments'] ?? '{}', `${path}.arguments`));
      return [{ role: 'assistant', text: '', calls: [{ id, name: filledTextAt(item['name'], `${path}.name`), input }] }];
    }
    case 'function_call_output': {
      const callId = filledTextAt(item['call_id'], `${path}.call_id`);
      return [{ role: 'tool', callId, name: '', text: readOutput(item['output'], `${path}.output`) }];
    }
    case 'reasoning':
      return [];
    default:
      return refuseField(`${path}.type`, 'must be message, function_call, function_call_output, reasoning or item_reference');
  }
}

function readMessage(item: Sent, path: string): Entry {
  const { role, content } = item;
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', text: wordsOf(content, `${path}.content`) };
    case 'assistant':
      return { role: 'assistant', text: wordsOf(content, `${path}.content`) };
    case 'user':
      return readUser(content, `${path}.content`);
    default:
      return refuseField(`${path}.role`, 'must be system, developer, user or assistant');
  }
}

function readUser(content: unknown, path: string): ProtocolMessage {
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : listAt(content, path);
  const texts: string[] = [];
  const files: SentFile[] = [];
  for (const [index, value] of parts.entries()) {
    const at = `${path}[${index}]`;
    const part = objectAt(value, at);
    if (isText(part)) texts.push(textAt(part['text'], `${at}.text`));
    else files.push(readFile(part, at));
  }
  const text = texts.join('\n');
  if (text.trim() === '' && files.length === 0) refuseField(path, 'must not be empty');
  return { role: 'user', text, ...(files.length > 0 && { files }) };
}

function readFile(part: Sent, path: string): SentFile {
  const { type, file_id: id, filename: name } = part;
  if (type !== 'input_image' && type !== 'input_file') {
    if (type !== 'input_audio') return refuseField(`${path}.type`, 'must be input_text, input_image or input_file');
    return refuseField(`${path}.type`, 'must not be input_audio', 'Send speech to POST /v1/audio/transcriptions, and its text here.');
  }
  if (id !== undefined && id !== null) refuseField(`${path}.file_id`, 'is not supported', 'Send the content itself.');
  if (type === 'input_image') return { url: dataUrlAt(part['image_url'], `${path}.image_url`) };
  if (part['file_url'] !== undefined && part['file_url'] !== null) {
    refuseField(
      `${path}.file_url`,
      'is not supported',
      'This server does not load files from addresses that a caller names. Send file_data.',
    );
  }
  const data = textAt(part['file_data'], `${path}.file_data`);
  const isBare = /^[\w+/-]+={0,2}$/.test(data);
  const url = isBare ? `data:application/octet-stream;base64,${data}` : dataUrlAt(data, `${path}.file_data`);
  return { url, ...(typeof name === 'string' && { name }) };
}

/** The output of a function: a text, or the texts of parts. */
function readOutput(output: unknown, path: string): string {
  if (typeof output === 'string') return textAt(output, path);
  const parts = listAt(output, path).map((value, index) => {
    const part = objectAt(value, `${path}[${index}]`);
    if (!isText(part)) {
      refuseField(`${path}[${index}].type`, 'must be input_text', 'Models of agents get the outputs of functions as texts.');
    }
    return textAt(part['text'], `${path}[${index}].text`);
  });
  return parts.join('\n');
}

/** A text, or the texts of parts. */
function wordsOf(content: unknown, path: string): string {
  if (typeof content === 'string') return textAt(content, path);
  const parts = listAt(content, path).map((value, index) => {
    const part = objectAt(value, `${path}[${index}]`);
    if (part['type'] === 'refusal') return textAt(part['refusal'], `${path}[${index}].refusal`);
    if (!isText(part)) refuseField(`${path}[${index}].type`, 'must be input_text or output_text');
    return textAt(part['text'], `${path}[${index}].text`);
  });
  return parts.join('\n');
}

function isText({ type }: Sent): boolean {
  return type === 'input_text' || type === 'output_text' || type === 'text';
}

/** Calls belong to what the assistant said before them, which is one message for a model. */
function joined(messages: readonly ProtocolMessage[]): ProtocolMessage[] {
  const all: ProtocolMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (message.role === 'assistant' && message.calls && message.text === '' && last?.role === 'assistant') {
      all[all.length - 1] = { ...last, calls: [...(last.calls ?? []), ...message.calls] };
    } else all.push(message);
  }
  return all;
}

/** Outputs with the names of their functions. */
function named(messages: readonly ProtocolMessage[]): ProtocolMessage[] {
  const calls = messages.flatMap((message): readonly SentCall[] => (message.role === 'assistant' ? (message.calls ?? []) : []));
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  return messages.map((message) => (message.role === 'tool' ? { ...message, name: names.get(message.callId) ?? 'tool' } : message));
}
