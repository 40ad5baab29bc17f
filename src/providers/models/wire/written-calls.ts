import type { ChatTool } from '../chat-model.js';
import { fieldsOf, isFields, parsed, textOf, type Fields } from './values.js';
import { toolInput } from './tool-calls.js';

/** How a model that was not asked in its own way writes calls of tools in its text. */
export interface CallMark {
  /** In lower case. */
  readonly begin: string;
  /** The end of the calls, in lower case; absent when they last until the end of the response. */
  readonly end?: string;
}

export interface WrittenCall {
  readonly name: string;
  readonly input: unknown;
}

export const CALLS: readonly CallMark[] = [
  { begin: '<tool_call>', end: '</tool_call>' },
  { begin: '<toolcall>', end: '</toolcall>' },
  { begin: '<tool_calls>', end: '</tool_calls>' },
  { begin: '<function_call>', end: '</function_call>' },
  { begin: '<functioncall>', end: '</functioncall>' },
  { begin: '<function_calls>', end: '</function_calls>' },
  { begin: '<minimax:tool_call>', end: '</minimax:tool_call>' },
  { begin: '<function=', end: '</function>' },
  { begin: '<|tool_call|>', end: '<|/tool_call|>' },
  { begin: '[tool_calls]' },
  { begin: '<|python_tag|>' },
  { begin: '<｜tool▁calls▁begin｜>', end: '<｜tool▁calls▁end｜>' },
  { begin: '<|tool_calls_section_begin|>', end: '<|tool_calls_section_end|>' },
  { begin: '<|channel|>commentary to=', end: '<|call|>' },
];

/** Characters of calls that are held back. */
export const MAX_CALLS_TEXT = 200_000;

// What surrounds calls, and stops between them.
const MARKS =
  /<\/?(?:tool_?calls?|function_?calls?|minimax:tool_call)>|<\|\/?tool_call\|>|\[TOOL_CALLS\]|<\|(?:python_tag|eom_id|eot_id|im_end|call|constrain)\|>|<\/s>|<｜tool▁(?:calls?▁begin|calls?▁end)｜>|<\|tool_call(?:s_section)?_(?:begin|end)\|>/gi;
const FENCE = /^```(?:json)?\s*\n?([\s\S]*?)\n?```$/;
const NAMED = [
  // Kimi, DeepSeek, Mistral and gpt-oss: a name, a separator and the arguments.
  /^(?:functions\.)?([\w.-]+):\d+\s*<\|tool_call_argument_begin\|>\s*/,
  /^(?:function)?\s*<｜tool▁sep｜>\s*([\w.-]+)\s*/,
  /^([\w.-]+)\s*<｜tool▁sep｜>\s*/,
  /^([\w.-]+)\s*\[CALL_ID\]\w*\s*\[ARGS\]\s*/,
  /^([\w.-]+)\s*\[ARGS\]\s*/,
  /^<\|channel\|>commentary to=(?:functions\.)?([\w.-]+)[^{]{0,60}?<\|message\|>\s*/,
  /^<function=([\w.-]+)>?\s*(?=\{)/,
  /^([\w.-]+)\s*(?=\{)/,
];

/** The calls in a text; undefined when it is anything else, or names a tool that was not offered. */
export function writtenCalls(text: string, tools: readonly ChatTool[]): WrittenCall[] | undefined {
  const calls = taggedCalls(text, tools) ?? spacedCalls(text) ?? jsonCalls(text);
  const offered = new Set(tools.map(({ name }) => name));
  return calls !== undefined && calls.length > 0 && calls.every(({ name }) => offered.has(name)) ? calls : undefined;
}

/** Whether a text is, or may become, a response that is nothing but the JSON of a call. */
export function mayBeBareCall(text: string): boolean {
  const whole = text.trimStart();
  if ('```json'.startsWith(whole)) return true;
  const begun = whole.replace(/^```(?:json)?\s*/, '');
  return (
    /^\[?\s*$/.test(begun) ||
    /^\[?\s*\{\s*(?:"(?:n(?:a(?:m(?:e(?:".*)?)?)?)?|t(?:y(?:p(?:e(?:".*)?)?)?)?|f(?:u(?:n(?:c(?:t(?:i(?:o(?:n(?:".*)?)?)?)?)?)?)?)?)?)?$/s.test(
      begun,
    )
  );
}

/** Calls with a tag for each argument. */
function taggedCalls(text: string, tools: readonly ChatTool[]): WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  const whole =
    /<function=([\w.-]+)>((?:\s*<parameter=[^>]{1,200}>[^]*?<\/parameter>)*)\s*(?:<\/function>|$)|<invoke name="([\w.-]+)">((?:\s*<parameter name="[^"]{1,200}">[^]*?<\/parameter>)*)\s*<\/invoke>|<tool_call>\s*([\w.-]+)\s*((?:\s*<arg_key>[^<]{1,200}<\/arg_key>\s*<arg_value>[^]*?<\/arg_value>)*)\s*(?:<\/tool_call>|$)/g;
  const rest = text.replace(whole, (_all, ...found: (string | undefined)[]) => {
    const name = found[0] ?? found[2] ?? found[4] ?? '';
    calls.push({
      name,
      input: argumentsIn(
        found[1] ?? found[3] ?? found[5] ?? '',
        tools.find((tool) => tool.name === name),
      ),
    });
    return '';
  });
  return rest.replace(MARKS, '').trim() === '' && calls.length > 0 ? calls : undefined;
}

function argumentsIn(text: string, tool: ChatTool | undefined): Fields {
  const properties = fieldsOf(tool?.parameters['properties']);
  const given: Record<string, unknown> = {};
  const each =
    /<parameter=([^>]+)>([^]*?)<\/parameter>|<parameter name="([^"]+)">([^]*?)<\/parameter>|<arg_key>([^<]+)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>/g;
  for (const found of text.matchAll(each)) {
    const name = (found[1] ?? found[3] ?? found[5] ?? '').trim();
    const value = (found[2] ?? found[4] ?? found[6] ?? '').replace(/^\n/, '').replace(/\n$/, '');
    given[name] = fieldsOf(properties[name])['type'] === 'string' ? value : (parsed(value) ?? value);
  }
  return given;
}

/** A name before the JSON of each call. */
function spacedCalls(text: string): WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  const parts = text.replace(/<\/function>/g, '').split(/<｜tool▁call▁end｜>|<\|tool_call_end\|>|\[TOOL_CALLS\]/);
  for (const part of parts) {
    const body = part.replace(MARKS, '').trim();
    if (body === '') continue;
    const named = NAMED.map((pattern) => pattern.exec(body)).find((found) => found !== null);
    const input = named ? objectIn(body.slice(named[0].length)) : undefined;
    if (named?.[1] === undefined || input === undefined) return undefined;
    calls.push({ name: named[1], input });
  }
  return calls;
}

function objectIn(text: string): unknown {
  const body = FENCE.exec(text.trim())?.[1] ?? text.trim();
  const input = parsed(body);
  return isFields(input) ? input : undefined;
}

/** One call as JSON, several in an array, or several one after the other. */
function jsonCalls(text: string): WrittenCall[] | undefined {
  const body = text.replace(MARKS, '\n').trim();
  const plain = FENCE.exec(body)?.[1] ?? body;
  const whole = parsed(plain);
  const values: unknown[] = whole === undefined ? plain.split(/;?\s*\n\s*|;\s*/).map(parsed) : [whole].flat();
  const calls = values.map(callOf);
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

/** `{"name", "arguments"}` and its relatives. */
function callOf(value: unknown): WrittenCall | undefined {
  if (!isFields(value)) return undefined;
  const called = isFields(value['function']) ? value['function'] : value;
  const name = textOf(called['name']) || textOf(called['function']);
  const given = called['arguments'] ?? called['parameters'] ?? called['args'] ?? called['input'];
  if (name === '' || given === undefined) return undefined;
  return { name: name.replace(/^functions\./, ''), input: typeof given === 'string' ? toolInput(given) : given };
}
