import { completions, DONE, events, type DialectService } from '../wire.js';

const { delta, text, end, usage } = completions('anthropic/claude-sonnet-4.5', { provider: 'Anthropic' });
const HEARTBEAT = ': OPENROUTER PROCESSING\n\n';
const details = (fields: object) => ({ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, ...fields });

export const OPENROUTER: DialectService = {
  name: 'OpenRouter',
  provider: 'openai',
  model: 'anthropic/claude-sonnet-4.5',
  cases: [
    {
      quirk: 'heartbeats before and between the events',
      body: `${HEARTBEAT.repeat(3)}${events(delta({ role: 'assistant', content: '' }), text('Patience '))}${HEARTBEAT}${events(text('pays.'), delta({ role: 'assistant', content: '' }, 'stop', { native_finish_reason: 'end_turn' }), usage(10, 2, { cost: 0.0002 }), DONE)}`,
      reads: 'Patience pays.',
      usage: { inputTokens: 10, outputTokens: 2 },
    },
    {
      quirk: 'reasoning twice, as a text and as details',
      body: events(
        delta({ role: 'assistant', content: '', reasoning: 'Count ', reasoning_details: [details({ text: 'Count ' })] }),
        delta({ role: 'assistant', content: '', reasoning: 'them.', reasoning_details: [details({ text: 'them.' })] }),
        delta({ role: 'assistant', content: '', reasoning: null, reasoning_details: [details({ signature: 'c2ln' })] }),
        text('Three.'),
        end(),
        DONE,
      ),
      reads: 'Three.',
      thinks: 'Count them.',
    },
    {
      quirk: 'reasoning and the first words in one event',
      body: events(
        delta({ role: 'assistant', content: 'There are ', reasoning: 'Count them.' }),
        text('three '),
        text('ways.'),
        end(),
        DONE,
      ),
      reads: 'There are three ways.',
      thinks: 'Count them.',
    },
    {
      quirk: 'an error in the middle with a finish',
      body: events(text('So far, '), {
        ...delta({ content: '' }, 'error'),
        error: { code: 502, message: 'Provider disconnected unexpectedly', metadata: { provider_name: 'Anthropic' } },
      }),
      reads: 'So far, ',
      fault: 'service',
    },
    {
      quirk: 'an error in a status of 200',
      type: 'application/json',
      body: JSON.stringify({ error: { message: 'Insufficient credits', code: 402 }, user_id: 'user_1' }),
      reads: '',
      fault: 'quota',
    },
    {
      quirk: 'a message that the policy of a provider refuses',
      type: 'application/json',
      status: 403,
      body: JSON.stringify({
        error: {
          code: 403,
          message: 'Your chosen model requires moderation and your input was flagged',
          metadata: { reasons: ['violence'], flagged_input: 'x' },
        },
      }),
      reads: '',
      fault: 'request',
    },
  ],
};
