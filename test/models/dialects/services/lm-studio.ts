import { callPiece, completions, DONE, events, type DialectService } from '../wire.js';

const { delta, text, end, whole } = completions('mistral-7b-instruct', { system_fingerprint: 'mistral-7b-instruct' });

export const LM_STUDIO: DialectService = {
  name: 'LM Studio',
  provider: 'openai',
  model: 'mistral-7b-instruct',
  cases: [
    {
      quirk: 'an error event in a status of 200',
      body: `event: error\n${events({ error: { message: 'The model has crashed without additional information. (Exit code: 6)' }, message: 'The model has crashed without additional information.' })}`,
      reads: '',
      fault: 'service',
    },
    {
      quirk: 'an error as a text',
      type: 'application/json',
      body: JSON.stringify({ error: 'Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway' }),
      reads: '',
      fault: 'service',
    },
    {
      quirk: 'a context that is too short',
      body: `event: error\n${events({ error: { message: 'Trying to keep the first 5200 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.' } })}`,
      reads: '',
      fault: 'context',
    },
    {
      quirk: 'a name in the first piece and arguments in many',
      body: events(
        delta(callPiece(0, { id: '123456789', type: 'function', function: { name: 'GET_WEATHER', arguments: '' } })),
        ...['{"', 'city', '":"', 'Lisbon', '"}'].map((piece) =>
          delta(callPiece(0, { type: 'function', function: { name: '', arguments: piece } })),
        ),
        end('tool_calls'),
        DONE,
      ),
      reads: '',
      calls: [{ name: 'GET_WEATHER', input: { city: 'Lisbon' } }],
    },
    {
      quirk: 'a thought in the text and its tag in upper case',
      body: events(text('<THINK>Count.</THINK>'), text('\n\nThree.'), end(), DONE),
      reads: 'Three.',
      thinks: 'Count.',
    },
    {
      quirk: 'JSON over two data lines',
      body: `data: ${JSON.stringify(text('Two lines.')).replace('"choices":', '"choices":\ndata: ')}\n\n${events(end(), DONE)}`,
      reads: 'Two lines.',
    },
    {
      quirk: 'data lines without a space and with event names',
      body:
        [text('Event '), text('names.'), end()].map((each) => `event:message\ndata:${JSON.stringify(each)}\n\n`).join('') +
        'data:[DONE]\n\n',
      reads: 'Event names.',
    },
    {
      quirk: 'empty data lines',
      body: `data:\n\ndata: \n\n${events(text('Still '))}data:\n\n${events(text('there.'), end(), DONE)}`,
      reads: 'Still there.',
    },
    {
      quirk: 'null for everything that is absent',
      body: events(
        delta({ role: null, content: null, tool_calls: null, function_call: null, refusal: null, reasoning_content: null }),
        delta({ content: 'Words.', tool_calls: null, reasoning: null }, null, { usage: null, error: null }),
        end(),
        DONE,
      ),
      reads: 'Words.',
    },
    { quirk: 'a message instead of a delta', body: events({ ...whole({ content: 'A message.' }) }, DONE), reads: 'A message.' },
    { quirk: 'an answer without words', body: events(delta({ role: 'assistant', content: '' }), end(), DONE), reads: '' },
  ],
};
