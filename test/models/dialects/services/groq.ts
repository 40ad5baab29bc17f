import { completions, DONE, events, type DialectService } from '../wire.js';

const { delta, text, end } = completions('openai/gpt-oss-120b', { system_fingerprint: 'fp_gq' });

export const GROQ: DialectService = {
  name: 'Groq',
  provider: 'openai',
  model: 'openai/gpt-oss-120b',
  cases: [
    {
      quirk: 'usage in x_groq',
      body: events(
        delta({ role: 'assistant', content: '' }, null, { x_groq: { id: 'req_1' } }),
        text('Fast '),
        text('words.'),
        end('stop', { x_groq: { id: 'req_1', usage: { queue_time: 0.01, prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } } }),
        DONE,
      ),
      reads: 'Fast words.',
      usage: { inputTokens: 7, outputTokens: 2 },
    },
    {
      quirk: 'reasoning on a channel',
      body: events(
        delta({ reasoning: 'Count ', channel: 'analysis' }),
        delta({ reasoning: 'them.', channel: 'analysis' }),
        text('Three.'),
        end(),
        DONE,
      ),
      reads: 'Three.',
      thinks: 'Count them.',
    },
    {
      quirk: 'a call that the model wrote wrongly',
      type: 'application/json',
      status: 400,
      body: JSON.stringify({
        error: {
          message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
          type: 'invalid_request_error',
          code: 'tool_use_failed',
          failed_generation: '<function=GET_WEATHER{"city": "Lisbon"}</function>',
        },
      }),
      reads: '',
      fault: 'request',
    },
    {
      quirk: 'a request that is too large for the tokens per minute',
      type: 'application/json',
      status: 413,
      body: JSON.stringify({
        error: {
          message:
            'Request too large for model in organization on tokens per minute (TPM): Limit 8000, Requested 9500, please reduce your message size and try again.',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      }),
      reads: '',
      fault: 'context',
    },
    {
      quirk: 'an error event in the middle',
      body: `${events(text('So far'))}event: error\ndata: ${JSON.stringify({ error: { message: 'Internal server error', type: 'internal_server_error', status_code: 500 } })}\n\n`,
      reads: 'So far',
      fault: 'service',
    },
  ],
};
