import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChatEvent, ChatTool } from '../chat-model.js';
import { ResponseText } from './response-text.js';

const TOOL: ChatTool = {
  name: 'GET_WEATHER',
  description: 'x',
  parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
};
const LISBON = '{"city": "Lisbon"}';

interface Found {
  text: string;
  thoughts: string;
  calls: unknown[];
}

function collect(found: Found, events: readonly ChatEvent[]): void {
  for (const event of events) {
    if (event.type === 'delta') found.text += event.text;
    else if (event.type === 'reasoning') found.thoughts += event.text;
    else if (event.type === 'reset') found.text = '';
    else if (event.type === 'tool-call') found.calls.push({ name: event.name, input: event.input });
  }
}

function read(pieces: readonly string[], tools: readonly ChatTool[] = [TOOL]): Found {
  const text = new ResponseText(tools);
  const found = { text: '', thoughts: '', calls: [] };
  for (const piece of pieces) collect(found, text.add(piece));
  collect(found, text.end());
  return found;
}

const THOUGHTS: [what: string, text: string, answer: string, thought: string][] = [
  ['a thought at the beginning', '<think>\nHm.\n</think>\n\nYes.', 'Yes.', 'Hm.'],
  ['a thought after white space', ' \n<think>Hm.</think> Yes.', 'Yes.', 'Hm.'],
  ['an empty thought', '<think>\n\n</think>\n\nYes.', 'Yes.', ''],
  ['a tag with another name', '<thinking>Hm.</thinking>Yes.', 'Yes.', 'Hm.'],
  ['a tag with an attribute', '<think budget="5">Hm.</think>Yes.', 'Yes.', 'Hm.'],
  ['brackets', '[THINK]Hm.[/THINK]Yes.', 'Yes.', 'Hm.'],
  ['several thoughts', '<think>One.</think>First.\n<think>Two.</think>\nSecond.', 'First.\nSecond.', 'One.\n\nTwo.'],
  ['a thought without an end', '<think>Hm, and', '', 'Hm, and'],
  ['an end without a beginning', 'Hm.\n</think>\n\nYes.', 'Yes.', 'Hm.'],
  ['a thought with code', '<think>Use `</p>` and\n```\nx < y\n```\n</think>Yes.', 'Yes.', 'Use `</p>` and\n```\nx < y\n```'],
  ['a thought within a line', 'Let me see <think>I have to count them all</think>three.', 'Let me see three.', 'I have to count them all'],
  ['channels', '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>', 'Yes.', 'Hm.'],
];
const TEXTS = [
  'Wrap it in <think> and </think> tags.',
  'Wrap it in `<think>` and `</think>`.',
  'Write ```\n<think>\nHm.\n</think>\n``` there.',
  'Code:\n```xml\n<think>Hm.</think>\n```\nEnd.',
  'If a < b and b <c, then [a] < [c].',
  'An unclosed <think',
  'A lonely <|end|> of nothing.',
  '<tool_call>{"name": "OTHER", "arguments": {}}</tool_call>',
  'Say <tool_call> to call.',
  '{"name": "Lisbon", "sunny": true}',
  '[1, 2, 3]',
  '```json\n{"a": 1}\n```',
  '{"name": "GET_WEATHER", "note": "no arguments"}',
  '   indented\n\n  text ',
  '`'.repeat(7),
  '<'.repeat(50),
];
const CALLS: [what: string, text: string, before?: string][] = [
  ['Hermes', `<tool_call>\n{"name": "GET_WEATHER", "arguments": ${LISBON}}\n</tool_call>`],
  ['Hermes without an end', `<tool_call>\n{"name": "GET_WEATHER", "arguments": ${LISBON}}`],
  ['Hermes after a text', `I look.\n<tool_call>{"name": "GET_WEATHER", "arguments": ${LISBON}}</tool_call>`, 'I look.\n'],
  ['Qwen coder', '<tool_call>\n<function=GET_WEATHER>\n<parameter=city>\nLisbon\n</parameter>\n</function>\n</tool_call>'],
  ['GLM', '<tool_call>GET_WEATHER\n<arg_key>city</arg_key>\n<arg_value>Lisbon</arg_value>\n</tool_call>'],
  ['Mistral, a list', `[TOOL_CALLS] [{"name": "GET_WEATHER", "arguments": ${LISBON}}]`],
  ['Mistral, a name', `[TOOL_CALLS]GET_WEATHER[ARGS]${LISBON}`],
  ['Llama', `<|python_tag|>{"name": "GET_WEATHER", "parameters": ${LISBON}}`],
  ['Llama, a tag for the function', `<function=GET_WEATHER>${LISBON}</function>`],
  ['bare JSON', `{"type": "function", "name": "GET_WEATHER", "parameters": ${LISBON}}`],
  ['fenced JSON', `\`\`\`json\n{"name": "GET_WEATHER", "arguments": ${LISBON}}\n\`\`\``],
  ['arguments as a text', '{"name": "GET_WEATHER", "arguments": "{\\"city\\": \\"Lisbon\\"}"}'],
  ['DeepSeek', `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>GET_WEATHER<｜tool▁sep｜>${LISBON}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`],
  [
    'Kimi',
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.GET_WEATHER:0<|tool_call_argument_begin|>${LISBON}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
  [
    'MiniMax',
    '<minimax:tool_call>\n<invoke name="GET_WEATHER">\n<parameter name="city">Lisbon</parameter>\n</invoke>\n</minimax:tool_call>',
  ],
  ['gpt-oss', `<|channel|>commentary to=functions.GET_WEATHER <|constrain|>json<|message|>${LISBON}<|call|>`],
];

const splits = (text: string): string[][] => [[text], [...text], text.match(/[^]{1,3}/g) ?? []];

describe('the text of a reply', () => {
  it.each(THOUGHTS)('has %s', (_what, text, answer, thought) => {
    for (const pieces of splits(text)) expect(read(pieces)).toEqual({ text: answer, thoughts: thought, calls: [] });
  });

  it.each(TEXTS)('excludes reasoning and calls: %j', (text) => {
    for (const pieces of splits(text)) expect(read(pieces)).toEqual({ text, thoughts: '', calls: [] });
  });

  it.each(CALLS)('contains a call in the form of %s', (_what, text, before = '') => {
    const calls = [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }];
    for (const pieces of splits(text)) expect(read(pieces)).toEqual({ text: before, thoughts: '', calls });
    for (const pieces of splits(text)) expect(read(pieces, []).calls).toEqual([]);
  });

  it('contains several calls, with arguments of the types that the tool declares', () => {
    const text =
      '<tool_call><function=GET_WEATHER><parameter=city>1234</parameter><parameter=days>3</parameter></function></tool_call>' +
      '<tool_call>{"name": "GET_WEATHER", "arguments": {}}</tool_call>';
    expect(read([text]).calls).toEqual([
      { name: 'GET_WEATHER', input: { city: '1234', days: 3 } },
      { name: 'GET_WEATHER', input: {} },
    ]);
  });

  it('is the same for any chunking, and unchanged without markers', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '<think>',
        '</think>',
        '`',
        '```',
        '\n',
        ' ',
        '<',
        '[',
        '{',
        '</',
        '<tool_call>',
        '</tool_call>',
        '<|end|>',
        '[TOOL_CALLS]',
      ),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), fc.array(fc.nat(7), { minLength: 1, maxLength: 20 }), (parts, sizes) => {
        const text = parts.join('');
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = (sizes[turn % sizes.length] ?? 0) + 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(read(pieces)).toEqual(read([text]));
        if (!/think|<\|end/i.test(text) && text.trim() !== '') expect(read(pieces).text).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('costs as much in single characters as whole, in an unclosed call or reasoning block', () => {
    for (const begin of ['<think>', '<tool_call>', 'a <think>', '{"name": "']) {
      const text = `${begin}${'word '.repeat(20_000)}`;
      const { text: said, thoughts } = read([...text]);
      expect(said.length + thoughts.length).toBeGreaterThan(99_000);
    }
  });
});
