import { completions, DONE, events, type DialectService } from '../wire.js';

const { delta, text, end, usage } = completions('qwen3:8b', { system_fingerprint: 'fp_ollama' });
const role = (fields: object) => delta({ role: 'assistant', content: '', ...fields });
const call = (id: string, city: string) =>
  role({ tool_calls: [{ id, index: 0, type: 'function', function: { name: 'GET_WEATHER', arguments: JSON.stringify({ city }) } }] });

export const OLLAMA: DialectService = {
  name: 'Ollama',
  provider: 'ollama',
  model: 'qwen3:8b',
  cases: [
    {
      quirk: 'reasoning beside an empty content',
      body: events(role({ reasoning: 'Count ' }), role({ reasoning: 'them.' }), text('Three.'), role({}), end(), usage(26, 8), DONE),
      reads: 'Three.',
      thinks: 'Count them.',
    },
    {
      quirk: 'all calls with index 0',
      body: events(call('call_1', 'Lisbon'), call('call_2', 'Oslo'), end('tool_calls'), DONE),
      reads: '',
      calls: [
        { name: 'GET_WEATHER', input: { city: 'Lisbon' } },
        { name: 'GET_WEATHER', input: { city: 'Oslo' } },
      ],
    },
    {
      quirk: 'a call with the finish stop',
      body: events(call('call_1', 'Lisbon'), role({}), end('stop'), DONE),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'a call as bare JSON',
      body: events(...['{"name": "GET_', 'WEATHER", "parameters": {"city"', ': "Lisbon"}}'].map(text), end(), DONE),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'JSON that is an answer',
      body: events(text('{"name": "Lisbon", '), text('"sunny": true}'), end(), DONE),
      reads: '{"name": "Lisbon", "sunny": true}',
    },
    {
      quirk: 'a model that was not pulled',
      type: 'application/json',
      status: 404,
      body: JSON.stringify({
        error: { message: 'model "qwen3:8b" not found, try pulling it first', type: 'not_found_error', param: null, code: null },
      }),
      reads: '',
      fault: 'model',
    },
    {
      quirk: 'too little memory',
      type: 'application/json',
      status: 500,
      body: JSON.stringify({
        error: {
          message: 'model requires more system memory (10.2 GiB) than is available (7.1 GiB)',
          type: 'api_error',
          param: null,
          code: null,
        },
      }),
      reads: '',
      fault: 'service',
    },
    {
      quirk: 'an error as a text in the middle',
      body: events(text('So far'), { error: 'an error was encountered while running the model: unexpected EOF' }),
      reads: 'So far',
      fault: 'service',
    },
    {
      quirk: 'newline-delimited JSON',
      type: 'application/x-ndjson',
      body: [text('One '), text('line each.'), end()].map((each) => `${JSON.stringify(each)}\n`).join(''),
      reads: 'One line each.',
    },
  ],
};
