import { callPiece, completions, DONE, events, type DialectService } from '../wire.js';

const { chunk, delta, text, end, usage, whole } = completions('gpt-4o-mini-2024-07-18', {
  system_fingerprint: 'fp_1',
  service_tier: 'default',
});
const start = delta({ role: 'assistant', content: '', refusal: null });
const weather = (args: string) => callPiece(0, { id: 'call_a1', type: 'function', function: { name: 'GET_WEATHER', arguments: args } });

export const OPENAI: DialectService = {
  name: 'OpenAI',
  provider: 'openai',
  model: 'gpt-4o-mini',
  cases: [
    {
      quirk: 'a usage chunk without choices after the finish',
      body: events(start, text('There are '), text('three ways.'), end(), usage(31, 5), DONE),
      reads: 'There are three ways.',
      usage: { inputTokens: 31, outputTokens: 5 },
    },
    {
      quirk: 'obfuscation fields and a null usage in each chunk',
      body: events(
        ...['Padding ', 'hides ', 'lengths.'].map((content) => delta({ content }, null, { usage: null, obfuscation: 'xK2b9' })),
        end('stop', { usage: null, obfuscation: '' }),
        usage(9, 3, { completion_tokens_details: { reasoning_tokens: 0 } }),
        DONE,
      ),
      reads: 'Padding hides lengths.',
    },
    {
      quirk: 'a usage and an empty list of tool calls in the middle of the text',
      body: events(
        start,
        delta({ content: 'One ', tool_calls: [] }),
        text('two '),
        delta({ content: 'three ' }, null, { usage: { prompt_tokens: 3, completion_tokens: 2 } }),
        text('four.'),
        end(),
        DONE,
      ),
      reads: 'One two three four.',
    },
    {
      quirk: 'a refusal in deltas',
      body: events(
        delta({ role: 'assistant', refusal: '' }),
        delta({ refusal: 'I cannot ' }),
        delta({ refusal: 'help with that.' }),
        end(),
        DONE,
      ),
      reads: '',
      refusal: 'I cannot help with that.',
    },
    {
      quirk: 'an answer cut by its length',
      body: events(start, text('It begins and'), end('length'), DONE),
      reads: 'It begins and',
      reason: 'length',
    },
    { quirk: 'nothing but a length', body: events(start, end('length'), usage(20, 50), DONE), reads: '', reason: 'length' },
    { quirk: 'nothing but a content filter', body: events(start, end('content_filter'), DONE), reads: '', reason: 'content-filter' },
    {
      quirk: 'parallel calls in interleaved pieces',
      body: events(
        start,
        delta(weather('')),
        delta(callPiece(0, { function: { arguments: '{"city":' } })),
        delta(callPiece(1, { id: 'call_b2', type: 'function', function: { name: 'GET_WEATHER', arguments: '{"city":"Oslo"}' } })),
        delta(callPiece(0, { function: { arguments: '"Lisbon"}' } })),
        end('tool_calls'),
        DONE,
      ),
      reads: '',
      calls: [
        { name: 'GET_WEATHER', input: { city: 'Lisbon' } },
        { name: 'GET_WEATHER', input: { city: 'Oslo' } },
      ],
    },
    {
      quirk: 'a text before a call',
      body: events(start, text('Let me look.'), delta(weather('{"city":"Lisbon"}')), end('tool_calls'), DONE),
      reads: 'Let me look.',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'a legacy function_call',
      body: events(
        delta({ role: 'assistant', content: null, function_call: { name: 'GET_WEATHER', arguments: '' } }),
        delta({ function_call: { arguments: '{"city":"Lisbon"}' } }),
        end('function_call'),
        DONE,
      ),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'arguments cut by the length',
      body: events(delta(weather('{"city":"Lis')), end('length'), DONE),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: '{"city":"Lis' }],
      reason: 'length',
    },
    {
      quirk: 'one JSON answer to a stream request',
      type: 'application/json',
      body: JSON.stringify(whole({ content: 'All at once.' }), null, 2),
      reads: 'All at once.',
    },
    {
      quirk: 'an error in the middle of the stream',
      body: events(start, text('So far, '), {
        error: { message: 'The server had an error while processing your request.', type: 'server_error', param: null, code: null },
      }),
      reads: 'So far, ',
      fault: 'service',
    },
    {
      quirk: 'an emoji in two halves',
      body: `data: ${JSON.stringify(text('Good ')).replace('Good ', 'Good \\ud83c')}\n\ndata: ${JSON.stringify(text('X')).replace('"X"', '"\\udf1e morning"')}\n\n${events(end(), DONE)}`,
      reads: 'Good 🌞 morning',
    },
    {
      quirk: 'CRLF line ends and a space before DONE',
      body: events(start, text('Lines '), text('end.'), end(), ' [DONE] ').replaceAll('\n', '\r\n'),
      reads: 'Lines end.',
    },
    { quirk: 'no DONE and no blank line at the end', body: events(start, text('Short.'), end()).trimEnd(), reads: 'Short.' },
    { quirk: 'a stream that breaks off', body: events(start, text('Half of '), text('it')), reads: 'Half of it', fault: 'response' },
    {
      quirk: 'a second choice',
      body: events(
        chunk([
          { index: 1, delta: { content: 'no' }, finish_reason: null },
          { index: 0, delta: { content: 'yes' }, finish_reason: null },
        ]),
        end(),
        DONE,
      ),
      reads: 'yes',
    },
  ],
};
