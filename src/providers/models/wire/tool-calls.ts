import type { ChatToolCall } from '../chat-model.js';
import { fieldsOf, isFields, parsed, textOf, type Fields } from './values.js';

interface PartialCall {
  id: string;
  name: string;
  /** The pieces of the JSON text of the arguments. */
  pieces: string[];
  /** Arguments that came as an object. */
  object?: Fields;
  extra: Record<string, unknown>;
}

const OWN_FIELDS = new Set(['index', 'id', 'type', 'function', 'name', 'arguments']);

/** Assembles the tool calls of a response from their pieces, in the order in which they began. */
export class ToolCalls {
  private readonly calls: PartialCall[] = [];
  private readonly byIndex = new Map<number, PartialCall>();

  /** A piece of a call: `index`, `id` and `function` with `name` and `arguments`, each of which may be absent. */
  add(piece: unknown): void {
    if (!isFields(piece)) return;
    const { index, id: givenId, function: called = piece } = piece;
    const { name: givenName, arguments: given } = fieldsOf(called);
    const [id, name] = [textOf(givenId), textOf(givenName)];
    const position = typeof index === 'number' ? index : undefined;
    const call = this.callOf(position, id, name, given);
    if (call.id === '') call.id = id;
    call.name = joinedName(call, name);
    if (typeof given === 'string') call.pieces.push(given);
    else if (isFields(given)) call.object = given;
    for (const [key, value] of Object.entries(piece)) {
      if (!OWN_FIELDS.has(key) && value !== null && value !== undefined) call.extra[key] = value;
    }
  }

  /** The complete calls. Arguments that are no JSON are given as text. */
  all(): ChatToolCall[] {
    const ids = new Set<string>();
    return this.calls
      .filter(({ name }) => name !== '')
      .map(({ id, name, extra, ...call }, position) => {
        const own = id === '' || ids.has(id) ? madeId(position + 1) : id;
        ids.add(own);
        const isPlain = Object.keys(extra).length === 0;
        return { id: own, name, input: call.object ?? toolInput(call.pieces.join('')), ...(isPlain ? {} : { extra }) };
      });
  }

  /**
   * Services number the calls, name them, both, or neither: another id begins another call even under the same number (Ollama), and so do
   * whole arguments after a call that is whole (Gemini).
   */
  private callOf(index: number | undefined, id: string, name: string, given: unknown): PartialCall {
    const known = index === undefined ? this.calls.findLast((call) => id !== '' && call.id === id) : this.byIndex.get(index);
    const candidate = known ?? (index === undefined && id === '' ? this.calls.at(-1) : undefined);
    if (candidate !== undefined && !isAnother(candidate, id, name, given)) return candidate;
    const call: PartialCall = { id: '', name: '', pieces: [], extra: {} };
    this.calls.push(call);
    if (index !== undefined) this.byIndex.set(index, call);
    return call;
  }
}

/** Nine letters and digits, as the strictest service expects an id. */
function madeId(position: number): string {
  return `call${String(position).padStart(5, '0')}`;
}

function isAnother(call: PartialCall, id: string, name: string, given: unknown): boolean {
  if (id !== '' && call.id !== '') return id !== call.id;
  const hasArguments = isFields(given) || textOf(given) !== '';
  return name !== '' && call.name !== '' && hasArguments && isWhole(call);
}

function isWhole({ object, pieces }: PartialCall): boolean {
  return object !== undefined || (pieces.at(-1)?.trimEnd().endsWith('}') === true && isFields(parsed(pieces.join(''))));
}

/** Some services repeat the name in each piece, and some split it. */
function joinedName({ name, pieces }: PartialCall, more: string): string {
  if (more === '' || more === name) return name;
  if (name === '' || more.startsWith(name)) return more;
  return pieces.length === 0 ? name + more : name;
}

/** The input of a call from its JSON text, also when that was encoded twice or follows an empty object. */
export function toolInput(text: string): unknown {
  if (text.trim() === '') return {};
  const value = parsed(text) ?? parsed(text.replace(/^\s*\{\s*\}(?=\s*\{)/, ''));
  const inner = typeof value === 'string' ? parsed(value) : value;
  if (inner === null) return {};
  return inner ?? text;
}
