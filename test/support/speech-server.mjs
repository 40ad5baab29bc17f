// A stand-in for speech services: OpenAI-compatible speech and transcription, and ElevenLabs, over real HTTP on
// loopback. What each request gets is scripted; without a script speech is a tone of 20 ms for each character, and what
// is heard is "hello from the service". Types and meanings are in speech-server.d.mts.
import { createServer } from 'node:http';
import { once } from 'node:events';

const HEARD = 'hello from the service';

export async function startSpeechServer() {
  const state = { script: [], requests: [], otherwise: { kind: 'reply' }, waiting: [] };
  const server = createServer((request, response) => {
    serve(state, request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests: state.requests,
    next: (...behaviours) => void state.script.push(...behaviours),
    otherwise: (behaviour) => void (state.otherwise = behaviour),
    received: () => new Promise((resolve) => state.waiting.push(resolve)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(state, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const url = new URL(request.url, 'http://stub');
  if (request.method === 'GET') return sendJson(response, 200, voices(url.pathname));
  const json = request.headers['content-type'] === 'application/json' ? JSON.parse(body.toString()) : undefined;
  const closed = new Promise((resolve) => response.once('close', () => resolve(response.writableFinished)));
  state.requests.push({ path: url.pathname, query: url.searchParams, headers: request.headers, json, body, closed });
  for (const resolve of state.waiting.splice(0)) resolve();
  const behaviour = state.script.shift() ?? state.otherwise;
  switch (behaviour.kind) {
    case 'status':
      return sendJson(response, behaviour.status, { error: { message: behaviour.message ?? 'scripted' } }, behaviour.headers);
    case 'stall':
      return;
    case 'cut':
      return response.destroy();
    case 'bytes':
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      return response.end(behaviour.bytes);
    default:
      return reply(url.pathname, json, behaviour, response);
  }
}

function reply(path, json, { text = HEARD }, response) {
  if (path === '/v1/audio/speech') {
    response.writeHead(200, { 'content-type': 'audio/wav' });
    return response.end(Buffer.concat([wavHeader(24_000), tone(json.input, json.speed)]));
  }
  if (path.startsWith('/v1/text-to-speech/')) {
    response.writeHead(200, { 'content-type': 'audio/pcm' });
    return response.end(tone(json.text, json.voice_settings?.speed));
  }
  const words = text.split(' ').filter((word) => word !== '');
  if (path === '/v1/audio/transcriptions') {
    const segments = words.map((word, id) => ({ ...SEGMENT, id, start: id, end: id + 1, text: ` ${word}` }));
    return sendJson(response, 200, { task: 'transcribe', language: 'english', duration: words.length, text, segments });
  }
  if (path === '/v1/speech-to-text') {
    const spoken = words.map((word, i) => ({ text: word, type: 'word', start: i, end: i + 1 }));
    return sendJson(response, 200, { language_code: 'en', language_probability: 1, text, words: spoken });
  }
  return sendJson(response, 404, { error: { message: `no ${path} here` } });
}

const SEGMENT = { seek: 0, tokens: [], temperature: 0, avg_logprob: -0.1, compression_ratio: 1, no_speech_prob: 0 };

function voices(path) {
  if (path === '/v1/voices') {
    return {
      voices: [
        { voice_id: 'one-id', name: 'One', labels: { gender: 'female', language: 'en' } },
        { voice_id: 'two-id', name: 'Two' },
      ],
    };
  }
  return { voices: ['one', { id: 'two' }] };
}

function tone(text, speed = 1) {
  const samples = Math.round((text.length * 480) / speed);
  const bytes = Buffer.alloc(2 * samples);
  for (let i = 0; i < samples; i += 1) bytes.writeInt16LE(Math.round(Math.sin(i / 9) * 8000), 2 * i);
  return bytes;
}

function wavHeader(rate) {
  const header = Buffer.from(
    'RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0data\xff\xff\xff\xff',
    'latin1',
  );
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(2 * rate, 28);
  return header;
}

function sendJson(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
