// A stand-in for model services: OpenAI-compatible chat and embeddings, and Anthropic messages, over real HTTP on
// loopback. What each request gets is scripted. In a test: `startModelServer()`. As a process of its own:
//   node test/support/model-server.mjs [--port 0] [--behaviour '{"kind":"reply","delayMs":20}']
// It prints `{"port":12345}` and is scripted over HTTP: `PUT /control` with `{ "script": [...], "otherwise": {...} }`;
// `GET /control` tells `{ "count": n, "requests": [...] }`. Types and meanings are in model-server.d.mts.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { refusalOf } from './templates.mjs';

const KEPT_REQUESTS = 1000;
const DIMENSION = 8;

export async function startModelServer({ port = 0, otherwise = { kind: 'reply' }, template } = {}) {
  const state = { script: [], otherwise, template, count: 0, requests: [], waiting: [] };
  const server = createServer((request, response) => {
    serve(state, request, response).catch((error) => response.destroy(error));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    port: server.address().port,
    origin,
    baseUrl: `${origin}/v1`,
    requests: state.requests,
    received(count = 1) {
      if (state.count >= count) return Promise.resolve(state.requests.at(count - 1 - state.count));
      return new Promise((resolve) => state.waiting.push({ count, resolve }));
    },
    next: (...behaviours) => void state.script.push(...behaviours),
    dropScript: () => void state.script.splice(0),
    otherwise: (behaviour) => void (state.otherwise = behaviour),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(state, request, response) {
  const text = await read(request);
  const path = request.url ?? '/';
  if (path === '/control') return control(state, request.method, text, response);
  const dialect = DIALECTS[path.replace(/\?.*$/, '').replace(/^.*\/v1(beta\/openai)?(?=\/)/, '')];
  if (request.method !== 'POST' || dialect === undefined) return sendJson(response, 404, { error: { message: `no ${path} here` } });

  const body = JSON.parse(text);
  const closed = new Promise((resolve) => response.once('close', () => resolve(response.writableFinished)));
  const record = { path, headers: request.headers, body, connection: request.socket.remotePort, at: performance.now(), closed };
  state.count += 1;
  state.requests.push(record);
  if (state.requests.length > KEPT_REQUESTS) state.requests.shift();
  for (const { count, resolve } of state.waiting) if (count === state.count) resolve(record);
  const refusal = dialect.template && refusalOf(state.template ?? dialect.template, body);
  if (refusal) return sendJson(response, refusal.status, dialect.error(refusal.message, refusal.status));
  const { otherwise } = state;
  const behaviour = state.script.shift() ?? (typeof otherwise === 'function' ? await otherwise(body) : otherwise);
  await answer(dialect, { ...behaviour, text: behaviour.text ?? echo(body) }, body, response);
}

async function answer(dialect, behaviour, body, response) {
  if (behaviour.kind === 'status') {
    const { status, headers = {}, message = `status ${status}`, body: explanation = dialect.error(message, status) } = behaviour;
    return sendJson(response, status, explanation, headers);
  }
  if (behaviour.kind === 'wire') return sendPieces(response, behaviour);
  if (behaviour.kind === 'garbage') return send(response, 200, 'text/event-stream', 'data: {this is not JSON\n\n');
  if (behaviour.kind === 'page') return send(response, 200, 'text/html', '<!doctype html><p>Not what you came for.</p>');
  if (behaviour.kind === 'broken') return send(response, 200, 'application/json', '{"choices": [{"message": ');
  if (dialect.stream !== undefined && body.stream === true) return stream(dialect, behaviour, body, response);
  if (behaviour.kind === 'cut') return void response.destroy();
  if (behaviour.kind === 'hang') return undefined;
  return sendJson(response, 200, dialect.whole(body, behaviour.text));
}

async function stream(dialect, behaviour, body, response) {
  const { kind, text, deltas = words(text), delayMs, held, after = 0, message = 'the model fell over' } = behaviour;
  const { begin, delta, end, calls } = dialect.stream(body);
  if (held) return speakHeld({ begin, deltas: deltas.map(delta), end: kind === 'calls' ? calls(behaviour.calls) : end }, held, response);
  if (kind === 'calls') return send(response, 200, 'text/event-stream', calls(behaviour.calls));
  if (kind === 'reply' && delayMs === undefined) return send(response, 200, 'text/event-stream', begin + deltas.map(delta).join('') + end);
  if (kind === 'cut' && after === 0) return void response.destroy();
  if (kind === 'hang' && after === 0) return undefined;

  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(begin);
  for (const part of kind === 'reply' ? deltas : deltas.slice(0, after)) {
    if (delayMs !== undefined) await pause(delayMs, response);
    if (response.destroyed) return undefined;
    await new Promise((resolve) => response.write(delta(part), resolve));
  }
  if (kind === 'reply') response.end(end);
  if (kind === 'unfinished') response.end();
  if (kind === 'fault') response.write(dialect.fault(message));
  // A moment later: bytes and reset in one packet may be read as the reset alone.
  if (kind === 'cut') setTimeout(() => response.destroy(), 20);
  return undefined;
}

/** Says some deltas, and the rest when it is let. */
async function speakHeld({ begin, deltas, end }, { after, until }, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(begin + deltas.slice(0, after).join(''));
  await until;
  if (!response.destroyed) response.end(deltas.slice(after).join('') + end);
}

const DIALECTS = {
  '/chat/completions': {
    template: 'strict',
    stream(body) {
      const chunk = (choices, more) =>
        sse({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: body.model, choices, ...more });
      const part = (delta, finish = null) => chunk([{ index: 0, delta, finish_reason: finish }]);
      const usage = body.stream_options?.include_usage === true ? chunk([], { usage: openAiUsage }) : '';
      return {
        begin: part({ role: 'assistant', content: '' }),
        delta: (content) => part({ content }),
        end: `${part({}, 'stop')}${usage}data: [DONE]\n\n`,
        // The arguments come in two pieces, as services send them.
        calls: (calls) =>
          part({ role: 'assistant', content: null }) +
          calls
            .map(({ id, name, input }, index) => {
              const text = argumentsOf(input);
              const half = Math.ceil(text.length / 2);
              const piece = (given, more) => part({ tool_calls: [{ index, ...more, function: { ...given } }] });
              return piece({ name, arguments: text.slice(0, half) }, { id, type: 'function' }) + piece({ arguments: text.slice(half) }, {});
            })
            .join('') +
          `${part({}, 'tool_calls')}${usage}data: [DONE]\n\n`,
      };
    },
    whole: (body, content) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: body.model,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: openAiUsage,
    }),
    error: (message, status) => ({ error: { message, type: 'error', code: status } }),
    fault: (message) => sse({ error: { message, type: 'server_error', code: 500 } }),
  },
  '/embeddings': {
    whole: (body) => ({
      object: 'list',
      model: body.model,
      data: [body.input].flat().map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })),
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
    error: (message, status) => ({ error: { message, type: 'error', code: status } }),
  },
  '/messages': {
    template: 'anthropic',
    stream: (body) => ({
      begin:
        event({
          type: 'message_start',
          message: { ...anthropicMessage(body), content: [], stop_reason: null, usage: { input_tokens: 7, output_tokens: 1 } },
        }) + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      delta: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      end:
        event({ type: 'content_block_stop', index: 0 }) +
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } }) +
        event({ type: 'message_stop' }),
      calls: (calls) =>
        event({
          type: 'message_start',
          message: { ...anthropicMessage(body), content: [], stop_reason: null, usage: { input_tokens: 7, output_tokens: 1 } },
        }) +
        calls
          .map(({ id, name, input }, index) => {
            const text = argumentsOf(input);
            const half = Math.ceil(text.length / 2);
            const piece = (partial_json) =>
              event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } });
            return (
              event({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } }) +
              piece(text.slice(0, half)) +
              piece(text.slice(half)) +
              event({ type: 'content_block_stop', index })
            );
          })
          .join('') +
        event({ type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 3 } }) +
        event({ type: 'message_stop' }),
    }),
    whole: (body, text) => ({
      ...anthropicMessage(body),
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 3 },
    }),
    error: (message) => ({ type: 'error', error: { type: 'api_error', message } }),
    fault: (message) => event({ type: 'error', error: { type: 'overloaded_error', message } }),
  },
};

const openAiUsage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const anthropicMessage = (body) => ({ id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_sequence: null });
const sse = (data) => `data: ${JSON.stringify(data)}\n\n`;
const event = (data) => `event: ${data.type}\n${sse(data)}`;

// A test may want arguments that are no JSON.
const argumentsOf = (input) => (typeof input === 'string' ? input : JSON.stringify(input));
const words = (text) => text.split(/(?<=\s)(?=\S)/).filter((word) => word !== '');

/** Answers the last paragraph: what several people said one after another is one message. */
function echo(body) {
  const content = body.messages?.findLast(({ role }) => role === 'user')?.content ?? '';
  const text = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
  return `You said: ${text.split('\n\n').at(-1)}`;
}

/** Equal for equal texts; not of length 1, so that callers that need unit vectors must normalise. */
function vectorOf(text) {
  const vector = Array.from({ length: DIMENSION }, (_, i) => (i === 0 ? 1 : 0));
  for (let i = 0; i < text.length; i += 1) vector[text.charCodeAt(i) % DIMENSION] += 1;
  return vector;
}

function control(state, method, text, response) {
  if (method === 'PUT') {
    const { script, otherwise } = JSON.parse(text);
    if (script !== undefined) state.script.push(...script);
    if (otherwise !== undefined) state.otherwise = otherwise;
  }
  return sendJson(response, 200, { count: state.count, requests: state.requests.map(({ path, body }) => ({ path, body })) });
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function sendJson(response, status, value, headers = {}) {
  send(response, status, 'application/json', JSON.stringify(value), headers);
}

function send(response, status, type, text, headers = {}) {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers });
  response.end(text);
}

/** Each piece in a packet of its own, a turn of the event loop after the one before. */
async function sendPieces(response, { status = 200, type = 'text/event-stream', body, pieces = [], cut = false }) {
  const bytes = Buffer.from(body);
  response.socket.setNoDelay(true);
  response.writeHead(status, { 'content-type': type });
  let sent = 0;
  for (const length of pieces) {
    if (sent >= bytes.length || response.destroyed) break;
    await new Promise((resolve) => response.write(bytes.subarray(sent, sent + length), resolve));
    await new Promise((resolve) => setImmediate(resolve));
    sent += length;
  }
  const rest = bytes.subarray(sent);
  if (cut) response.write(rest, () => response.destroy());
  else response.end(rest);
}

function pause(ms, response) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    response.once('close', done);
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, behaviour: { type: 'string', default: '{"kind":"reply"}' } },
  });
  const server = await startModelServer({ port: Number(values.port), otherwise: JSON.parse(values.behaviour) });
  process.stdout.write(`${JSON.stringify({ port: server.port })}\n`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void server.close());
}
