import { callPiece, completions, DONE, events, type DialectService } from '../wire.js';

const { delta, text, end } = completions('gemma-3-12b-it-Q4_K_M.gguf');

export const LLAMA_CPP: DialectService = {
  name: 'llama.cpp',
  provider: 'openai',
  model: 'gemma-3-12b-it',
  cases: [
    {
      quirk: 'timings instead of usage',
      body: events(
        delta({ role: 'assistant', content: null }),
        text('Local '),
        text('words.'),
        end('stop', { timings: { prompt_n: 14, prompt_ms: 80.1, predicted_n: 3, predicted_ms: 55.2 } }),
        DONE,
      ),
      reads: 'Local words.',
      usage: { inputTokens: 14, outputTokens: 3 },
    },
    {
      quirk: 'the finish in its own event and no DONE',
      body: events(text('Local.'), end('stop')),
      reads: 'Local.',
    },
    {
      quirk: 'an error as a line of its own',
      body: `${events(text('So far'))}error: ${JSON.stringify({ code: 500, message: 'Compute error.', type: 'server_error' })}\n\n`,
      reads: 'So far',
      fault: 'service',
    },
    {
      quirk: 'a prompt that is too long',
      type: 'application/json; charset=utf-8',
      status: 400,
      body: JSON.stringify({
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9100,
          n_ctx: 8192,
        },
      }),
      reads: '',
      fault: 'context',
    },
    {
      quirk: 'a prompt that is too long, as a fault of the server',
      type: 'application/json',
      status: 500,
      body: JSON.stringify({
        error: {
          code: 500,
          message: 'the request exceeds the available context size. try increasing the context size or enable context shift',
          type: 'server_error',
        },
      }),
      reads: '',
      fault: 'context',
    },
    {
      quirk: 'a refusal of the template, as a fault of the server',
      type: 'application/json',
      status: 500,
      body: JSON.stringify({
        error: { code: 500, message: 'Value is not callable: raise_exception: this template is broken in row 5', type: 'server_error' },
      }),
      reads: '',
      fault: 'request',
    },
    {
      quirk: 'a model that still loads',
      type: 'application/json',
      status: 503,
      body: JSON.stringify({ error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
      reads: '',
      fault: 'service',
    },
    {
      quirk: 'a call in pieces with an empty object first',
      body: events(
        delta(callPiece(0, { id: 'x1', type: 'function', function: { name: 'GET_WEATHER', arguments: '{' } })),
        delta(callPiece(0, { function: { arguments: '"city":"Lisbon"' } })),
        delta(callPiece(0, { function: { arguments: '}' } })),
        end('tool_calls'),
        DONE,
      ),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'channels of gpt-oss without a parser for them',
      body: events(
        ...['<|channel|>analysis<|mess', 'age|>Count them.<|end|><|start|>assistant<|chan', 'nel|>final<|message|>Three', ' ways.'].map(
          text,
        ),
        end(),
        DONE,
      ),
      reads: 'Three ways.',
      thinks: 'Count them.',
    },
  ],
};
