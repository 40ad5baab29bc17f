// Operation 6: POST /api/audio/{agentId}/transcriptions
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { RecordingMemory } from '../../src/modules/audio/index.js';
import { Log } from '../../src/core/logging/index.js';
import { wavFile } from '../../src/providers/speech/index.js';
import { ADA } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { Gate } from '../support/scripted-model.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { contractApp, NOBODY, USER } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';
import { UUIDS, uuid } from './support/kinds.js';

const LIMIT = 200_000;
const SECOND = Uint8Array.from(wavFile([{ samples: new Int16Array(16_000), sampleRate: 16_000 }]));

type Part = readonly [name: string, value: string | Blob, filename?: string];

const recording = (bytes: Uint8Array<ArrayBuffer> = SECOND, type = 'audio/wav'): Blob => new Blob([bytes], { type });

function form(...parts: Part[]): FormData {
  const data = new FormData();
  for (const [name, value, filename = 'blob'] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, filename);
  }
  return data;
}

describe('POST /api/audio/{agentId}/transcriptions', () => {
  const app = contractApp({ AUDIO_MAX_BYTES: String(LIMIT), AUDIO_BUFFER_BYTES: String(2 * LIMIT) });
  const speech = scriptedSpeech(() => app.test);
  const { api } = app;
  const url = (agentId = ADA.id): string => `/api/audio/${agentId}/transcriptions`;
  const upload = (...parts: Part[]): ReturnType<typeof api.send> => api.send('POST', url(), form(...parts));
  const used = (): number => app.test.app.get(RecordingMemory).used;

  it('responds 200 with the text and how it was recognised [transcriptions.create]', async () => {
    speech.transcriber.hear('hello there');
    expect(expectData(await upload(['file', recording()], ['userId', USER]))).toEqual({
      text: 'hello there',
      segments: [
        { text: 'hello', startSeconds: 0, endSeconds: 1, confidence: 0.9 },
        { text: 'there', startSeconds: 1, endSeconds: 2, confidence: 0.9 },
      ],
      provider: 'scripted',
      engine: 'ear',
      language: 'en',
      durationSeconds: 2,
      mediaType: 'audio/wav',
      userId: USER,
    });
  });

  it('passes the engine the bytes as sent, and the language', async () => {
    speech.transcriber.hear('x');
    const answer = await upload(['file', recording()], ['language', 'en-US']);
    expect(answer.headers.get('server-timing')).toMatch(/^transcription;dur=\d+, total;dur=\d+$/);
    const [request] = speech.transcriber.requests;
    expect(Buffer.from(request!.audio).equals(SECOND)).toBe(true);
    expect(request!.language).toBe('en-US');
  });

  it('accepts silence with an empty text [transcriptions.file]', async () => {
    speech.transcriber.hear('');
    expect(expectData(await upload(['file', recording()]))).toMatchObject({ text: '', segments: [], userId: null });
  });

  it.each([
    ['video/webm', 'recording.webm'],
    ['application/octet-stream', 'blob'],
    ['audio/webm;codecs=opus', 'voice'],
    ['image/png', 'picture.png'],
    ['', '../../etc/passwd'],
  ])('detects the content, regardless of the declared type "%s" and the name %s', async (type, name) => {
    speech.transcriber.hear('said');
    expect(expectData(await upload(['file', recording(SECOND, type), name])).text).toBe('said');
  });

  it.each(UUIDS)('accepts a userId that %s, and returns it in lower case [transcriptions.user]', async (_words, id) => {
    speech.transcriber.hear('said');
    expect(expectData(await upload(['file', recording()], ['userId', id as string])).userId).toBe((id as string).toLowerCase());
  });

  it('logs the user but not the text [transcriptions.user]', async () => {
    const said: unknown[] = [];
    const original = Log.prototype.info;
    Log.prototype.info = function info(this: Log, message: string, fields?: never): void {
      said.push([message, fields]);
      original.call(this, message, fields);
    };
    try {
      speech.transcriber.hear('my secret');
      await upload(['file', recording()], ['userId', USER]);
    } finally {
      Log.prototype.info = original;
    }
    expect(said).toContainEqual(['recording transcribed', expect.objectContaining({ userId: USER, agentId: ADA.id, engine: 'ear' })]);
    expect(JSON.stringify(said)).not.toContain('secret');
  });

  describe('refuses with 400 [transcriptions.file]', () => {
    it.each([
      ['no file', [['userId', USER]]],
      ['a file in another field', [['audio', recording()]]],
      ['an empty file', [['file', recording(new Uint8Array())]]],
      [
        'two files',
        [
          ['file', recording()],
          ['file', recording()],
        ],
      ],
      [
        'two files in different fields',
        [
          ['file', recording()],
          ['other', recording()],
        ],
      ],
      ['a text in the place of the file', [['file', 'UklGRg==']]],
      [
        'a language that is empty',
        [
          ['file', recording()],
          ['language', ''],
        ],
      ],
      [
        'two languages',
        [
          ['file', recording()],
          ['language', 'en'],
          ['language', 'de'],
        ],
      ],
    ] as [string, Part[]][])('%s', async (_words, parts) => {
      const answer = await upload(...parts);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toMatch(/file|language/);
    });

    it.each(uuid.wrong.filter(([, value]) => typeof value === 'string'))('a userId that %s', async (_words, value) => {
      const answer = await upload(['file', recording()], ['userId', value as string]);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain('userId');
    });

    it('no body at all', async () => {
      expectError(await api.post(url()), 400, 'VALIDATION_ERROR');
    });

    it.each([
      ['without a boundary', 'multipart/form-data', '--x--'],
      [
        'that ends in the middle of the file',
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nRIFF',
      ],
      ['that is no multipart', 'multipart/form-data; boundary=x', 'garbage'],
    ])('a body %s', async (_words, type, body) => {
      expectError(await api.send('POST', url(), body, { headers: { 'content-type': type } }), 400, 'VALIDATION_ERROR');
    });
  });

  it.each(['application/json', 'audio/wav', 'application/x-www-form-urlencoded'])(
    'refuses a body of the type %s with 415',
    async (type) => {
      const answer = await api.send('POST', url(), type === 'application/json' ? '{"file":"x"}' : SECOND, {
        headers: { 'content-type': type },
      });
      expectError(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    },
  );

  describe('limits memory:', () => {
    it.each([
      ['a file over the limit', [['file', recording(new Uint8Array(LIMIT + 1))]], 'FILE_TOO_LARGE'],
      ['a file far over the limit', [['file', recording(new Uint8Array(40 * LIMIT))]], 'FILE_TOO_LARGE'],
      [
        'a field that is too large',
        [
          ['file', recording()],
          ['userId', 'x'.repeat(200_000)],
        ],
        'PAYLOAD_TOO_LARGE',
      ],
      ['too many files', Array.from({ length: 11 }, () => ['file', recording(new Uint8Array(1))]), 'PAYLOAD_TOO_LARGE'],
    ] as [string, Part[], 'FILE_TOO_LARGE'][])('%s is 413', async (_words, parts, code) => {
      const answer = await upload(...parts);
      expectError(answer, 413, code);
      if (code === 'FILE_TOO_LARGE') expect(answer.body.error.details).toContain('raise AUDIO_MAX_BYTES');
      expect(used()).toBe(0);
    });

    it('a file of exactly the limit is accepted', async () => {
      speech.transcriber.hear('long');
      expectData(await upload(['file', recording(new Uint8Array(LIMIT))]));
      expect(used()).toBe(0);
    });

    it('concurrent recordings beyond the memory limit must be retried', async () => {
      const gates = [new Gate(), new Gate()];
      for (const gate of gates) speech.transcriber.hear('said', { gate });
      const under = [1, 2].map(() => upload(['file', recording(new Uint8Array(LIMIT))]));
      await speech.transcriber.called(2);
      const third = await upload(['file', recording(new Uint8Array(LIMIT))]);
      expectError(third, 503, 'AUDIO_BUSY');
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
      for (const gate of gates) gate.open();
      for (const answer of await Promise.all(under)) expectData(answer);
      expect(used()).toBe(0);
    });
  });

  it.each([
    ['UNSUPPORTED_MEDIA_TYPE', 415],
    ['NO_AUDIO_TRACK', 422],
    ['AUDIO_TOO_LONG', 413],
    ['LANGUAGE_NOT_SUPPORTED', 422],
    ['AUDIO_BUSY', 503],
    ['MODEL_UNAVAILABLE', 503],
  ] as const)('passes on the error %s of an engine', async (code, status) => {
    speech.transcriber.fail(new AppError(code, 'No.', 'Because.'));
    expectError(await upload(['file', recording()]), status, code);
    expect(used()).toBe(0);
  });

  it("hides the cause of an engine's failure behind a 500", async () => {
    speech.transcriber.fail(new TypeError("Cannot read properties of undefined (reading 'HEAPU8')"));
    expectError(await upload(['file', recording()]), 500, 'INTERNAL_ERROR');
  });

  it.each([
    ['the path before the agent', 'x', 400, 'INVALID_ID'],
    ['the agent before the file', NOBODY, 404, 'AGENT_NOT_FOUND'],
  ] as const)('checks %s [audio.order]', async (_name, agentId, status, code) => {
    expectError(await api.send('POST', url(agentId), form()), status, code);
  });

  describePathId('agentId', { send: (id) => api.send('POST', url(id), form(['file', recording()])), unknown: 'AGENT_NOT_FOUND' });

  it('stops the engine when the client disconnects, and stores nothing', async () => {
    speech.transcriber.stall();
    const leave = new AbortController();
    const asking = api.send('POST', url(), form(['file', recording()]), { signal: leave.signal });
    await speech.transcriber.called();
    const [request] = speech.transcriber.requests;
    const stopped = new Promise((resolve) => request!.signal.addEventListener('abort', resolve));
    leave.abort();
    await expect(asking).rejects.toThrow();
    await stopped;
    await until(() => used() === 0);
  });

  it('stores nothing of a partial upload', async () => {
    const { hostname, port } = new URL(app.test.url);
    const head = `POST ${url()} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n`;
    const socket = connect(Number(port), hostname);
    socket.write(`${head}--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(50_000)}`);
    await until(() => used() > 0);
    socket.destroy();
    await until(() => used() === 0);
  });
});

/** Waits until it holds, turn by turn of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
