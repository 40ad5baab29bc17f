// parley-client against the whole application: documents, memories, sound, and conversations by voice.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { InvalidError, NotFoundError, Parley, ParleyError, type DocumentView } from 'parley-client';
import { connectLive, type Live, type SpeechEvent } from 'parley-client/socket';
import { newId } from '../../src/core/ids/index.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';

const ADMIN = 'the key of the administrator';

let test: TestApp;
let parley: Parley;

beforeAll(async () => {
  test = await createTestApp({ env: { API_KEY: ADMIN } });
  parley = new Parley({ url: test.url, credential: ADMIN });
});
const speech = scriptedSpeech(() => test);
afterEach(() => test.model.assertDone());
afterAll(() => test.close());

describe('a document', () => {
  it('is known when add returns, and reports its progress', async () => {
    const states: DocumentView[] = [];
    const file = new File(['# Warranty\n\nEvery kettle has a warranty of three years.'], 'handbook.md', { type: 'text/markdown' });
    const added = await parley.knowledge.add(ADA.id, file, { onProgress: (document) => states.push(document) });
    expect(added).toMatchObject({ name: 'handbook.md', status: 'ready', pieces: 1 });
    expect(states[0]).toMatchObject({ id: added.id, status: 'pending' });
    expect(states.at(-1)).toMatchObject({ id: added.id, status: 'ready' });

    const conversation = await parley.conversation({ agent: ADA.id, user: 'a reader' });
    test.model.reply('Three years [1].');
    const { messages } = await conversation.ask('How long is the warranty of a kettle?');
    expect(messages[0]?.metadata['sources']).toMatchObject([{ documentId: added.id, document: 'handbook.md' }]);

    await parley.knowledge.delete(ADA.id, added.id);
    await expect(parley.knowledge.get(ADA.id, added.id)).rejects.toThrow(NotFoundError);
  });

  it('of text can be added too, and an unreadable one throws its reason', async () => {
    const { status } = await parley.knowledge.add(ADA.id, { name: 'Hours', text: 'The shop opens at nine.' });
    expect(status).toBe('ready');
    const states: string[] = [];
    const broken = new File(['%PDF-1.7 and nothing more'], 'broken.pdf', { type: 'application/pdf' });
    const failure = await parley.knowledge
      .add(ADA.id, broken, { onProgress: (document) => states.push(document.status) })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidError);
    expect((failure as ParleyError).message).not.toBe('');
    expect(states.at(-1)).toBe('failed');
  });
});

describe('a memory', () => {
  it('is listed, changed, restored, recalled for its user, and deleted', async () => {
    const conversation = await parley.conversation({ agent: ADA.id, user: 'an owner of a cat' });
    test.model.reply('Hello, Otto.');
    await conversation.ask('My cat is called Otto.');
    const { memories } = await parley.memories.list(ADA.id, { entityId: conversation.userId });
    const [memory] = memories;
    expect(memory?.content).toMatchObject({ text: 'My cat is called Otto.' });
    const id = memory?.id ?? '';

    const text = 'My cat is called Max.';
    await parley.memories.update(ADA.id, id, { content: { ...memory?.content, text } });
    expect(await parley.memories.get(ADA.id, id)).toMatchObject({ content: { text } });
    expect(await parley.memories.history(ADA.id, id)).toMatchObject({ versions: [{ content: { text: 'My cat is called Otto.' } }] });
    const recalled = await parley.memories.recall(ADA.id, 'What is my cat called?', 'an owner of a cat');
    expect(recalled.memories).toMatchObject([{ id, text }]);
    expect((await parley.memories.recall(ADA.id, 'What is my cat called?', 'somebody else')).memories).toEqual([]);

    await parley.memories.undo(ADA.id, id);
    expect(await parley.memories.get(ADA.id, id)).toMatchObject({ content: { text: 'My cat is called Otto.' } });
    await parley.memories.delete(ADA.id, id);
    await expect(parley.memories.get(ADA.id, id)).rejects.toThrow(NotFoundError);
  });
});

describe('audio', () => {
  it("is synthesized from a text in the agent's voice, and transcribed", async () => {
    expect(await parley.audio.voices(ADA.id)).toMatchObject({ voices: [{ id: 'anna' }, { id: 'ben' }] });
    speech.synthesizer.speak();
    const spoken = await parley.audio.speak(ADA.id, 'Good morning.', { voice: 'ben' });
    expect(spoken.type).toBe('audio/wav');
    expect(Buffer.from(await spoken.arrayBuffer()).toString('latin1', 0, 4)).toBe('RIFF');
    expect(speech.synthesizer.requests).toMatchObject([{ text: 'Good morning.', voice: 'ben' }]);

    speech.transcriber.hear('good morning');
    expect(await parley.audio.transcribe(ADA.id, spoken, 'en')).toMatchObject({ text: 'good morning', language: 'en' });
  });
});

describe('a conversation by voice', () => {
  let live: Live;
  beforeAll(() => {
    live = connectLive(parley);
  });
  afterAll(() => live.close());

  /** The next events of speech up to the end of an answer. */
  function answer(): Promise<readonly SpeechEvent[]> {
    const events: SpeechEvent[] = [];
    return new Promise((resolve) => {
      const stop = live.onSpeech((event) => {
        events.push(event);
        if (event.type !== 'speech.ended') return;
        stop();
        resolve(events);
      });
    });
  }

  it('recognises the message and speaks the reply sentence by sentence', async () => {
    const channelId = newId();
    speech.transcriber.hear('how are you');
    speech.synthesizer.always();
    test.model.reply('This is the first sentence. And here comes the second one.');
    const heard = answer();
    const utterance = await live.speak({ channelId, agentId: ADA.id, voice: 'ben', language: 'en' });
    await utterance.write(new TextEncoder().encode('some '));
    await utterance.write(new TextEncoder().encode('sound'));
    const { text, messageId } = await utterance.end();
    expect(text).toBe('how are you');
    expect(Buffer.from(speech.transcriber.requests[0]?.audio ?? []).toString()).toBe('some sound');

    const events = await heard;
    expect(events.map(({ type }) => type)).toEqual(['speech.started', 'speech.chunk', 'speech.chunk', 'speech.ended']);
    expect(events.at(-1)).toMatchObject({ utteranceId: utterance.utteranceId, inReplyTo: messageId, status: 'completed', voice: 'ben' });
    const sounds = events.flatMap((event) => (event.type === 'speech.chunk' ? [[event.text, event.audio] as const] : []));
    expect(sounds.map(([words]) => words)).toEqual(['This is the first sentence.', 'And here comes the second one.']);
    for (const [, audio] of sounds) expect(Buffer.from(audio as Uint8Array).toString('latin1', 0, 4)).toBe('RIFF');
  });

  it('allows minutes for recognition, where other requests time out after seconds', async () => {
    const utterance = await live.speak({ channelId: newId(), agentId: ADA.id });
    const limits = jest.spyOn(live.socket, 'timeout');
    await utterance.cancel();
    await utterance.end().catch(() => undefined);
    expect(limits.mock.calls).toEqual([[10_000], [300_000]]);
  });

  it('is cancelled before it is stored, and refused without permission', async () => {
    const channelId = newId();
    const utterance = await live.speak({ channelId, agentId: ADA.id });
    await utterance.write(new TextEncoder().encode('sound'));
    await utterance.cancel();
    await expect(utterance.end()).rejects.toThrow(ParleyError);
    expect(speech.transcriber.requests).toEqual([]);
    await expect(live.speak({ channelId: 'no channel', agentId: ADA.id })).rejects.toThrow(ParleyError);
  });
});
