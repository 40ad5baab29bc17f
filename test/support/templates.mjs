// What chat templates and APIs refuse, by family, from their public documentation: the model of every test that has one is as strict as
// the strictest of them. Types are in templates.d.mts.

const ALTERNATE = 'Conversation roles must alternate user/assistant/user/assistant/...';
const OPENAI_FIELDS = new Set(
  'model messages stream stream_options temperature top_p max_tokens max_completion_tokens tools tool_choice parallel_tool_calls response_format reasoning_effort seed stop user'.split(
    ' ',
  ),
);

/** Each check throws what is wrong. @type {Record<string, ((body: any) => void)[]>} */
const CHECKS = {
  gemma: [noSystem, alternates, wholeCharacters],
  mistral: [oneSystemFirst, alternates, resultsFollowCalls, objectArguments, shortIds, noEmptyText, wholeCharacters],
  qwen: [oneSystemFirst, hasUser, resultsFollowCalls, objectArguments, wholeCharacters],
  llama: [oneSystemFirst, alternates, resultsFollowCalls, objectArguments],
  deepseek: [resultsFollowCalls, reasoningReturned, wholeCharacters],
  openai: [knownFields, resultsFollowCalls, wholeCharacters],
  'openai-reasoning': [knownFields, resultsFollowCalls, wholeCharacters, reasoningParameters],
  gemini: [resultsFollowCalls, signaturesReturned, noEmptyText, wholeCharacters],
  anthropic: [anthropicMessages, wholeCharacters],
  strict: [knownFields, oneSystemFirst, alternates, endsWithQuestion, resultsFollowCalls, objectArguments, noEmptyText, wholeCharacters],
};

export function refusalOf(family, body) {
  try {
    for (const check of CHECKS[family]) check(body);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, message: error.message };
  }
}

class Refusal extends Error {
  constructor(message, status = 400) {
    super(message);
    this.status = status;
  }
}

function refuse(condition, message, status) {
  if (condition) throw new Refusal(message, status);
}

function noSystem({ messages }) {
  refuse(
    messages.some(({ role }) => role === 'system'),
    'System role not supported',
  );
}

function oneSystemFirst({ messages }) {
  refuse(
    messages.slice(1).some(({ role }) => role === 'system'),
    'System message must be at the beginning.',
  );
}

/** Without the system message, calls and results. */
function alternates({ messages }) {
  const turns = messages.filter(({ role, tool_calls: calls }) => role === 'user' || (role === 'assistant' && !calls?.length));
  for (const [index, { role }] of turns.entries()) refuse((role === 'user') !== (index % 2 === 0), ALTERNATE);
  // A result is followed by the answer, not by another question.
  for (const [index, { role }] of messages.entries()) {
    refuse(role === 'user' && messages[index - 1]?.role === 'tool', "Unexpected role 'user' after role 'tool'");
  }
}

function hasUser({ messages }) {
  refuse(!messages.some(({ role }) => role === 'user'), 'No user query found in messages.');
}

function endsWithQuestion({ messages }) {
  refuse(!['user', 'tool'].includes(messages.at(-1)?.role), 'Expected last role User or Tool for serving but got assistant');
}

function resultsFollowCalls({ messages }) {
  let open = [];
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') {
      refuse(!open.includes(id), "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.");
      open = open.filter((each) => each !== id);
      continue;
    }
    refuse(
      open.length > 0,
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each: ${open.join(', ')}`,
    );
    open = (calls ?? []).map((call) => call.id);
    refuse(new Set(open).size !== open.length, 'Duplicate tool call ids.');
  }
  refuse(
    open.length > 0,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each: ${open.join(', ')}`,
  );
}

function objectArguments({ messages }) {
  for (const { function: called } of messages.flatMap(({ tool_calls: calls }) => calls ?? [])) {
    const value = parsed(called.arguments);
    refuse(typeof value !== 'object' || value === null || Array.isArray(value), 'Tool call arguments must be a JSON object.', 500);
  }
}

function shortIds({ messages }) {
  for (const { id } of messages.flatMap(({ tool_calls: calls }) => calls ?? [])) {
    refuse(!/^[a-zA-Z0-9]{9}$/.test(id), `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`);
  }
}

function noEmptyText({ messages }) {
  for (const { role, content, tool_calls: calls } of messages) {
    refuse(!calls?.length && textOf(content).trim() === '', `The ${role} message has no content.`);
  }
}

function wholeCharacters(body) {
  const broken = JSON.stringify(body)
    .replaceAll('\\\\', '')
    .match(/\\ud[89a-f][0-9a-f]{2}/i);
  refuse(broken !== null, `We could not parse the JSON body of your request: invalid surrogate ${broken?.[0]}`);
}

function knownFields(body) {
  const unknown = Object.keys(body).find((field) => !OPENAI_FIELDS.has(field));
  refuse(unknown !== undefined, `Unrecognized request argument supplied: ${unknown}`);
}

function reasoningParameters({ temperature, max_tokens: limit }) {
  refuse(limit !== undefined, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.");
  refuse(
    temperature !== undefined && temperature !== 1,
    `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
  );
}

/** In thinking mode, the reasoning of a call has to come back while its turn lasts. */
function reasoningReturned({ messages }) {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  for (const { tool_calls: calls, reasoning_content: reasoning } of turn) {
    refuse(calls?.length > 0 && !reasoning, 'Missing `reasoning_content` field in the assistant message.');
  }
}

function signaturesReturned({ messages }) {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  for (const { tool_calls: calls } of turn) {
    const [first] = calls ?? [];
    refuse(first !== undefined && !first.extra_content?.google?.thought_signature, 'Function call is missing a thought_signature.');
  }
}

function anthropicMessages({ messages, max_tokens: limit, temperature = 1, system = [] }) {
  refuse(!(limit > 0), 'max_tokens: Field required');
  refuse(temperature < 0 || temperature > 1, 'temperature: range: 0..1');
  refuse(messages[0]?.role !== 'user', 'messages: first message must use the "user" role');
  refuse(messages.at(-1)?.role !== 'user', 'This model does not support assistant message prefill.');
  let open = [];
  for (const { role, content } of messages) {
    refuse(!['user', 'assistant'].includes(role), `messages: unexpected role ${role}`);
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    refuse(blocks.length === 0, 'messages: content must not be empty');
    for (const { type, text } of blocks) refuse(type === 'text' && text.trim() === '', 'messages: text content blocks must be non-empty');
    const answered = blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id);
    refuse(
      open.some((id) => !answered.includes(id)) || answered.some((id) => !open.includes(id)),
      'messages: each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    );
    open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  }
  for (const { text } of [system].flat()) refuse(text?.trim() === '', 'system: text content blocks must be non-empty');
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parts that are no text count too. */
function textOf(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text, type }) => text ?? `[${type}]`).join('');
}
