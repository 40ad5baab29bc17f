// Models, embeddings, speech.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const recording = () => readFileSync(join(import.meta.dirname, '../../../fixtures/audio/speech.wav'));
const likeness = (one, other) => one.reduce((sum, value, index) => sum + value * other[index], 0) / (length(one) * length(other));
const length = (vector) => Math.hypot(...vector);

export const others = {
  async 'lists the agents as models'({ client }) {
    const ids = [];
    for await (const { id } of client.models.list()) ids.push(id);
    assert.deepEqual(ids, ['Ada', 'Bob']);
  },

  async 'finds a model by name and by id'({ client }) {
    const named = await client.models.retrieve('ada');
    assert.deepEqual([named.id, named.object, named.owned_by], ['Ada', 'model', 'parley']);
    assert.deepEqual(await client.models.retrieve(named.parley.agentId), named);
  },

  async 'embeds texts by their meaning'({ client }) {
    const input = ['I drink green tea.', 'She has a cup of tea.', 'The engine of the car is broken.'];
    const { data, usage } = await client.embeddings.create({ model: 'Ada', input });
    const [tea, cup, car] = data.map(({ embedding }) => embedding);
    assert.deepEqual([tea.length, Math.abs(length(tea) - 1) < 0.001], [512, true]);
    assert.ok(likeness(tea, cup) > likeness(tea, car) + 0.1);
    assert.ok(usage.total_tokens > 10);
  },

  async 'embeds a text as base64 and as numbers alike'({ client }) {
    const [packed, plain] = await Promise.all(
      ['base64', 'float'].map((encoding_format) => client.embeddings.create({ model: 'Ada', input: 'tea', encoding_format })),
    );
    const bytes = Buffer.from(packed.data[0].embedding, 'base64');
    const floats = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index));
    assert.deepEqual(floats, plain.data[0].embedding);
  },

  async 'speaks a text'({ client, server }) {
    const spoken = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Good morning.', response_format: 'pcm' });
    const bytes = Buffer.from(await spoken.arrayBuffer());
    // The scripted voice has 20 ms for each character, at 24,000 samples a second of two bytes each.
    assert.ok(Math.abs(bytes.length / 2 / 24_000 - 0.26) < 0.01, `${bytes.length} bytes`);
    assert.equal(server.speech.requests.at(-1).json.input, 'Good morning.');
  },

  async 'speaks a text as MP3'({ client }) {
    const spoken = await client.audio.speech.create({ model: 'Ada', voice: 'alloy', input: 'Good morning.' });
    assert.equal(spoken.headers.get('content-type'), 'audio/mpeg');
    const bytes = Buffer.from(await spoken.arrayBuffer());
    assert.equal(bytes.readUInt16BE(0) >> 5, 0x7ff);
  },

  async 'transcribes a recording'({ client, server, toFile }) {
    server.speech.next({ kind: 'reply', text: 'what tea is this' });
    const file = await toFile(recording(), 'question.wav', { type: 'audio/wav' });
    assert.deepEqual(await client.audio.transcriptions.create({ model: 'whisper-1', file }), { text: 'what tea is this' });
  },

  async 'transcribes a recording with segments'({ client, server, toFile }) {
    server.speech.next({ kind: 'reply', text: 'green tea' });
    const file = await toFile(recording(), 'question.wav', { type: 'audio/wav' });
    const { text, segments } = await client.audio.transcriptions.create({ model: 'whisper-1', file, response_format: 'verbose_json' });
    assert.deepEqual([text, segments.map((segment) => segment.text.trim())], ['green tea', ['green', 'tea']]);
  },

  async 'reports a recording that is none'({ client, toFile, OpenAI }) {
    const file = await toFile(Buffer.from('no sound'), 'note.wav', { type: 'audio/wav' });
    await assert.rejects(client.audio.transcriptions.create({ model: 'whisper-1', file }), OpenAI.APIError);
  },
};
