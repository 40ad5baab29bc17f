import { completions, DONE, events, type DialectService } from '../wire.js';

const { delta, end, text } = completions('gemini-3-pro-preview');
const SIGNATURE = { google: { thought_signature: 'CiQBjz1rX4q=' } };
const call = (fields: object) => ({
  role: 'assistant',
  tool_calls: [{ function: { arguments: '{"city":"Lisbon"}', name: 'GET_WEATHER' }, id: '', type: 'function', ...fields }],
});

export const GEMINI: DialectService = {
  name: 'Gemini',
  provider: 'openai',
  model: 'gemini-3-pro-preview',
  cases: [
    {
      quirk: 'a role in each delta and the finish beside the last text',
      body: events(
        delta({ content: 'It is ', role: 'assistant' }),
        delta({ content: 'sunny.', role: 'assistant' }, 'stop', { usage: { completion_tokens: 3, prompt_tokens: 8, total_tokens: 40 } }),
        DONE,
      ),
      reads: 'It is sunny.',
      usage: { inputTokens: 8, outputTokens: 3 },
    },
    {
      quirk: 'a call without an id or an index, whole, with the signature of its thought',
      body: events(delta(call({ extra_content: SIGNATURE }), 'stop'), DONE),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' }, extra: { extra_content: SIGNATURE } }],
    },
    {
      quirk: 'two calls without ids and with the same index',
      body: events(
        delta(call({ index: 0, function: { name: 'GET_WEATHER', arguments: '{"city":"Lisbon"}' } })),
        delta(call({ index: 0, function: { name: 'GET_WEATHER', arguments: '{"city":"Oslo"}' } }), 'tool_calls'),
        DONE,
      ),
      reads: '',
      calls: [
        { name: 'GET_WEATHER', input: { city: 'Lisbon' } },
        { name: 'GET_WEATHER', input: { city: 'Oslo' } },
      ],
    },
    {
      quirk: 'thoughts in a tag of the text',
      body: events(text('<thought>**Weighing it**\n\nThey want'), text(' the weather.</thought>'), text('Sunny.'), end(), DONE),
      reads: 'Sunny.',
      thinks: '**Weighing it**\n\nThey want the weather.',
    },
    {
      quirk: 'an answer that its safety ends',
      body: events(delta({ role: 'assistant' }, 'content_filter: SAFETY'), DONE),
      reads: '',
      reason: 'content-filter',
    },
    {
      quirk: 'an error as an array',
      type: 'application/json',
      status: 400,
      body: JSON.stringify([
        {
          error: {
            code: 400,
            message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ]),
      reads: '',
      fault: 'context',
    },
    {
      quirk: 'a wrong key as an array',
      type: 'application/json',
      status: 400,
      body: JSON.stringify([
        { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
      ]),
      reads: '',
      fault: 'key',
    },
  ],
};
