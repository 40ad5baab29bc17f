import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refusalOf, type TemplateFamily } from '../../../../test/support/templates.mjs';
import type { ChatMessage, ChatRequest, ChatToolCall } from '../chat-model.js';
import { writeAnthropic } from './anthropic-writer.js';
import { writeCompletions } from './completions-writer.js';
import { ModelTraits } from './model-traits.js';

const TOOL = { name: 'A', description: 'x', parameters: { type: 'object', properties: {} } };
const request = (messages: readonly ChatMessage[]): ChatRequest => ({
  messages,
  grounding: { agentName: 'Ada', facts: [], examples: [], memories: [] },
  tools: [TOOL],
  temperature: 0.7,
  maxOutputTokens: 100,
});
const reasoning = {
  text: 'Hm.',
  fields: { reasoning_content: 'Hm.' },
};
const call = (id: string, input: unknown): ChatToolCall => ({
  id,
  name: 'A',
  input,
  extra: { extra_content: { google: { thought_signature: 'c2ln' } } },
});

const CONVERSATIONS: Record<string, readonly ChatMessage[]> = {
  'a greeting of the agent first': [
    { role: 'assistant', content: 'Hello, I am Ada.' },
    { role: 'user', content: 'Hi.' },
  ],
  'two questions in a row, as after a failed answer': [
    { role: 'user', content: 'One?' },
    { role: 'user', content: 'Two?' },
  ],
  'several system messages, also in the middle': [
    { role: 'system', content: 'You are Ada.' },
    { role: 'user', content: 'Hi.' },
    { role: 'system', content: 'From a plugin.' },
    { role: 'user', content: 'Hi?' },
  ],
  'an empty answer': [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: ' ' },
    { role: 'user', content: 'Hi?' },
  ],
  'nothing but a system message': [{ role: 'system', content: 'You are Ada.' }],
  'half an emoji': [{ role: 'user', content: 'Good \ud83c' }],
  'two calls, with malformed arguments, whose results come in another order': [
    { role: 'user', content: 'Do it.' },
    { role: 'assistant', content: '', reasoning, toolCalls: [call('call00001', '{"city":'), call('call00002', null)] },
    { role: 'tool', content: 'two', toolCallId: 'call00002', toolName: 'A' },
    { role: 'tool', content: '', toolCallId: 'call00001', toolName: 'A' },
  ],
  'a result without a call, and a call without a result': [
    { role: 'user', content: 'Do it.' },
    { role: 'tool', content: 'lost', toolCallId: 'call00009', toolName: 'A' },
    { role: 'assistant', content: 'I do.', reasoning, toolCalls: [call('call00001', { a: 1 })] },
    { role: 'user', content: 'And?' },
  ],
};
const COMPLETIONS: readonly TemplateFamily[] = ['strict', 'mistral', 'qwen', 'llama', 'deepseek', 'openai', 'gemini'];

describe.each(Object.entries(CONVERSATIONS))('%s', (_name, messages) => {
  it.each(COMPLETIONS)('is accepted by %s', (family) => {
    expect(refusalOf(family, writeCompletions(request(messages), 'm', new ModelTraits()))).toBeUndefined();
  });

  it('is accepted by gemma once its lack of a system role is known', () => {
    const traits = Object.assign(new ModelTraits(), { takesSystem: false });
    expect(refusalOf('gemma', writeCompletions(request(messages), 'm', traits))).toBeUndefined();
  });

  it('is accepted by a reasoning model once its parameters are known', () => {
    const traits = Object.assign(new ModelTraits(), { limitParameter: 'max_completion_tokens', takesTemperature: false, reasons: true });
    const body = writeCompletions(request(messages), 'm', traits);
    expect(refusalOf('openai-reasoning', body)).toBeUndefined();
    expect(body['max_completion_tokens']).toBeGreaterThan(1000);
  });

  it('is accepted by Anthropic', () => {
    expect(refusalOf('anthropic', writeAnthropic(request(messages), 'claude-sonnet-4-5', new ModelTraits()))).toBeUndefined();
  });
});

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };
const FORMAT = { type: 'json_schema', name: 'answer', description: 'An answer.', schema: SCHEMA, strict: true } as const;
const demanding = (more: Partial<ChatRequest>): ChatRequest => ({
  messages: [
    { role: 'system', content: 'You are Ada.' },
    { role: 'user', content: 'Hi.' },
  ],
  grounding: { agentName: 'Ada', facts: [], examples: [], memories: [] },
  tools: [TOOL, { ...TOOL, name: 'B' }],
  ...more,
});
const traitsWith = (traits: Partial<ModelTraits>): ModelTraits => Object.assign(new ModelTraits(), traits);
const toolNames = (body: object): unknown =>
  JSON.stringify((body as { tools?: object[] }).tools?.map((tool) => JSON.stringify(tool).match(/"name":"(.)"/)?.[1]));

describe('the demands of a request', () => {
  const completions = (more: Partial<ChatRequest>, traits: Partial<ModelTraits> = {}): Record<string, unknown> =>
    writeCompletions(demanding(more), 'm', traitsWith(traits));
  const anthropic = (more: Partial<ChatRequest>, traits: Partial<ModelTraits> = {}): Record<string, unknown> =>
    writeAnthropic(demanding(more), 'm', traitsWith(traits));
  const systemOf = (body: Record<string, unknown>): string =>
    (body['system'] as { text: string }[] | undefined)?.[0]?.text ?? (body['messages'] as { content: string }[])[0]!.content;

  it('are no parameters when there are none', () => {
    const plain = ['model', 'messages', 'stream', 'stream_options', 'tools'];
    expect(Object.keys(completions({ stop: [] }))).toEqual(plain);
    expect(Object.keys(anthropic({ stop: [] }))).toEqual(['model', 'max_tokens', 'stream', 'system', 'messages', 'tools']);
  });

  it('are parameters of OpenAI', () => {
    const stop = ['a', '', 'b', 'c', 'd', 'e'];
    const body = completions({ stop, topP: 0.5, reasoningEffort: 'minimal', responseFormat: FORMAT, parallelToolCalls: false });
    expect(body).toMatchObject({
      stop: ['a', 'b', 'c', 'd'],
      top_p: 0.5,
      reasoning_effort: 'minimal',
      response_format: { type: 'json_schema', json_schema: { name: 'answer', description: 'An answer.', schema: SCHEMA, strict: true } },
      parallel_tool_calls: false,
    });
    expect(systemOf(body)).toBe('You are Ada.');
    expect(body).not.toHaveProperty('tool_choice');
  });

  it('are parameters of Anthropic', () => {
    const body = anthropic({ stop: ['a', '\n'], topP: 0.5, reasoningEffort: 'high', responseFormat: FORMAT, parallelToolCalls: false });
    expect(body).toMatchObject({
      stop_sequences: ['a'],
      top_p: 0.5,
      output_config: { format: { type: 'json_schema', schema: SCHEMA }, effort: 'high' },
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    expect(body['output_config']).toEqual({ format: { type: 'json_schema', schema: SCHEMA }, effort: 'high' });
    expect(systemOf(body)).toBe('You are Ada.');
    expect(anthropic({ reasoningEffort: 'none' })['output_config']).toEqual({ effort: 'low' });
    expect(anthropic({ stop: ['\n'] })).not.toHaveProperty('stop_sequences');
  });

  it.each<[ChatRequest['toolChoice'], unknown, unknown]>([
    ['auto', 'auto', { type: 'auto' }],
    ['none', 'none', { type: 'none' }],
    ['required', 'required', { type: 'any' }],
    [{ name: 'B' }, { type: 'function', function: { name: 'B' } }, { type: 'tool', name: 'B' }],
  ])('are a choice of tools: %j', (toolChoice, ofOpenAi, ofAnthropic) => {
    expect(completions({ toolChoice })['tool_choice']).toEqual(ofOpenAi);
    expect(anthropic({ toolChoice })['tool_choice']).toEqual(ofAnthropic);
    const single = toolChoice === 'none' ? {} : { disable_parallel_tool_use: true };
    expect(anthropic({ toolChoice, parallelToolCalls: false })['tool_choice']).toEqual({ ...(ofAnthropic as object), ...single });
    expect(completions({ toolChoice, tools: [] })).not.toHaveProperty('tool_choice');
  });

  it.each([completions, anthropic])('are a required call, in words where the service takes no other way', (write) => {
    const toolChoice = { name: 'B' };
    const required = write({ toolChoice }, { takesNamedChoice: false });
    expect(required['tool_choice']).toEqual(write({ toolChoice: 'required' })['tool_choice']);
    expect(toolNames(required)).toBe('["B"]');
    const inWords = write({ toolChoice }, { takesNamedChoice: false, takesRequiredChoice: false, takesTools: false });
    expect(inWords).not.toHaveProperty('tool_choice');
    expect(toolNames(inWords)).toBe('["B"]');
    expect(systemOf(inWords)).toContain('Respond with a call of one of the tools');
    expect(write({ toolChoice: 'auto' }, { takesTools: false })).not.toHaveProperty('tools');
  });

  it('are a schema, in words where the service takes none', () => {
    const object = completions({ responseFormat: FORMAT }, { takesJsonSchema: false });
    expect(object['response_format']).toEqual({ type: 'json_object' });
    const words = [
      completions({ responseFormat: FORMAT }, { takesJsonSchema: false, takesJsonObject: false }),
      anthropic({ responseFormat: FORMAT }, { takesJsonSchema: false }),
    ];
    for (const body of words) expect([body['response_format'], body['output_config']]).toEqual([undefined, undefined]);
    for (const body of [object, ...words]) {
      expect(systemOf(body)).toMatch(/^You are Ada\.\n\nRespond with JSON that is valid/);
      expect(systemOf(body)).toContain(`answer: An answer.\n${JSON.stringify(SCHEMA)}`);
    }
  });

  it('are a JSON object, always in words too', () => {
    const responseFormat = { type: 'json_object' } as const;
    expect(completions({ responseFormat })['response_format']).toEqual(responseFormat);
    expect(completions({ responseFormat }, { takesJsonObject: false })).not.toHaveProperty('response_format');
    expect(anthropic({ responseFormat })).not.toHaveProperty('output_config');
    for (const write of [completions, anthropic]) expect(systemOf(write({ responseFormat }))).toContain('Respond with one JSON object');
  });

  it('are left out where the service does not take them and nothing else changes', () => {
    const more = { stop: ['a'], topP: 0.5, temperature: 0.7, reasoningEffort: 'low', parallelToolCalls: false } as const;
    const none = { takesStop: false, takesTopP: false, takesParallelToolCalls: false, refusedEfforts: new Set(['low']) };
    const plain = ['model', 'messages', 'stream', 'stream_options', 'temperature', 'tools'];
    expect(Object.keys(completions(more, none))).toEqual(plain);
    expect(Object.keys(anthropic(more, none))).toEqual(['model', 'max_tokens', 'stream', 'system', 'messages', 'temperature', 'tools']);
    for (const write of [completions, anthropic]) {
      expect(write(more, { takesTopPWithTemperature: false })).not.toHaveProperty('top_p');
      expect(write({ topP: 0.5 }, { takesTopPWithTemperature: false })).toMatchObject({ top_p: 0.5 });
      expect(write(more, { takesTopPWithTemperature: false, takesTemperature: false })).toMatchObject({ top_p: 0.5 });
    }
  });
});

const words = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('', ' ', '\n', 'word', '\ud83c', '\0'));
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: words }),
  fc.record({ role: fc.constant('user' as const), content: words }),
  fc.record({ role: fc.constant('assistant' as const), content: words }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: words,
    toolCalls: fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c'), name: fc.constant('A'), input: fc.jsonValue() }), {
      selector: ({ id }) => id,
      minLength: 1,
    }),
  }),
  fc.record({ role: fc.constant('tool' as const), content: words, toolCallId: fc.constantFrom('a', 'b', 'c'), toolName: fc.constant('A') }),
);

it('any conversation fits the strictest template, with every word in order', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const body = writeCompletions(request(messages), 'm', new ModelTraits());
      expect(refusalOf('strict', body)).toBeUndefined();
      expect(refusalOf('anthropic', writeAnthropic(request(messages), 'm', new ModelTraits()))).toBeUndefined();
      // Results are put in the order of their calls, so their words are looked for anywhere.
      const whole = (text: string): string => text.toWellFormed().replaceAll('\0', '').trim();
      const sent = (body['messages'] as { content: unknown }[])
        .map(({ content }) => (typeof content === 'string' ? content : ''))
        .join('\n');
      for (const role of ['system', 'user', 'assistant'] as const) {
        let from = 0;
        for (const { content } of messages.filter((each) => each.role === role)) {
          const at = sent.indexOf(whole(content), from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = role === 'assistant' ? at : at + whole(content).length;
        }
      }
      for (const { content } of messages.filter(({ role }) => role === 'tool')) expect(sent).toContain(whole(content));
    }),
  );
});
