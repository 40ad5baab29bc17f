import { callPiece, completions, DONE, events, type DialectService } from '../wire.js';

const { chunk, delta, text, end } = completions('Qwen/Qwen3-8B');
const hermes = '<tool_call>\n{"name": "GET_WEATHER", "arguments": {"city": "Lisbon"}}\n</tool_call>';

export const VLLM: DialectService = {
  name: 'vLLM',
  provider: 'openai',
  model: 'Qwen/Qwen3-8B',
  cases: [
    {
      quirk: 'the end of the reasoning and the first words in one event',
      body: events(
        delta({ role: 'assistant', content: '' }),
        delta({ reasoning_content: 'Count ' }),
        delta({ reasoning_content: 'them.', content: 'There are ' }),
        text('three '),
        text('ways.'),
        end('stop', {}),
        DONE,
      ),
      reads: 'There are three ways.',
      thinks: 'Count them.',
    },
    {
      quirk: 'reasoning under its new name',
      body: events(delta({ role: 'assistant', content: '', reasoning: 'Count them.' }), text('Three.'), end(), DONE),
      reads: 'Three.',
      thinks: 'Count them.',
    },
    {
      quirk: 'thoughts in the text, without a parser for them',
      body: events(...['<th', 'ink>\nCount', ' them.\n</th', 'ink>\n\nThere are ', 'three.'].map(text), end(), DONE),
      reads: 'There are three.',
      thinks: 'Count them.',
    },
    {
      quirk: 'thoughts whose begin is in the prompt',
      body: events(text('Count '), text('them.\n</think>\n\n'), text('Three.'), end(), DONE),
      reads: 'Three.',
      thinks: 'Count them.',
    },
    {
      quirk: 'thoughts without an end',
      body: events(text('<think>Count them and'), end('length'), DONE),
      reads: '',
      thinks: 'Count them and',
      reason: 'length',
    },
    {
      quirk: 'two thoughts around a text',
      body: events(text('<think>One.</think>First. <'), text('think>Two.</think>Second.'), end(), DONE),
      reads: 'First. Second.',
      thinks: 'One.\n\nTwo.',
    },
    {
      quirk: 'a tag in a code span',
      body: events(text('Put it in `<think>` tags: `<thi'), text('nk>a</think>`.'), end(), DONE),
      reads: 'Put it in `<think>` tags: `<think>a</think>`.',
    },
    {
      quirk: 'a call as text, without a parser for it',
      body: events(text(hermes.slice(0, 7)), text(hermes.slice(7, 30)), text(hermes.slice(30)), end(), DONE),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'a call of an unknown tool as text',
      body: events(text('<tool_call>{"name": "UNKNOWN", "arguments": {}}</tool_call>'), end(), DONE),
      reads: '<tool_call>{"name": "UNKNOWN", "arguments": {}}</tool_call>',
    },
    {
      quirk: 'a call whose name comes again with each piece',
      body: events(
        delta(callPiece(0, { id: 'chatcmpl-tool-1', type: 'function', function: { name: 'GET_WEATHER', arguments: '' } })),
        delta(callPiece(0, { id: null, function: { name: 'GET_WEATHER', arguments: '{"city": ' } })),
        delta(callPiece(0, { id: null, type: null, function: { name: null, arguments: '"Lisbon"}' } })),
        end('tool_calls'),
        DONE,
      ),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'an error in the middle',
      body: events(text('So far'), { object: 'error', message: 'EngineDeadError', type: 'InternalServerError', param: null, code: 500 }),
      reads: 'So far',
      fault: 'service',
    },
    {
      quirk: 'an error under other names',
      body: events(text('So far'), { error_type: 'internal', error_message: 'The engine stopped.', request_id: 'r1' }),
      reads: 'So far',
      fault: 'service',
    },
    {
      quirk: 'a prompt that is too long',
      type: 'application/json',
      status: 400,
      body: JSON.stringify({
        object: 'error',
        message:
          "This model's maximum context length is 8192 tokens. However, you requested 9100 tokens (8600 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
      reads: '',
      fault: 'context',
    },
    {
      quirk: 'a usage in each chunk',
      body: events(
        chunk([{ index: 0, delta: { content: 'One.' } }], { usage: { prompt_tokens: 5, total_tokens: 6, completion_tokens: 1 } }),
        end('stop', { usage: { prompt_tokens: 5, total_tokens: 7, completion_tokens: 2 } }),
        DONE,
      ),
      reads: 'One.',
      usage: { inputTokens: 5, outputTokens: 2 },
    },
  ],
};
