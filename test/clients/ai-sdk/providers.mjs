// The providers of the AI SDK for the protocols of OpenAI and Anthropic.
import assert from 'node:assert/strict';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as ai from 'ai';
import { z } from 'zod';
import { gate } from '../support/cases.mjs';
import { KEY, PIXEL } from '../support/scripted-server.mjs';

/** The models of an agent, by protocol. */
function modelsOf(server, apiKey = KEY) {
  const settings = { baseURL: `${server.url}/v1`, apiKey };
  const compatible = createOpenAICompatible({ name: 'parley', supportsStructuredOutputs: true, includeUsage: true, ...settings });
  const openai = createOpenAI(settings);
  return {
    'OpenAI-compatible': compatible.chatModel('Ada'),
    'chat of OpenAI': openai.chat('Ada'),
    'responses of OpenAI': openai.responses('Ada'),
    Anthropic: createAnthropic(settings)('Ada'),
  };
}

const look = ai.tool({
  description: 'Weather of a town.',
  inputSchema: z.object({ town: z.string() }),
  execute: async ({ town }) => `Rain in ${town}.`,
});
const brewing = z.object({ tea: z.string(), minutes: z.number() });
/** Anthropic's provider asks a model that it does not know to call a tool instead. */
const AS_FORMAT = { anthropic: { structuredOutputMode: 'outputFormat' } };
const results = (server) =>
  server
    .prompt()
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

/** What each of the models does. */
const ofEachModel = {
  async 'generates a text'(model, server) {
    server.model.next({ kind: 'reply', text: 'Sencha.' });
    const { text, usage, finishReason } = await ai.generateText({ model, instructions: 'Rhyme.', prompt: 'Which tea?' });
    assert.deepEqual([text, finishReason, usage.inputTokens, usage.outputTokens], ['Sencha.', 'stop', 7, 3]);
    assert.match(server.asked().messages[0].content, /You are Ada\.[^]*Rhyme\./);
  },

  async 'streams a text'(model, server) {
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea.'] });
    const result = ai.streamText({ model, prompt: 'Which one?' });
    let text = '';
    for await (const part of result.textStream) text += part;
    const usage = await result.usage;
    assert.deepEqual([text, await result.finishReason, usage.outputTokens], ['Green tea.', 'stop', 3]);
  },

  async 'runs a tool and goes on'(model, server) {
    server.model.next(
      { kind: 'calls', calls: [{ id: 'one', name: 'look', input: { town: 'Ulm' } }] },
      { kind: 'reply', text: 'It rains.' },
    );
    const result = await ai.generateText({ model, prompt: 'Weather in Ulm?', tools: { look }, stopWhen: ai.isStepCount(3) });
    assert.deepEqual([result.text, result.steps.length], ['It rains.', 2]);
    assert.deepEqual(results(server), ['Rain in Ulm.']);
  },

  async 'streams the calls of tools'(model, server) {
    server.model.next(
      { kind: 'calls', calls: ['Ulm', 'Bonn'].map((town) => ({ id: town, name: 'look', input: { town } })) },
      { kind: 'reply', text: 'Rain in both.' },
    );
    const result = ai.streamText({ model, prompt: 'Weather in both?', tools: { look }, stopWhen: ai.isStepCount(3) });
    assert.deepEqual([await result.text, results(server)], ['Rain in both.', ['Rain in Ulm.', 'Rain in Bonn.']]);
  },

  async 'generates an object'(model, server) {
    server.model.next({ kind: 'reply', text: '{"tea":"Sencha","minutes":2}' });
    const { object } = await ai.generateObject({ model, schema: brewing, prompt: 'How long?', providerOptions: AS_FORMAT });
    assert.deepEqual(object, { tea: 'Sencha', minutes: 2 });
    assert.deepEqual(Object.keys(server.asked().response_format.json_schema.schema.properties), ['tea', 'minutes']);
  },

  async 'goes on with a conversation, and shows a picture'(model, server) {
    const picture = { type: 'file', mediaType: 'image/png', data: Buffer.from(PIXEL, 'base64') };
    const messages = [
      { role: 'user', content: 'I am Ann.' },
      { role: 'assistant', content: 'Hello Ann.' },
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] },
    ];
    const { text } = await ai.generateText({ model, messages });
    assert.match(text, /^You said: What is this\?/);
    const [first, second, third] = server.prompt();
    assert.deepEqual([first.content, second.content], ['I am Ann.', 'Hello Ann.']);
    assert.equal(third.content.find(({ type }) => type === 'image_url').image_url.url, `data:image/png;base64,${PIXEL}`);
  },
};

const provided = Object.fromEntries(
  ['OpenAI-compatible', 'chat of OpenAI', 'responses of OpenAI', 'Anthropic'].flatMap((name) =>
    Object.entries(ofEachModel).map(([title, run]) => [`${title} (${name})`, ({ server }) => run(modelsOf(server)[name], server)]),
  ),
);

export const providers = {
  ...provided,

  async 'reports an unknown agent and a wrong key'({ server }) {
    const { chatModel } = createOpenAICompatible({ name: 'parley', baseURL: `${server.url}/v1`, apiKey: KEY });
    const failed = (model) => ai.generateText({ model, prompt: 'Hello?', maxRetries: 0 }).catch((error) => error);
    const unknown = await failed(chatModel('gpt-4o'));
    assert.ok(ai.APICallError.isInstance(unknown));
    assert.deepEqual([unknown.statusCode, unknown.isRetryable], [404, false]);
    assert.match(unknown.message, /gpt-4o/);
    for (const model of Object.values(modelsOf(server, 'wrong'))) assert.equal((await failed(model)).statusCode, 401);
  },

  async 'asks again after a failure of the model'({ server }) {
    server.model.next({ kind: 'status', status: 500 }, { kind: 'reply', text: 'Better now.' });
    const { text } = await ai.generateText({ model: modelsOf(server)['OpenAI-compatible'], prompt: 'Are you well?', maxRetries: 1 });
    assert.equal(text, 'Better now.');
  },

  async 'aborts a stream'({ server }) {
    const { open, opened } = gate();
    server.model.next({ kind: 'reply', deltas: ['Green ', 'tea.'], held: { after: 1, until: opened } });
    const leaving = new AbortController();
    const { stream } = ai.streamText({ model: modelsOf(server).Anthropic, prompt: 'I leave.', abortSignal: leaving.signal });
    const types = [];
    for await (const { type } of stream) {
      types.push(type);
      if (type === 'text-delta') leaving.abort();
    }
    open();
    assert.equal(types.at(-1), 'abort');
  },

  async 'embeds texts by their meaning'({ server }) {
    const { embeddingModel } = createOpenAICompatible({ name: 'parley', baseURL: `${server.url}/v1`, apiKey: KEY });
    const values = ['I drink green tea.', 'She has a cup of tea.', 'The engine of the car is broken.'];
    const { embeddings } = await ai.embedMany({ model: embeddingModel('Ada'), values });
    const [tea, cup, car] = embeddings;
    assert.ok(ai.cosineSimilarity(tea, cup) > ai.cosineSimilarity(tea, car) + 0.1);
  },

  async 'speaks and transcribes'({ server }) {
    const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY });
    const { audio } = await ai.generateSpeech({
      model: openai.speech('tts-1'),
      text: 'Good morning.',
      voice: 'alloy',
      outputFormat: 'wav',
    });
    assert.match(Buffer.from(audio.uint8Array).toString('latin1'), /^RIFF[^]{4}WAVE/);
    server.speech.next({ kind: 'reply', text: 'good morning' });
    const { text, segments } = await ai.transcribe({ model: openai.transcription('whisper-1'), audio: audio.uint8Array });
    assert.equal(text, 'good morning');
    assert.deepEqual(
      segments.map(({ startSecond, endSecond }) => [startSecond, endSecond]),
      [
        [0, 1],
        [1, 2],
      ],
    );
  },
};
