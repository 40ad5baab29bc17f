import {
  dataUrlAt,
  filledTextAt,
  listAt,
  objectAt,
  refuseField,
  textAt,
  type ProtocolMessage,
  type SentFile,
} from '../../modules/protocols/index.js';

/** A conversation of the AI SDK: what was said, and the instructions of the caller. */
export interface UiConversation {
  /** At least one; the last is of the user, or the result of a tool. */
  readonly messages: readonly ProtocolMessage[];
  /** Empty without any. */
  readonly instructions: string;
  /** The client's id of the last message, if it is the user's. */
  readonly inputId: string | undefined;
}

type Part = Readonly<Record<string, unknown>>;
type Call = NonNullable<Extract<ProtocolMessage, { role: 'assistant' }>['calls']>[number];
type Result = Extract<ProtocolMessage, { role: 'tool' }>;

/** What a message of the assistant may have that no model reads again. */
const NOT_READ = new Set(['reasoning', 'reasoning-file', 'source-url', 'source-document', 'file', 'custom', 'steering-message']);

/**
 * Reads `UIMessage`s.
 *
 * @param path of `messages`; with `isSingle` of a message that was sent alone
 * @throws AppError VALIDATION_ERROR naming the field
 */
export function readUiMessages(sent: readonly unknown[], path: string, isSingle = false): UiConversation {
  const read = sent.map((value, index) => {
    const at = isSingle ? path : `${path}[${index}]`;
    const message = objectAt(value, at);
    return { message, at, role: textAt(message['role'], `${at}.role`), parts: partsAt(message, at) };
  });
  const last = read.at(-1);
  const messages = read.flatMap(({ role, parts, at }) => readMessage(role, parts, at));
  const ending = messages.at(-1)?.role;
  if (last === undefined || (last.role === 'user' ? ending !== 'user' : last.role !== 'assistant' || ending !== 'tool')) {
    refuseField(path, isSingle ? IS : ENDS);
  }
  const instructions = read.flatMap(({ role, parts }) => (role === 'system' ? [textOf(parts)] : [])).filter((text) => text !== '');
  const id = last.role === 'user' ? last.message['id'] : undefined;
  return {
    messages,
    instructions: instructions.join('\n\n'),
    inputId: id === undefined || id === null ? undefined : textAt(id, `${last.at}.id`),
  };
}

const IS = 'must be a message of the user, or of the assistant with the outputs of tools that a reply waits for';
const ENDS = 'must end with a message of the user, or with the outputs of tools that a reply waits for';

interface PartAt {
  readonly part: Part;
  readonly type: string;
  readonly at: string;
}

function partsAt(message: Part, path: string): readonly PartAt[] {
  return listAt(message['parts'], `${path}.parts`).map((value, index) => {
    const at = `${path}.parts[${index}]`;
    const part = objectAt(value, at);
    return { part, at, type: filledTextAt(part['type'], `${at}.type`) };
  });
}

function readMessage(role: string, parts: readonly PartAt[], path: string): ProtocolMessage[] {
  switch (role) {
    case 'user':
      return [readUser(parts, path)];
    case 'assistant':
      return readAssistant(parts);
    case 'system':
      return parts.some(({ type }) => type !== 'text' && !type.startsWith('data-'))
        ? refuseField(`${path}.parts`, 'must have texts only, because the role is system')
        : [];
    default:
      return refuseField(`${path}.role`, 'must be system, user or assistant');
  }
}

function readUser(parts: readonly PartAt[], path: string): ProtocolMessage {
  const files = parts.flatMap(({ type, part, at }): SentFile[] => {
    if (type === 'text' || type.startsWith('data-')) return [];
    if (type !== 'file') return refuseField(`${at}.type`, 'must be text, file or data-…, because the role is user');
    const { filename: name } = part;
    return [{ url: dataUrlAt(part['url'], `${at}.url`), ...(typeof name === 'string' && { name }) }];
  });
  const text = textOf(parts);
  if (text.trim() === '' && files.length === 0) refuseField(`${path}.parts`, 'must have a text or a file');
  return { role: 'user', text, ...(files.length > 0 && { files }) };
}

/** The texts and calls of each step, with the results of the calls behind them. Calls without a result are left out. */
function readAssistant(parts: readonly PartAt[]): ProtocolMessage[] {
  const messages: ProtocolMessage[] = [];
  let texts: string[] = [];
  let done: (readonly [Call, Result])[] = [];
  const endStep = (): void => {
    const text = texts.filter((each) => each.trim() !== '').join('\n\n');
    const calls = done.map(([call]) => call);
    if (text !== '' || calls.length > 0) messages.push({ role: 'assistant', text, ...(calls.length > 0 && { calls }) });
    messages.push(...done.map(([, result]) => result));
    [texts, done] = [[], []];
  };
  for (const { type, part, at } of parts) {
    if (type === 'text') texts.push(textAt(part['text'], `${at}.text`));
    else if (type === 'dynamic-tool' || type.startsWith('tool-')) done.push(...readCall(type, part, at));
    else if (type === 'step-start') {
      // Texts of one reply stay together where no call is between them.
      if (done.length > 0) endStep();
    } else if (!NOT_READ.has(type) && !type.startsWith('data-')) refuseField(`${at}.type`, 'is not a part that the AI SDK has');
  }
  endStep();
  return messages;
}

/** A call with its result; nothing for a call of the agent's own actions, and for one without a result. */
function readCall(type: string, part: Part, at: string): (readonly [Call, Result])[] {
  if (part['providerExecuted'] === true) return [];
  const id = filledTextAt(part['toolCallId'], `${at}.toolCallId`);
  const name = type === 'dynamic-tool' ? filledTextAt(part['toolName'], `${at}.toolName`) : type.substring('tool-'.length);
  const result = (text: string, isError: boolean): (readonly [Call, Result])[] => [
    [
      { id, name, input: part['input'] ?? part['rawInput'] ?? {} },
      { role: 'tool', callId: id, name, text, isError },
    ],
  ];
  switch (textAt(part['state'], `${at}.state`)) {
    case 'output-available':
      return part['preliminary'] === true ? [] : result(outputText(part['output']), false);
    case 'output-error':
      return result(textAt(part['errorText'], `${at}.errorText`), true);
    case 'output-denied':
      return result('The user did not allow this call.', true);
    default:
      return [];
  }
}

function outputText(output: unknown): string {
  return typeof output === 'string' ? output.replaceAll('\0', '') : JSON.stringify(output ?? null);
}

function textOf(parts: readonly PartAt[]): string {
  return parts.flatMap(({ type, part, at }) => (type === 'text' ? [textAt(part['text'], `${at}.text`)] : [])).join('\n');
}
