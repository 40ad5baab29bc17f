import { completions, DONE, events, type DialectService } from '../wire.js';

const { delta, end, text } = completions('magistral-medium-2509', { p: 'abcdef' });
const thinking = (words: string, closed?: boolean) =>
  delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: words }], ...(closed === undefined ? {} : { closed }) }] });

export const MISTRAL: DialectService = {
  name: 'Mistral',
  provider: 'openai',
  model: 'magistral-medium-2509',
  cases: [
    {
      quirk: 'thoughts in content arrays, then plain text',
      body: events(
        delta({ role: 'assistant', content: '' }),
        thinking('Count '),
        thinking('them.'),
        delta({ content: [{ type: 'text', text: 'There are ' }] }),
        text('three '),
        text('ways.'),
        end(),
        DONE,
      ),
      reads: 'There are three ways.',
      thinks: 'Count them.',
    },
    {
      quirk: 'a thought and a text in one array',
      body: events(
        delta({
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'Count.' }] },
            { type: 'text', text: 'One ' },
          ],
        }),
        text('way.'),
        end('stop', { usage: { prompt_tokens: 4, total_tokens: 9, completion_tokens: 5 } }),
        DONE,
      ),
      reads: 'One way.',
      thinks: 'Count.',
      usage: { inputTokens: 4, outputTokens: 5 },
    },
    {
      quirk: 'references between the texts',
      body: events(
        delta({
          content: [
            { type: 'text', text: 'As said' },
            { type: 'reference', reference_ids: [1] },
            { type: 'text', text: ' there.' },
          ],
        }),
        end(),
        DONE,
      ),
      reads: 'As said there.',
    },
    {
      quirk: 'a whole call without a type',
      body: events(
        delta(
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'D681PevKs', function: { name: 'GET_WEATHER', arguments: '{"city": "Lisbon"}' }, index: 0 }],
          },
          'tool_calls',
        ),
        DONE,
      ),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'arguments as an object',
      body: events(
        delta({ tool_calls: [{ id: 'D681PevKs', function: { name: 'GET_WEATHER', arguments: { city: 'Lisbon' } } }] }, 'tool_calls'),
        DONE,
      ),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'a call as text',
      body: events(text('[TOOL_'), text('CALLS] [{"name": "GET_WEATHER", "arguments": {"city": '), text('"Lisbon"}}]'), end(), DONE),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'an answer cut by the length of the model',
      body: events(text('It begins'), end('model_length'), DONE),
      reads: 'It begins',
      reason: 'length',
    },
    {
      quirk: 'a prompt that is too long',
      type: 'application/json',
      status: 400,
      body: JSON.stringify({
        object: 'error',
        message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt',
        param: null,
        code: '3051',
      }),
      reads: '',
      fault: 'context',
    },
    {
      quirk: 'a quota of requests in a second',
      type: 'application/json',
      status: 429,
      body: JSON.stringify({ message: 'Requests rate limit exceeded' }),
      reads: '',
      fault: 'rate',
    },
  ],
};
