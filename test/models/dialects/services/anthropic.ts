import type { DialectService } from '../wire.js';

const sent = (...payloads: readonly { type: string }[]): string =>
  payloads.map((payload) => `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`).join('');
const begin = {
  type: 'message_start',
  message: {
    ...{
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [],
      stop_reason: null,
      stop_sequence: null,
    },
    usage: { input_tokens: 21, cache_creation_input_tokens: 100, cache_read_input_tokens: 300, output_tokens: 1 },
  },
};
const open = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const piece = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
const close = (index: number) => ({ type: 'content_block_stop', index });
const finish = (stop_reason: string, more: object = {}) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null, ...more },
  usage: { output_tokens: 15 },
});
const stop = { type: 'message_stop' };
const ping = { type: 'ping' };
const said = (index: number, ...texts: readonly string[]) => [
  open(index, { type: 'text', text: '' }),
  ...texts.map((text) => piece(index, { type: 'text_delta', text })),
  close(index),
];
const tool = (index: number, id: string, ...pieces: readonly string[]) => [
  open(index, { type: 'tool_use', id, name: 'GET_WEATHER', input: {} }),
  ...pieces.map((partial_json) => piece(index, { type: 'input_json_delta', partial_json })),
  close(index),
];
const thought = { type: 'thinking', thinking: 'They want the weather.', signature: 'EqQBCkYIBBgC' };

export const ANTHROPIC: DialectService = {
  name: 'Anthropic',
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  cases: [
    {
      quirk: 'pings between the events',
      body: sent(begin, ping, ...said(0, 'There are ', 'three ways.'), ping, finish('end_turn'), stop),
      reads: 'There are three ways.',
      usage: { inputTokens: 421, outputTokens: 15 },
    },
    {
      quirk: 'text in the start of a block',
      body: sent(
        begin,
        open(0, { type: 'text', text: 'At ' }),
        piece(0, { type: 'text_delta', text: 'once.' }),
        close(0),
        finish('end_turn'),
        stop,
      ),
      reads: 'At once.',
    },
    {
      quirk: 'thinking before the text',
      body: sent(
        begin,
        open(0, { type: 'thinking', thinking: '', signature: '' }),
        piece(0, { type: 'thinking_delta', thinking: 'They want ' }),
        piece(0, { type: 'thinking_delta', thinking: 'the weather.' }),
        piece(0, { type: 'signature_delta', signature: 'EqQBCkYIBBgC' }),
        close(0),
        ...said(1, 'It is sunny.'),
        finish('end_turn'),
        stop,
      ),
      reads: 'It is sunny.',
      thinks: 'They want the weather.',
      fields: { content: [thought] },
    },
    {
      quirk: 'redacted thinking before a call',
      body: sent(
        begin,
        open(0, { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' }),
        close(0),
        ...said(1, 'I look.'),
        ...tool(2, 'toolu_01', '', '{"city": "Li', 'sbon"}'),
        finish('tool_use'),
        stop,
      ),
      reads: 'I look.',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
      fields: { content: [{ type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' }] },
    },
    {
      quirk: 'a call without pieces of its input',
      body: sent(begin, ...tool(0, 'toolu_02'), finish('tool_use'), stop),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: {} }],
    },
    {
      quirk: 'blocks of tools that the service runs itself',
      body: sent(
        begin,
        ...said(0, 'I search. '),
        open(1, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
        piece(1, { type: 'input_json_delta', partial_json: '{"query":"weather"}' }),
        close(1),
        open(2, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
        close(2),
        open(3, { type: 'text', text: '' }),
        piece(3, { type: 'citations_delta', citation: { type: 'web_search_result_location', url: 'https://example.org', title: 'T' } }),
        piece(3, { type: 'text_delta', text: 'Sunny.' }),
        close(3),
        finish('end_turn'),
        stop,
      ),
      reads: 'I search. Sunny.',
    },
    { quirk: 'a refusal', body: sent(begin, finish('refusal'), stop), reads: '', reason: 'content-filter' },
    {
      quirk: 'an answer cut by its length',
      body: sent(begin, ...said(0, 'It begins'), finish('max_tokens'), stop),
      reads: 'It begins',
      reason: 'length',
    },
    {
      quirk: 'a full context window',
      body: sent(begin, ...said(0, 'It'), finish('model_context_window_exceeded'), stop),
      reads: 'It',
      reason: 'length',
    },
    {
      quirk: 'an overload in the middle',
      body: sent(begin, open(0, { type: 'text', text: '' }), piece(0, { type: 'text_delta', text: 'So far' }), {
        type: 'error',
        error: { type: 'overloaded_error', message: 'Overloaded' },
      } as { type: string }),
      reads: 'So far',
      fault: 'service',
    },
    { quirk: 'no message_stop', body: sent(begin, ...said(0, 'Done.'), finish('end_turn')), reads: 'Done.' },
    {
      quirk: 'a stream that breaks off',
      body: sent(begin, open(0, { type: 'text', text: '' }), piece(0, { type: 'text_delta', text: 'Half' })),
      reads: 'Half',
      fault: 'response',
    },
    {
      quirk: 'one JSON answer to a stream request',
      type: 'application/json',
      body: JSON.stringify({
        ...begin.message,
        content: [thought, { type: 'text', text: 'All at once.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 5, output_tokens: 3 },
      }),
      reads: 'All at once.',
      thinks: 'They want the weather.',
      usage: { inputTokens: 5, outputTokens: 3 },
    },
    {
      quirk: 'data lines without event names',
      body: [begin, ...said(0, 'Names ', 'lack.'), finish('end_turn'), stop]
        .map((payload) => `data:${JSON.stringify(payload)}\n\n`)
        .join(''),
      reads: 'Names lack.',
    },
    {
      quirk: 'an overloaded service',
      type: 'application/json',
      status: 529,
      body: JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      reads: '',
      fault: 'service',
    },
    {
      quirk: 'a prompt that is too long',
      type: 'application/json',
      status: 400,
      body: JSON.stringify({
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      }),
      reads: '',
      fault: 'context',
    },
  ],
};
