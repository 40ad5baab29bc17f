import type { ChatMessage, ChatToolCall } from '../chat-model.js';

type UserMessage = Extract<ChatMessage, { role: 'user' }>;
type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;
type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

// Messages that a template requires where a conversation has none.
const BEGINNING = '(The conversation begins.)';
const EMPTY = '(empty message)';
const GO_ON = '(Go on.)';
const RESULTS_READ = '(I have read the results.)';
const NO_RESULT = '(no result)';

/**
 * The form of a conversation that the strictest templates accept, without losing a word: one system message at most, first; then `user` and
 * `assistant` in turn, beginning with `user`; the results of tools directly after their calls, in the order of the calls; arguments are
 * objects; no text is empty or has half a character. The last message is of the user or of a tool.
 *
 * @param takesSystem whether the template has a system role; otherwise the user's first message begins with its text
 */
export function normalise(messages: readonly ChatMessage[], takesSystem: boolean): ChatMessage[] {
  const clean = messages.map(cleaned);
  const system = clean.flatMap(({ role, content }) => (role === 'system' && content.trim() !== '' ? [content] : [])).join('\n\n');
  const turns = new Turns();
  let index = 0;
  while (index < clean.length) {
    const message = clean[index];
    index += 1;
    if (message?.role === 'user') turns.addUser(message);
    else if (message?.role === 'tool') turns.addUser({ role: 'user', content: strayResult(message) });
    else if (message?.role === 'assistant') {
      const results: ToolMessage[] = [];
      for (let next = clean[index]; next?.role === 'tool'; next = clean[index]) {
        results.push(next);
        index += 1;
      }
      turns.addAssistant(message, results);
    }
  }
  const said = turns.end();
  if (system === '') return said;
  if (takesSystem) return [{ role: 'system', content: system }, ...said];
  return said.map((message, at) => (at === 0 ? { ...message, content: `${system}\n\n${message.content}` } : message));
}

/** The messages after the system message, in turn. */
class Turns {
  private readonly messages: ChatMessage[] = [];

  addUser(message: UserMessage): void {
    const { content, files = [] } = message;
    const last = this.messages.at(-1);
    if (last?.role === 'tool') this.messages.push({ role: 'assistant', content: RESULTS_READ });
    if (last?.role === 'user') this.messages.pop();
    const before = last?.role === 'user' ? last : undefined;
    const texts = [before?.content ?? '', content].filter((text) => text.trim() !== '' && text !== EMPTY);
    const all = [...(before?.files ?? []), ...files];
    const text = texts.length === 0 && all.length === 0 ? EMPTY : texts.join('\n\n');
    this.messages.push({ role: 'user', content: text, ...(all.length === 0 ? {} : { files: all }) });
  }

  addAssistant(message: AssistantMessage, results: readonly ToolMessage[]): void {
    const { content, toolCalls: calls = [], reasoning } = message;
    if (calls.length > 0 || content.trim() !== '') {
      const last = this.messages.at(-1);
      if (last === undefined) this.messages.push({ role: 'user', content: BEGINNING });
      if (last?.role === 'assistant') this.messages.pop();
      const text = [last?.role === 'assistant' ? last.content : '', content].filter((each) => each.trim() !== '').join('\n\n');
      const called = calls.length === 0 ? {} : { toolCalls: calls, ...(reasoning === undefined ? {} : { reasoning }) };
      this.messages.push({ role: 'assistant', content: text, ...called });
    }
    this.addResults(calls, results);
  }

  /** Templates refuse a conversation that the assistant ends. */
  end(): ChatMessage[] {
    const last = this.messages.at(-1);
    if (last === undefined || last.role === 'assistant') this.addUser({ role: 'user', content: GO_ON });
    return this.messages;
  }

  private addResults(calls: readonly ChatToolCall[], results: readonly ToolMessage[]): void {
    const left = [...results];
    for (const { id, name } of calls) {
      const found = left.findIndex(({ toolCallId }) => toolCallId === id);
      const [result] = found < 0 ? [] : left.splice(found, 1);
      this.messages.push({ role: 'tool', content: resultText(result?.content), toolCallId: id, toolName: name });
    }
    for (const result of left) this.addUser({ role: 'user', content: strayResult(result) });
  }
}

function strayResult({ toolName, content }: ToolMessage): string {
  return `Result of ${toolName}: ${resultText(content)}`;
}

function resultText(content = ''): string {
  return content.trim() === '' ? NO_RESULT : content;
}

function cleaned(message: ChatMessage): ChatMessage {
  const content = wholeText(message.content);
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, content };
  return { ...message, content, toolCalls: message.toolCalls.map((call) => ({ ...call, input: argumentsOf(call.input) })) };
}

/** A text without halves of characters and NUL, which services refuse. */
function wholeText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Malformed arguments stay readable for the model. */
function argumentsOf(input: unknown): unknown {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return input === undefined || input === null ? {} : { input };
}

/** Position of the first message after the user's last one: reasoning of earlier responses is not handed back. */
export function currentTurn(messages: readonly ChatMessage[]): number {
  return messages.findLastIndex(({ role }) => role === 'user') + 1;
}
