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
