import { callPiece, completions, DONE, events, type DialectService } from '../wire.js';

const { delta, end } = completions('deepseek-reasoner', { system_fingerprint: 'fp_ds' });
const thinks = (words: string) => delta({ content: null, reasoning_content: words });
const says = (words: string) => delta({ content: words, reasoning_content: null });

export const DEEPSEEK: DialectService = {
  name: 'DeepSeek',
  provider: 'openai',
  model: 'deepseek-reasoner',
  cases: [
    {
      quirk: 'comments that keep the connection open, and reasoning',
      body: `: keep-alive\n\n: keep-alive\n\n${events(delta({ role: 'assistant', content: null, reasoning_content: '' }), thinks('Count '), thinks('them.'))}: keep-alive\n\n${events(says('There are '), says('three ways.'), end('stop', { usage: { prompt_tokens: 11, completion_tokens: 9, prompt_cache_hit_tokens: 0 } }), DONE)}`,
      reads: 'There are three ways.',
      thinks: 'Count them.',
      usage: { inputTokens: 11, outputTokens: 9 },
    },
    {
      quirk: 'a call after reasoning, which it wants back',
      body: events(
        thinks('I need '),
        thinks('the weather.'),
        delta(callPiece(0, { id: 'call_00_x', type: 'function', function: { name: 'GET_WEATHER', arguments: '' } })),
        delta(callPiece(0, { function: { arguments: '{"city": "Lisbon"}' } })),
        end('tool_calls'),
        DONE,
      ),
      reads: '',
      thinks: 'I need the weather.',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
      fields: { reasoning_content: 'I need the weather.' },
    },
    {
      quirk: 'a call as text with its own tokens',
      body: events(
        says('<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>GET_WEATHER\n```json\n'),
        says('{"city": "Lisbon"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'),
        end(),
        DONE,
      ),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'too few resources in the middle',
      body: events(says('So far'), end('insufficient_system_resource'), DONE),
      reads: 'So far',
      fault: 'service',
    },
    {
      quirk: 'nothing but reasoning, cut by the length',
      body: events(thinks('Let me think'), end('length'), DONE),
      reads: '',
      thinks: 'Let me think',
      reason: 'length',
    },
    {
      quirk: 'no balance',
      type: 'application/json',
      status: 402,
      body: JSON.stringify({
        error: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' },
      }),
      reads: '',
      fault: 'quota',
    },
  ],
};
