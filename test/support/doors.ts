import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { idFromText } from '../../src/core/ids/index.js';
import type { ApiClient } from './api-client.js';
import type { Asked, Frame, Part } from './cut-wire.js';
import { readChat, readMessages, readNative, readResponse, readUi, type Told } from './door-readers.js';

const USER = '11111111-1111-1111-1111-111111111111';
/** What a tool of the client returns. */
const RESULT = 'It rains.';
const PARAMETERS = { type: 'object', properties: { town: { type: 'string' } } };

/** A plugin whose action the agent runs itself. */
export const CLERK = `export default { name: 'clerk', actions: [
  { name: 'LOOK_UP', description: 'Looks up.', handler: async () => ({ success: true, text: 'Found.' }) } ] };`;

/** What a model says in one of its calls: pieces of text, each with a mark of its own, and the calls of tools behind them. */
export interface Round {
  readonly pieces: readonly string[];
  readonly calls: readonly { readonly name: string; readonly input: object }[];
}

const pieces = (letter: string, count: number, words: string): string[] =>
  Array.from({ length: count }, (_, index) => `«${letter}${index}» ${words}${index === count - 1 ? '' : ' '}`);

/** The rounds of a reply. The second one ends with the call of a tool that the client runs, where a client has any. */
export function roundsOf({ give }: Pick<Door, 'give'>): Round[] {
  const calls = [{ name: 'get_weather', input: { town: 'Köln' } }];
  return [
    { pieces: pieces('a', 2, 'I look\nit up, 🫖 please'), calls: [{ name: 'LOOK_UP', input: {} }] },
    { pieces: pieces('b', 4, 'rain "in" Köln, 雨'), calls: give ? calls : [] },
    ...(give ? [{ pieces: pieces('c', 3, 'of 🌧️ course'), calls: [] }] : []),
  ];
}

/** The request that a client has sent, and what it knows besides. */
export interface Question {
  readonly number: number;
  /** Without one, the client counts its repetitions. */
  readonly key: string | undefined;
  /** Of the conversation, where a client has to create it. */
  readonly session: string;
}

/** How a client goes on when its connection is cut. */
export interface Way {
  readonly name: string;
  /** Undefined when the client lacks what it takes. */
  readonly request: (had: Part, asked: Asked) => Asked | undefined;
  /** What the client has in the end. */
  readonly told: (had: Part, got: Part) => Told;
  /** `whole`: from the beginning of the message, also in a response to results; `stored`: the text of a reply that has ended */
  readonly shows: 'part' | 'whole' | 'stored';
}

/** A protocol that tells a reply as a stream. */
export interface Door {
  readonly name: string;
  /** Creates what the question needs. */
  readonly open?: (api: ApiClient) => Promise<string>;
  readonly ask: (question: Question) => Asked;
  /** The request with the results of the calls in a response, where the client can have tools. */
  readonly give?: (question: Question, told: Told) => Asked;
  readonly told: (frames: readonly Frame[]) => Told;
  readonly ways: readonly Way[];
}

const textOf = ({ number }: Question): string => `Will it rain? [question ${number}]`;
const post = ({ key }: Question, path: string, body: object): Asked => ({
  method: 'POST',
  path,
  headers: key === undefined ? {} : { 'idempotency-key': key },
  body,
});

/** The request once more: with its key, or as clients do that count their repetitions. */
function repeated(told: Door['told']): Way {
  return {
    name: 'the request again',
    request: (_had, asked) =>
      asked.headers?.['idempotency-key'] === undefined
        ? { ...asked, headers: { ...asked.headers, 'x-stainless-retry-count': '1' } }
        : asked,
    told: (_had, got) => told(got.frames),
    shows: 'part',
  };
}

/** The native stream that the head names, behind the last event with an id. @param told what a client has of the stream that was cut */
function native(told?: Door['told']): Way {
  const kept = ({ frames }: Part): readonly Frame[] => {
    const last = frames.findLastIndex(({ id }) => id !== undefined);
    return frames.filter((_, index) => index <= last);
  };
  return {
    name: 'the native stream',
    request: (had) => {
      const path = had.headers.get('content-location');
      const id = kept(had).at(-1)?.id;
      const isWhole = (told ?? readNative)(had.frames).end !== undefined;
      return path === undefined || isWhole
        ? undefined
        : { method: 'GET', path, ...(id !== undefined && { headers: { 'last-event-id': id } }) };
    },
    told: (had, got) => (told ? readNative(got.frames, told(kept(had))) : readNative([...kept(had), ...got.frames])),
    shows: 'part',
  };
}

const readNativeOf = (frames: readonly Frame[]): Told => readNative(frames);

const session: Door = {
  name: 'the native stream of a session',
  open: async (api) => {
    const { body } = await api.post('/api/messaging/sessions', { agentId: idFromText('Ada'), userId: USER });
    return (body.data ?? body).sessionId as string;
  },
  ask: (question) =>
    post(question, `/api/messaging/sessions/${question.session}/messages`, { content: textOf(question), transport: 'sse' }),
  told: readNativeOf,
  ways: [repeated(readNativeOf), native()],
};

const chat: Door = {
  name: 'chat completions',
  ask: (question) => chatAsked(question, []),
  give: (question, { texts, calls }) =>
    chatAsked(question, [
      {
        role: 'assistant',
        content: texts.join('\n\n'),
        tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } })),
      },
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: RESULT })),
    ]),
  told: readChat,
  ways: [repeated(readChat), native(readChat)],
};

function chatAsked(question: Question, more: readonly object[]): Asked {
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: PARAMETERS } }];
  const messages = [{ role: 'user', content: textOf(question) }, ...more];
  return post(question, '/v1/chat/completions', { model: 'Ada', stream: true, tools, messages });
}

const messages: Door = {
  name: "Anthropic's messages",
  ask: (question) => messagesAsked(question, []),
  give: (question, { texts, calls }) =>
    messagesAsked(question, [
      {
        role: 'assistant',
        content: [
          ...texts.map((text) => ({ type: 'text', text })),
          ...calls.map(({ id, name, input = '{}' }) => ({ type: 'tool_use', id, name, input: JSON.parse(input) as unknown })),
        ],
      },
      { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: RESULT })) },
    ]),
  told: readMessages,
  ways: [repeated(readMessages), native(readMessages)],
};

function messagesAsked(question: Question, more: readonly object[]): Asked {
  const tools = [{ name: 'get_weather', input_schema: PARAMETERS }];
  const sent = [{ role: 'user', content: textOf(question) }, ...more];
  return post(question, '/v1/messages', { model: 'Ada', max_tokens: 1000, stream: true, tools, messages: sent });
}

const responses: Door = {
  name: 'responses',
  ask: (question) => responsesAsked(question, { input: textOf(question) }),
  give: (question, { id, calls }) =>
    responsesAsked(question, {
      previous_response_id: id,
      input: calls.map(({ id: callId }) => ({ type: 'function_call_output', call_id: callId, output: RESULT })),
    }),
  told: readResponse,
  ways: [
    repeated(readResponse),
    {
      name: 'starting_after',
      request: ({ frames }) => {
        const { id } = readResponse(frames);
        const last = frames.findLast(({ data }) => data !== '[DONE]');
        if (id === '' || !last) return undefined;
        const { sequence_number: number } = JSON.parse(last.data) as { sequence_number: number };
        return { method: 'GET', path: `/v1/responses/${id}?stream=true&starting_after=${number}` };
      },
      told: (had, got) => readResponse([...had.frames, ...got.frames]),
      shows: 'part',
    },
  ],
};

function responsesAsked(question: Question, body: object): Asked {
  const tools = [{ type: 'function', name: 'get_weather', parameters: PARAMETERS }];
  return post(question, '/v1/responses', { model: 'Ada', stream: true, tools, ...body });
}

const chatOf = ({ number }: Question): string => `chat-${number}`;

const ui: Door = {
  name: 'the AI SDK',
  ask: (question) => uiAsked(question, []),
  give: (question, { id, texts, calls }) =>
    uiAsked(question, [
      {
        id,
        role: 'assistant',
        parts: [
          ...texts.map((text) => ({ type: 'text', text })),
          ...calls.map(({ id: toolCallId, name, input = '{}' }) => ({
            ...{ type: `tool-${name}`, toolCallId, state: 'output-available', output: RESULT },
            input: JSON.parse(input) as unknown,
          })),
        ],
      },
    ]),
  told: readUi,
  ways: [
    repeated(readUi),
    {
      name: 'the stream of the chat',
      request: (_had, { path, body }) => ({ method: 'GET', path: `${path}/${(body as { id: string }).id}/stream` }),
      told: (_had, got) => (got.status === 204 ? { id: '', texts: [], calls: [], end: 'idle' } : readUi(got.frames)),
      shows: 'whole',
    },
    {
      name: 'the stored messages',
      request: ({ headers }) => {
        const id = headers.get('x-conversation-id');
        return id === undefined ? undefined : { method: 'GET', path: `/api/messaging/channels/${id}/messages` };
      },
      told: (_had, got) => readStored(got.text),
      shows: 'stored',
    },
  ],
};

function uiAsked(question: Question, more: readonly object[]): Asked {
  const asked = { id: `question-${question.number}`, role: 'user', parts: [{ type: 'text', text: textOf(question) }] };
  const tools = { get_weather: { inputSchema: PARAMETERS } };
  return post(question, '/api/agents/Ada/chat', { id: chatOf(question), messages: [asked, ...more], trigger: 'submit-message', tools });
}

function readStored(text: string): Told {
  const [newest] = (JSON.parse(text) as { data: { messages: { id: string; isAgent: boolean; content: string }[] } }).data.messages;
  return { id: newest?.id ?? '', texts: newest ? [newest.content] : [], calls: [], end: newest?.isAgent ? 'stop' : undefined };
}

/** All of them: what holds for one holds for each. */
const DOORS: readonly Door[] = [session, chat, messages, responses, ui];

let questions = 0;

/** A question that was never asked. */
export async function newQuestion(door: Door, api: ApiClient, hasKey: boolean): Promise<Question> {
  // Only clients of these protocols count their repetitions.
  const key = hasKey || !door.give ? randomUUID() : undefined;
  return { number: ++questions, key, session: (await door.open?.(api)) ?? '' };
}

/** The responses of each protocol: to a question (0), and to the results of tools (1). */
export const PARTS = DOORS.flatMap((door) => [
  { door, part: 0, what: `${door.name}: the reply` },
  ...(door.give ? [{ door, part: 1, what: `${door.name}: what follows the results of tools` }] : []),
]);

/** What a client has of a reply, whatever its protocol tells. */
export type Outcome = Pick<Told, 'texts' | 'end'> & { readonly calls: readonly string[] };

export function outcomeOf({ texts, calls, end }: Told): Outcome {
  return { texts, calls: calls.map(({ name }) => name), end };
}

/** What a client has of a response that was not cut. @param rounds as the model said them in the end */
export function expectedOf(door: Door, way: Pick<Way, 'shows'>, part: number, rounds: readonly Round[] = roundsOf(door)): Outcome {
  const said = rounds.map((round) => round.pieces.join(''));
  const isWaiting = door.give !== undefined && part === 0;
  const first = part === 0 || way.shows === 'whole' ? 0 : 2;
  const texts = said.filter((_, index) => index >= first && (part === 1 || index < 2));
  return {
    texts: way.shows === 'stored' ? texts.filter((_, index) => index === texts.length - 1) : texts,
    calls: door.give && (part === 0 || way.shows === 'whole') ? ['get_weather'] : [],
    end: isWaiting ? 'tool-calls' : 'stop',
  };
}

export function isSame(one: Outcome, other: Outcome): boolean {
  return isDeepStrictEqual(one, other);
}
