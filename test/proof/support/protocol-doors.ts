import { randomUUID } from 'node:crypto';
import { readChat, readMessages, readResponse, readUi, type Told } from '../../support/door-readers.js';
import type { Frame } from '../../support/cut-wire.js';

/** The tool of the caller, which the models of the checker call once whenever they are offered it. */
export const TOOL = 'look_up';
const RESULT = 'Found.';
const PARAMETERS = { type: 'object', properties: {} };

/** What a user of protocols says in a conversation. */
export interface Line {
  readonly text: string;
  readonly isStreamed: boolean;
  readonly hasTool: boolean;
}

/** A conversation through protocols. */
export interface Talk {
  /** What all requests name it by; undefined when they bring the conversation with them. */
  readonly name?: string;
  /** The user that the requests claim. */
  readonly user?: string;
  readonly agent: { readonly id: string; readonly name: string };
  /** Messages up to now, in the form of the protocol; of a talk without a name. */
  readonly said: object[];
  /** The latest response, where the next request goes on from it. */
  responseId?: string;
  channelId?: string;
}

export interface Question {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** What the talk has behind the reply. */
  readonly said: readonly object[];
}

/** A protocol, as its users see it. */
export interface Door {
  readonly name: string;
  readonly ask: (talk: Talk, line: Line) => Question;
  /** The results of the calls in a response. */
  readonly give: (talk: Talk, line: Line, told: Told) => Question;
  readonly told: (frames: readonly Frame[]) => Told;
  /** A response that was not streamed, where there are any. */
  readonly whole?: (body: Json) => Told;
  /** Where the client reads on, if it can. @param told from the events up to now @param newest of them */
  readonly resume?: (question: Question, told: Told, newest: Frame | undefined) => Resumption | undefined;
}

export interface Resumption {
  readonly path: string;
  /** Whether the events come from the beginning. */
  readonly isReplay: boolean;
}

type Json = ReturnType<typeof JSON.parse>;

const ANTHROPIC_HEADERS = { 'anthropic-version': '2023-06-01' };

function named({ name }: Talk): Record<string, string> {
  return name === undefined ? {} : { 'x-conversation-id': name };
}

/** Named talks send what is new, others the whole conversation. */
function messagesOf(talk: Talk, added: readonly object[]): readonly object[] {
  return talk.name === undefined ? [...talk.said, ...added] : added;
}

const chat: Door = {
  name: 'chat completions',
  ask: (talk, line) => chatQuestion(talk, line, [{ role: 'user', content: line.text }]),
  give: (talk, line, { texts, calls }) =>
    chatQuestion(talk, line, [
      { role: 'user', content: line.text },
      {
        role: 'assistant',
        content: texts.join('\n\n') || null,
        tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } })),
      },
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: RESULT })),
    ]),
  told: readChat,
  whole({ id, choices: [{ message, finish_reason: finish }] }) {
    const calls = (message.tool_calls ?? []).map((call: Json) => ({
      id: call.id,
      name: call.function.name,
      input: call.function.arguments,
    }));
    return { id, texts: textsOf(message.content), calls, end: String(finish).replace('_', '-') };
  },
};

function chatQuestion(talk: Talk, { isStreamed, hasTool }: Line, added: readonly object[]): Question {
  const tools = [{ type: 'function', function: { name: TOOL, parameters: PARAMETERS } }];
  const messages = messagesOf(talk, added);
  const body = { model: talk.agent.name, stream: isStreamed, messages, ...(talk.user && { user: talk.user }), ...(hasTool && { tools }) };
  return { path: '/v1/chat/completions', headers: named(talk), body, said: messages };
}

const anthropic: Door = {
  name: "Anthropic's messages",
  ask: (talk, line) => anthropicQuestion(talk, line, [{ role: 'user', content: line.text }]),
  give: (talk, line, { texts, calls }) =>
    anthropicQuestion(talk, line, [
      { role: 'user', content: line.text },
      {
        role: 'assistant',
        content: [
          ...texts.map((text) => ({ type: 'text', text })),
          ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: JSON.parse(input || '{}') as unknown })),
        ],
      },
      { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: RESULT })) },
    ]),
  told: readMessages,
  whole({ id, content, stop_reason: stop }) {
    const calls = content.flatMap((block: Json) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: JSON.stringify(block.input) }] : [],
    );
    const texts = content.flatMap((block: Json) => (block.type === 'text' ? textsOf(block.text) : []));
    return { id, texts, calls, end: stop === 'end_turn' ? 'stop' : stop === 'tool_use' ? 'tool-calls' : stop };
  },
};

function anthropicQuestion(talk: Talk, { isStreamed, hasTool }: Line, added: readonly object[]): Question {
  const tools = [{ name: TOOL, input_schema: PARAMETERS }];
  const messages = messagesOf(talk, added);
  const claim = talk.user && { metadata: { user_id: talk.user } };
  const body = { model: talk.agent.name, max_tokens: 1000, stream: isStreamed, messages, ...claim, ...(hasTool && { tools }) };
  return { path: '/v1/messages', headers: { ...ANTHROPIC_HEADERS, ...named(talk) }, body, said: messages };
}

const responses: Door = {
  name: 'responses',
  ask: (talk, line) => responsesQuestion(talk, line, line.text, talk.responseId),
  give: (talk, line, { id, calls }) =>
    responsesQuestion(
      talk,
      line,
      calls.map(({ id: callId }) => ({ type: 'function_call_output', call_id: callId, output: RESULT })),
      id,
    ),
  told: readResponse,
  whole({ id, output, status, error }) {
    const calls = output.flatMap((item: Json) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: item.arguments }] : [],
    );
    const texts = output.flatMap((item: Json) => (item.type === 'message' ? item.content.flatMap(({ text }: Json) => textsOf(text)) : []));
    const end = status !== 'completed' ? `error: ${error?.code ?? status}` : calls.length > 0 ? 'tool-calls' : 'stop';
    return { id, texts, calls, end };
  },
  resume: (_question, { id }, newest) => {
    if (id === '' || newest === undefined) return undefined;
    const { sequence_number: number } = JSON.parse(newest.data) as { sequence_number: number };
    return { path: `/v1/responses/${id}?stream=true&starting_after=${number}`, isReplay: false };
  },
};

function responsesQuestion(talk: Talk, { isStreamed, hasTool }: Line, input: unknown, previous: string | undefined): Question {
  const tools = [{ type: 'function', name: TOOL, parameters: PARAMETERS }];
  const isResult = typeof input !== 'string';
  const place = talk.name !== undefined && !isResult ? { conversation: talk.name } : previous && { previous_response_id: previous };
  const body = {
    model: talk.agent.name,
    stream: isStreamed,
    input,
    ...place,
    ...(talk.user && { user: talk.user }),
    ...(hasTool && { tools }),
  };
  return { path: '/v1/responses', headers: {}, body, said: [] };
}

const ui: Door = {
  name: 'the AI SDK',
  ask: (talk, line) => uiQuestion(talk, line, { id: randomUUID(), role: 'user', parts: [{ type: 'text', text: line.text }] }),
  give: (talk, line, { id, texts, calls }) =>
    uiQuestion(talk, line, {
      id,
      role: 'assistant',
      parts: [
        ...texts.map((text) => ({ type: 'text', text })),
        ...calls.map(({ id: toolCallId, name, input }) => ({
          ...{ type: `tool-${name}`, toolCallId, state: 'output-available', output: RESULT },
          input: JSON.parse(input || '{}') as unknown,
        })),
      ],
    }),
  told: readUi,
  resume: ({ path, body }) => ({ path: `${path}/${encodeURIComponent((body as { id: string }).id)}/stream`, isReplay: true }),
};

function uiQuestion(talk: Talk, { hasTool }: Line, message: object): Question {
  const tools = { [TOOL]: { inputSchema: PARAMETERS } };
  const body = { id: talk.name, message, ...(hasTool && { tools }) };
  return { path: `/api/agents/${talk.agent.id}/chat`, headers: {}, body, said: [] };
}

function textsOf(text: string | null): string[] {
  return text ? [text] : [];
}

/** Those that bring the conversation with each request. */
export const RESENDING = [chat, anthropic] as const;
/** Those that name it; one conversation may go through all of them. */
export const NAMING = [chat, anthropic, responses, ui] as const;
/** Those that go on from a response. */
export const CONTINUING = [responses] as const;
