import { filledTextAt, listAt, objectAt, refuseField, textAt, type ProtocolMessage } from '../../modules/protocols/index.js';
import { readCallId } from '../../modules/turns/index.js';
import { contentOf, joined, readPart, type Content, type Sent } from './content-blocks.js';

/** A conversation of Anthropic's protocol: what was said, and the instructions of the caller. */
export interface AnthropicConversation {
  readonly messages: readonly ProtocolMessage[];
  readonly instructions: string | undefined;
}

type ToolNames = Map<string, string>;
type ToolResult = Extract<ProtocolMessage, { role: 'tool' }>;

/** @param system the instructions beside the messages @throws AppError VALIDATION_ERROR naming the field */
export function readConversation(sent: readonly unknown[], system: unknown): AnthropicConversation {
  if (sent.length === 0) refuseField('messages', 'must not be empty');
  const names: ToolNames = new Map();
  const instructions = system === undefined || system === null ? [] : [textsAt(system, 'system')];
  const messages = sent.flatMap((value, index) => {
    const path = `messages[${index}]`;
    const { role, content } = objectAt(value, path);
    switch (role) {
      case 'user':
        return readUser(content, `${path}.content`, names);
      case 'assistant':
        return [readAssistant(content, `${path}.content`, names)];
      case 'system':
        instructions.push(textsAt(content, `${path}.content`));
        return [];
      default:
        return refuseField(`${path}.role`, 'must be user, assistant or system');
    }
  });
  if (messages.every(({ role }) => role !== 'user')) refuseField('messages', 'must have a message of the user');
  return { messages, instructions: joined(instructions) || undefined };
}

/** The results of tools in a message, then what the user says. */
function readUser(content: unknown, path: string, names: ToolNames): ProtocolMessage[] {
  const results: ToolResult[] = [];
  const said: Content = { texts: [], files: [] };
  for (const { block, at } of blocksOf(content, path)) {
    if (block['type'] === 'tool_result') results.push(readResult(block, at, names, said));
    else readPart(block, at, said);
  }
  const text = joined(said.texts);
  const { files } = said;
  if (text.trim() === '' && files.length === 0) {
    if (results.length === 0) refuseField(path, 'must not be empty');
    return results;
  }
  const last = results.at(-1);
  // A turn that waits for results goes on only when nothing follows them: the text must reach it as a part of them.
  if (last && files.length === 0 && results.every(({ callId }) => readCallId(callId))) {
    return [...results.slice(0, -1), { ...last, text: joined([last.text, text]) }];
  }
  return [...results, { role: 'user', text, ...(files.length > 0 && { files }) }];
}

/** @param said gets the files: results have only text */
function readResult(block: Sent, path: string, names: ToolNames, said: Content): ToolResult {
  const callId = filledTextAt(block['tool_use_id'], `${path}.tool_use_id`);
  const { content, is_error: isError } = block;
  const parts: Content = { texts: [], files: said.files };
  if (content !== undefined && content !== null) {
    for (const { block: part, at } of blocksOf(content, `${path}.content`)) readPart(part, at, parts);
  }
  return {
    ...{ role: 'tool', callId, name: names.get(callId) ?? 'tool', text: parts.texts.join('\n') },
    ...(isError === true && { isError }),
  };
}

function readAssistant(content: unknown, path: string, names: ToolNames): ProtocolMessage {
  const blocks = blocksOf(content, path);
  const texts = blocks.flatMap(({ block, at }) => (block['type'] === 'text' ? [textAt(block['text'], `${at}.text`)] : []));
  const calls = blocks.flatMap(({ block, at }) => {
    if (block['type'] !== 'tool_use') return [];
    const id = filledTextAt(block['id'], `${at}.id`);
    const name = filledTextAt(block['name'], `${at}.name`);
    names.set(id, name);
    return [{ id, name, input: objectAt(block['input'] ?? {}, `${at}.input`) }];
  });
  const other = blocks.find(({ block }) => !IN_REPLIES.includes(String(block['type'])));
  if (other) refuseField(`${other.at}.type`, 'must be text, tool_use, thinking or redacted_thinking');
  return { role: 'assistant', text: joined(texts), ...(calls.length > 0 && { calls }) };
}

/** What a model thought before does not come back to it. */
const IN_REPLIES = ['text', 'tool_use', 'thinking', 'redacted_thinking'];

function blocksOf(content: unknown, path: string): { readonly block: Sent; readonly at: string }[] {
  return contentOf(content, path).map((value, index) => ({ block: objectAt(value, `${path}[${index}]`), at: `${path}[${index}]` }));
}

/** A text, or a list of blocks with text. */
function textsAt(content: unknown, path: string): string {
  if (typeof content === 'string') return textAt(content, path);
  const texts = listAt(content, path).map((value, index) => {
    const { type, text } = objectAt(value, `${path}[${index}]`);
    if (type !== 'text') refuseField(`${path}[${index}].type`, 'must be text');
    return textAt(text, `${path}[${index}].text`);
  });
  return joined(texts);
}
