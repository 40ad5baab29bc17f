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

/** A conversation of Chat Completions: what was said, and the instructions of the caller. */
export interface ChatConversation {
  readonly messages: readonly ProtocolMessage[];
  readonly instructions: string | undefined;
}

type Sent = Readonly<Record<string, unknown>>;
type ToolNames = Map<string, string>;

/** @throws AppError VALIDATION_ERROR naming the field */
export function readChatMessages(sent: readonly unknown[]): ChatConversation {
  if (sent.length === 0) refuseField('messages', 'must not be empty');
  const names: ToolNames = new Map();
  const read = sent.map((value, index) => {
    const path = `messages[${index}]`;
    const message = objectAt(value, path);
    return { role: textAt(message['role'], `${path}.role`), message, path };
  });
  const instructions = read.flatMap(({ role, message, path }) =>
    role === 'system' || role === 'developer' ? [wordsOf(message['content'], `${path}.content`)] : [],
  );
  const messages = read.flatMap(({ role, message, path }) => {
    if (role === 'system' || role === 'developer') return [];
    return [readMessage(role, message, path, names)];
  });
  if (messages.some(({ role }) => role === 'user')) {
    return { messages, instructions: instructions.length === 0 ? undefined : instructions.join('\n\n') };
  }
  // Some clients put their only question into a system message.
  const question = instructions.at(-1);
  if (question === undefined) refuseField('messages', 'must have a message of the user');
  const others = instructions.slice(0, -1);
  return { messages: [...messages, { role: 'user', text: question }], instructions: others.length === 0 ? undefined : others.join('\n\n') };
}

function readMessage(role: string, message: Sent, path: string, names: ToolNames): ProtocolMessage {
  switch (role) {
    case 'user':
      return readUser(message, path);
    case 'assistant':
      return readAssistant(message, path, names);
    case 'tool': {
      const callId = filledTextAt(message['tool_call_id'], `${path}.tool_call_id`);
      return { role: 'tool', callId, name: names.get(callId) ?? 'tool', text: wordsOf(message['content'], `${path}.content`) };
    }
    case 'function':
      return refuseField(`${path}.role`, 'must not be function', 'Functions are tools now: send tools, and messages of the role tool.');
    default:
      return refuseField(`${path}.role`, 'must be system, developer, user, assistant or tool');
  }
}

function readUser(message: Sent, path: string): ProtocolMessage {
  const { content, name } = message;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(content, `${path}.content`);
  const texts: string[] = [];
  const files: SentFile[] = [];
  for (const [index, value] of parts.entries()) {
    const at = `${path}.content[${index}]`;
    const part = objectAt(value, at);
    if (part['type'] === 'text') texts.push(textAt(part['text'], `${at}.text`));
    else files.push(readFile(part, at));
  }
  const text = texts.join('\n');
  const said = typeof name === 'string' && name !== '' ? `${textAt(name, `${path}.name`)}: ${text}` : text;
  if (said.trim() === '' && files.length === 0) refuseField(`${path}.content`, 'must not be empty');
  return { role: 'user', text: said, ...(files.length > 0 && { files }) };
}

function readFile(part: Sent, path: string): SentFile {
  if (part['type'] === 'image_url') {
    const { image_url: image } = part;
    const url = typeof image === 'string' ? image : objectAt(image, `${path}.image_url`)['url'];
    return { url: dataUrlAt(url, `${path}.image_url.url`) };
  }
  if (part['type'] === 'file') {
    const file = objectAt(part['file'], `${path}.file`);
    if (file['file_id'] !== undefined && file['file_id'] !== null) {
      refuseField(`${path}.file.file_id`, 'is not supported', 'Send file_data.');
    }
    const name = file['filename'];
    return { url: dataUrlAt(file['file_data'], `${path}.file.file_data`), ...(typeof name === 'string' && { name }) };
  }
  if (part['type'] === 'input_audio') {
    return refuseField(`${path}.type`, 'must not be input_audio', 'Send speech to POST /v1/audio/transcriptions, and its text here.');
  }
  return refuseField(`${path}.type`, 'must be text, image_url or file');
}

function readAssistant(message: Sent, path: string, names: ToolNames): ProtocolMessage {
  const { content, tool_calls: sent } = message;
  if (message['function_call'] !== undefined && message['function_call'] !== null) {
    refuseField(`${path}.function_call`, 'is not supported', 'Functions are tools now: send tool_calls.');
  }
  const calls = (sent === undefined || sent === null ? [] : listAt(sent, `${path}.tool_calls`)).map((value, index) => {
    const at = `${path}.tool_calls[${index}]`;
    const call = objectAt(value, at);
    const called = objectAt(call['function'], `${at}.function`);
    const id = filledTextAt(call['id'], `${at}.id`);
    const name = filledTextAt(called['name'], `${at}.function.name`);
    names.set(id, name);
    return { id, name, input: inputOf(textAt(called['arguments'] ?? '{}', `${at}.function.arguments`)) };
  });
  const text = content === undefined || content === null ? '' : wordsOf(content, `${path}.content`);
  return { role: 'assistant', text, ...(calls.length > 0 && { calls }) };
}

/** A text, or the texts of parts. */
function wordsOf(content: unknown, path: string): string {
  if (typeof content === 'string') return textAt(content, path);
  const parts = listAt(content, path).map((value, index) => {
    const part = objectAt(value, `${path}[${index}]`);
    if (part['type'] === 'refusal') return textAt(part['refusal'], `${path}[${index}].refusal`);
    if (part['type'] !== 'text') refuseField(`${path}[${index}].type`, 'must be text');
    return textAt(part['text'], `${path}[${index}].text`);
  });
  return parts.join('\n');
}
