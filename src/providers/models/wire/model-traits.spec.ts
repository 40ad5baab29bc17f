import { describe, expect, it } from '@jest/globals';
import { ModelTraits, refusesSchema } from './model-traits.js';

const BODY = {
  model: 'm',
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.3,
  max_tokens: 50,
  tools: [{ type: 'function', function: { name: 'A' } }],
  tool_choice: 'none',
  messages: [
    { role: 'system', content: 'You are Ada.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
      ],
    },
    { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [] },
  ],
};
const openai = (message: string, param: string, code = 'unsupported_parameter'): object => ({
  error: { message, type: 'invalid_request_error', param, code },
});

type Row = [what: string, status: number | undefined, said: object | string, trait: Partial<ModelTraits>, body?: object];

const ROWS: Row[] = [
  [
    'max_completion_tokens (OpenAI)',
    400,
    openai("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 'max_tokens'),
    { limitParameter: 'max_completion_tokens', reasons: true },
  ],
  [
    'no temperature (OpenAI)',
    400,
    openai(
      "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
      'temperature',
      'unsupported_value',
    ),
    { takesTemperature: false },
  ],
  [
    'no temperature (Anthropic)',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: '`temperature` is deprecated for this model.' } },
    { takesTemperature: false },
  ],
  [
    'no stream_options (Mistral)',
    422,
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted', input: {} }] },
    { takesStreamOptions: false },
  ],
  ['no stream_options (prose)', 400, 'Unrecognized request argument supplied: stream_options', { takesStreamOptions: false }],
  [
    'no system message (Gemma at vLLM)',
    400,
    { object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 },
    { takesSystem: false },
  ],
  [
    'no system message (llama.cpp)',
    500,
    { error: { code: 500, message: 'Only user, assistant and tool roles are supported, got system.', type: 'server_error' } },
    { takesSystem: false },
  ],
  [
    'no system message (Gemini)',
    400,
    [{ error: { code: 400, message: 'Developer instruction is not enabled for models/gemma-3-27b-it', status: 'INVALID_ARGUMENT' } }],
    { takesSystem: false },
  ],
  [
    'no tools (Ollama)',
    400,
    { error: { message: 'registry.ollama.ai/library/gemma3:4b does not support tools', type: 'api_error' } },
    { takesTools: false },
  ],
  [
    'no tools (vLLM)',
    400,
    {
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
    },
    { takesTools: false },
  ],
  ['no tools (OpenRouter)', 404, { error: { message: 'No endpoints found that support tool use.', code: 404 } }, { takesTools: false }],
  ['no tool_choice', 400, 'tool_choice is not supported by this model', { takesToolChoice: false }],
  [
    'no images',
    400,
    { error: { message: 'Invalid content type. image_url is only supported by certain models.', type: 'invalid_request_error' } },
    { takesImages: false },
  ],
  ['no images (OpenRouter)', 404, { error: { message: 'No endpoints found that support image input', code: 404 } }, { takesImages: false }],
  [
    'no reasoning',
    422,
    {
      detail: [
        { type: 'extra_forbidden', loc: ['body', 'messages', 2, 'assistant', 'reasoning_content'], msg: 'Extra inputs are not permitted' },
      ],
    },
    { takesReasoning: false },
  ],
  ['an error within a stream', undefined, { error: { message: 'temperature is not supported' } }, { takesTemperature: false }],
  [
    'a smaller limit',
    400,
    { error: { message: 'max_tokens is too large: 50000. This model supports at most 16384 completion tokens' } },
    { maxOutputTokens: 16_384 },
    { max_tokens: 50_000 },
  ],
  [
    'a smaller limit (Groq)',
    400,
    {
      error: {
        message: '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the context window',
      },
    },
    { maxOutputTokens: 8192 },
    { max_tokens: 50_000 },
  ],
  [
    'no top_p (OpenAI)',
    400,
    openai("Unsupported parameter: 'top_p' is not supported with this model.", 'top_p'),
    { takesTopP: false },
    { top_p: 0.5 },
  ],
  [
    'no top_p beside a temperature (Anthropic)',
    400,
    { error: { message: '`temperature` and `top_p` cannot both be specified for this model. Please use only one.' } },
    { takesTopPWithTemperature: false },
    { top_p: 0.5 },
  ],
  [
    'no stop (OpenAI)',
    400,
    openai("Unsupported parameter: 'stop' is not supported with this model.", 'stop'),
    { takesStop: false },
    { stop: ['END'] },
  ],
  [
    'fewer stop texts than it got',
    400,
    openai("Invalid 'stop': array too long. Expected an array with maximum length 1.", 'stop', 'array_above_max_length'),
    { takesStop: false },
    { stop: ['END'] },
  ],
  [
    'no such stop_sequences (Anthropic)',
    400,
    { error: { message: 'stop_sequences: each stop sequence must contain non-whitespace' } },
    { takesStop: false },
    { stop_sequences: ['\n'] },
  ],
  [
    'no reasoning_effort, while it takes its reasoning back',
    400,
    openai("Unsupported parameter: 'reasoning_effort' is not supported with this model.", 'reasoning_effort'),
    { refusedEfforts: new Set(['low']) },
    { reasoning_effort: 'low' },
  ],
  [
    'other values of reasoning_effort',
    400,
    openai(
      "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model. Supported values are: 'low'.",
      'reasoning_effort',
    ),
    { refusedEfforts: new Set(['xhigh']) },
    { reasoning_effort: 'xhigh' },
  ],
  [
    'no thinking (Ollama)',
    400,
    { error: { message: '"llama3.2" does not support thinking' } },
    { refusedEfforts: new Set(['low']) },
    { reasoning_effort: 'low' },
  ],
  [
    'no effort (Anthropic)',
    400,
    { error: { message: 'output_config.effort: Extra inputs are not permitted' } },
    { refusedEfforts: new Set(['high']) },
    { output_config: { effort: 'high', format: { type: 'json_schema', schema: {} } } },
  ],
  [
    'no format (Anthropic)',
    400,
    { error: { message: 'output_config.format: Extra inputs are not permitted' } },
    { takesJsonSchema: false },
    { output_config: { effort: 'high', format: { type: 'json_schema', schema: {} } } },
  ],
  [
    'no json_schema (OpenAI)',
    400,
    openai("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", 'response_format'),
    { takesJsonSchema: false },
    { response_format: { type: 'json_schema' } },
  ],
  [
    'no json_schema (DeepSeek)',
    400,
    { error: { message: 'This response_format type is unavailable now', type: 'invalid_request_error' } },
    { takesJsonSchema: false },
    { response_format: { type: 'json_schema' } },
  ],
  [
    'no json_schema (vLLM)',
    400,
    {
      detail: [{ loc: ['body', 'response_format', 'type'], msg: "Input should be 'text' or 'json_object'" }],
      message: 'Input should be x',
    },
    { takesJsonSchema: false },
    { response_format: { type: 'json_schema' } },
  ],
  [
    'no json_object (LM Studio)',
    400,
    { error: "'response_format.type' must be 'json_schema' or 'text'" },
    { takesJsonObject: false },
    { response_format: { type: 'json_object' } },
  ],
  [
    'no format beside tools (Gemini)',
    400,
    [{ error: { code: 400, message: "Function calling with a response mime type: 'application/json' is unsupported" } }],
    { takesJsonObject: false },
    { response_format: { type: 'json_object' } },
  ],
  [
    'no tool_choice that names a tool',
    400,
    { error: { message: 'deepseek-reasoner does not support this tool_choice' } },
    { takesNamedChoice: false },
    { tool_choice: { type: 'function', function: { name: 'A' } } },
  ],
  [
    'no tool_choice that requires a call',
    400,
    { error: { message: 'tool_choice: unknown variant `required`, expected `none` or `auto`' } },
    { takesRequiredChoice: false },
    { tool_choice: 'required' },
  ],
  [
    'no forced call beside thoughts (Anthropic)',
    400,
    { error: { message: 'Thinking may not be enabled when tool_choice forces tool use.' } },
    { takesRequiredChoice: false },
    { tool_choice: { type: 'any' } },
  ],
  [
    'no parallel_tool_calls',
    400,
    'Unrecognized request argument supplied: parallel_tool_calls',
    { takesParallelToolCalls: false },
    { parallel_tool_calls: false },
  ],
  [
    'no disable_parallel_tool_use',
    400,
    { error: { message: 'tool_choice.any.disable_parallel_tool_use: Extra inputs are not permitted' } },
    { takesParallelToolCalls: false },
    { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
  ],
];

describe('a model is known to take', () => {
  it.each(ROWS)('%s', (_what, status, said, trait, more = {}) => {
    const traits = new ModelTraits();
    const body = JSON.stringify({ ...BODY, ...more });
    const text = status === undefined || typeof said === 'string' ? said : JSON.stringify(said);
    expect(traits.learn(status, text, body)).toMatch(/take/);
    expect(traits).toEqual(Object.assign(new ModelTraits(), trait));
  });
});

it.each<[string, number, string]>([
  ['a wrong key', 401, 'temperature is not supported'],
  ['a fault of the service', 503, 'max_tokens is not supported'],
  ['a text about something else', 400, 'messages: roles must alternate'],
  ['an unknown model', 404, 'The model `m` does not exist'],
])('nothing is learnt from %s', (_what, status, said) => {
  expect(new ModelTraits().learn(status, said, JSON.stringify(BODY))).toBeUndefined();
});

it('a limitation is learnt once, so that retries end', () => {
  const traits = new ModelTraits();
  const body = JSON.stringify(BODY);
  expect(traits.learn(400, 'temperature is not supported', body)).toBeDefined();
  expect(traits.learn(400, 'temperature is not supported', JSON.stringify({ ...BODY, temperature: undefined }))).toBeUndefined();
});

it('the refusal of one schema says nothing about others', () => {
  const said = { error: { message: "Invalid schema for response_format 'a': 'oneOf' is not permitted.", param: 'response_format' } };
  const body = JSON.stringify({ ...BODY, response_format: { type: 'json_schema' } });
  expect(new ModelTraits().learn(400, JSON.stringify(said), body)).toBeUndefined();
  expect(refusesSchema(JSON.stringify(said))).toBe(true);
  expect(refusesSchema("'response_format' of type 'json_schema' is not supported")).toBe(false);
});

it('a model without tools stays one that refuses when a call is required', () => {
  const body = JSON.stringify({ ...BODY, tool_choice: 'required' });
  expect(new ModelTraits().learn(400, 'gemma3:4b does not support tools', body)).toBeUndefined();
});
