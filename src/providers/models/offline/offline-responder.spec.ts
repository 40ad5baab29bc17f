import { afterAll, describe, expect, it } from '@jest/globals';
import { describeChatModel, listen, textOf } from '../../../../test/support/describe-chat-model.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { SystemClock, yieldToEventLoop } from '../../../core/clock/index.js';
import { MARTA, said } from '../../../../test/support/offline-characters.js';
import type { Grounding } from '../chat-model.js';
import { EmbeddedEncoder } from '../embedded-encoder.js';
import { EmbeddingModel } from '../embedding-model.js';
import { LanguageDetector } from '../language-detector.js';
import { OfflineResponder } from './offline-responder.js';
import { NOTHING_FOUND, UNKNOWN } from './small-talk.js';

const encoder = new EmbeddedEncoder(new SystemClock());
const languages = new LanguageDetector(new FakeClock());
const responder = new OfflineResponder(encoder, languages);

afterAll(async () => {
  await Promise.all([encoder.close(), languages.close()]);
});

async function ask(question: string, grounding: Grounding = MARTA, model = responder): Promise<string> {
  return textOf(await listen(model, { messages: [{ role: 'user', content: question }], grounding }));
}

function fact(start: string): string {
  const found = MARTA.facts.find((text) => text.startsWith(start));
  if (found === undefined) throw new Error(`no fact begins with ${start}`);
  return found;
}

describeChatModel({ name: 'OfflineResponder', replying: () => Promise.resolve(responder) });

describe('OfflineResponder', () => {
  it('tells that it writes in no given format', () => {
    expect(responder.supportsFormats).toBe(false);
  });

  it.each([
    ['When do you open?', 'The bakery is open'],
    ['what are your opening hours?', 'The bakery is open'],
    ['what time do you close on saturday?', 'The bakery is open'],
    ['where are you?', 'You find us'],
    ['how do I get there?', 'You find us'],
    ['how much is a loaf of bread?', 'A sourdough loaf'],
    ['can I pay with my credit card?', 'Payment'],
    ['do you have anything without gluten?', 'We do not sell'],
    ['I want to order a wedding cake', 'Cakes for'],
    ['who started the bakery?', 'The bakery was founded'],
    ['since when do you exist?', 'The bakery was founded'],
    ['where does your flour come from?', 'All bread'],
  ])('answers %j from the facts', async (question, start) => {
    expect(await ask(question)).toContain(fact(start));
  });

  it("prefers the character's example replies", async () => {
    expect(await ask('Do you do home deliveries?')).toBe('Not to houses, only to the two cafes on the square.');
    expect(await ask('are you hiring?')).toBe('Send your letter to jobs@corner.example and I read it on Monday.');
  });

  it("answers from the user's statements, in the second person", async () => {
    expect(await ask('What is the name of my dog?')).toBe('Your dog is called Rex.');
  });

  it('does not take the question, earlier questions or its own excuses for knowledge', async () => {
    const question = 'Tell me the population of Peru.';
    const memories = [question, 'What is the population of Peru?', `Population of Peru: ${NOTHING_FOUND}`];
    expect(await ask(question, { ...MARTA, memories: said(...memories) })).toBe(UNKNOWN);
  });

  it.each([
    'what is my dog called',
    'What is my dog called? I forgot it.',
    "what's the name of my dog",
    'which name does my dog have',
    'do you know what my dog is called',
  ])('takes no earlier question for knowledge: %j', async (earlier) => {
    const memories = said('My dog is called Rex.', earlier);
    expect(await ask('What is the name of my dog?', { ...MARTA, memories })).toBe('Your dog is called Rex.');
  });

  it.each([
    ['When I was small my dog was Rex.', 'When you were small your dog was Rex.'],
    ['What I call my dog is Rex.', 'What you call your dog is Rex.'],
    ['How my dog got the name Rex is a long story.', 'How your dog got the name Rex is a long story.'],
  ])('takes a statement that begins like a question for knowledge: %j', async (memory, answer) => {
    expect(await ask('What is the name of my dog?', { ...MARTA, memories: said(memory) })).toBe(answer);
  });

  it.each([
    'what is the capital of Australia?',
    'write me a poem about the sea',
    'how do I fix a flat tyre?',
    'is it raining?',
    'asdf qwer',
  ])('says plainly that it knows nothing about %j', async (question) => {
    expect(await ask(question)).toBe(UNKNOWN);
  });

  it('names the remedy only to operators', () => {
    for (const variable of ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'OLLAMA_MODEL']) {
      expect(NOTHING_FOUND).toContain(variable);
    }
    expect(NOTHING_FOUND).toContain('no language model is configured');
    expect(UNKNOWN).not.toMatch(/[A-Z]+_[A-Z]+|model/);
  });

  it.each([
    ['Hello!', 'Hello, I am Marta. Marta runs the Corner Bakery'],
    ['good morning Marta', 'Hello, I am Marta.'],
    ['Thanks a lot!', 'You are welcome.'],
    ['bye', 'Goodbye.'],
    ['ok', 'All right.'],
    ["What's your name?", 'I am Marta. Marta runs'],
    ['who are you?', 'I am Marta. Marta runs'],
    ['what can you do?', 'I answer from what I was told.'],
    ['Are you an AI?', 'a program that looks up its answers'],
    ['which language model are you?', 'a program that looks up its answers'],
  ])('replies sensibly to %j', async (said, answer) => {
    expect(await ask(said)).toContain(answer);
  });

  it("makes small talk in the character's own words when it has them", async () => {
    const examples = [
      { question: 'Hi there', answer: 'Come in, the ovens are warm!' },
      { question: 'Who are you, actually?', answer: 'The one who gets up at three.' },
    ];
    expect(await ask('good evening!', { ...MARTA, examples })).toBe('Come in, the ovens are warm!');
    expect(await ask('who are you?', { ...MARTA, examples })).toBe('The one who gets up at three.');
    expect(await ask('ok', { ...MARTA, examples })).toContain('All right.');
  });

  it('answers the question after a greeting', async () => {
    expect(await ask('Hi Marta, where are you?')).toBe(fact('You find us'));
  });

  it("answers the user's last message", async () => {
    const messages = [
      { role: 'user', content: 'where are you?' },
      { role: 'assistant', content: 'somewhere' },
      { role: 'user', content: 'do you deliver?' },
      { role: 'assistant', content: 'well,' },
    ] as const;
    expect(textOf(await listen(responder, { messages, grounding: MARTA }))).toContain('two cafes');
  });

  it('says that it knows nothing when it gets no question', async () => {
    expect(await ask('  ')).toBe(UNKNOWN);
    expect(textOf(await listen(responder, { messages: [], grounding: MARTA }))).toBe(UNKNOWN);
  });

  it('works with a character without any text', async () => {
    const nobody: Grounding = { agentName: 'Nobody', facts: [], examples: [], memories: [] };
    expect(await ask('hello', nobody)).toBe('Hello, I am Nobody.');
    expect(await ask('when do you open?', nobody)).toBe(UNKNOWN);
  });

  it('compares words without an embedding model', async () => {
    const wordsOnly = new OfflineResponder(undefined);
    expect(await ask('When do you open?', MARTA, wordsOnly)).toBe(fact('The bakery is open'));
    expect(await ask('what does a croissant cost?', MARTA, wordsOnly)).toBe(fact('A sourdough'));
    expect(await ask('what is the capital of Australia?', MARTA, wordsOnly)).toBe(UNKNOWN);
  });

  it("embeds a character's text once, and then only the question", async () => {
    const counting = new CountingEmbedding();
    const model = new OfflineResponder(counting);
    await ask('What is the first question?', MARTA, model);
    const [first, ...more] = counting.calls.splice(0);
    expect(first?.length).toBeGreaterThan(MARTA.facts.length + MARTA.examples.length);
    expect(more).toEqual([]);
    await ask('What is the second question?', MARTA, model);
    expect(counting.calls).toEqual([['What is the second question?']]);
  });

  it('compares 300 facts of 15,000 by meaning, including those with words of the question, without blocking the event loop', async () => {
    const counting = new CountingEmbedding();
    const model = new OfflineResponder(counting);
    const facts = Array.from(
      { length: 15_000 },
      (_, index) => `Drawer ${index} holds ${index % 7} brass screws for lamps of the north pier.`,
    );
    facts[14_321] = 'The spare telescope is wrapped in a yellow blanket.';
    let turns = 0;
    const answered = new AbortController();
    const counted = (async () => {
      for (; !answered.signal.aborted; turns += 1) await yieldToEventLoop();
    })();
    await ask('Where is the telescope?', { ...MARTA, facts }, model);
    answered.abort();
    await counted;
    const [texts = []] = counting.calls;
    expect(texts.length).toBeLessThan(300 * 2 + MARTA.examples.length);
    expect(texts).toContain(facts[14_321]);
    // 50,000 characters at a time.
    expect(turns).toBeGreaterThanOrEqual(Math.floor(facts.join('').length / 50_000));
  });

  it("embeds a character's text once for concurrent questions", async () => {
    const counting = new CountingEmbedding();
    const model = new OfflineResponder(counting);
    const questions = ['What is the first question?', 'What is the second question?', 'What is the third question?'];
    await Promise.all(questions.map((question) => ask(question, MARTA, model)));
    const [first, ...others] = counting.calls;
    expect(first?.length).toBeGreaterThan(MARTA.facts.length + MARTA.examples.length);
    expect(others).toEqual([['What is the second question?'], ['What is the third question?']]);
  });

  it('embeds a text that another caller abandoned', async () => {
    const patient = new PatientEmbedding();
    const model = new OfflineResponder(patient);
    const gone = new AbortController();
    const request = { messages: [{ role: 'user', content: 'What is the first question?' }], grounding: MARTA } as const;
    const given = expect(listen(model, request, gone.signal)).rejects.toThrow('gave up');
    await patient.asked;
    const waiting = ask('What is the second question?', MARTA, model);
    gone.abort(new Error('gave up'));
    await given;
    expect(await waiting).not.toBe('');
    expect(patient.calls.flat().filter((text) => text === MARTA.facts[0])).toHaveLength(2);
  });

  it('embeds little of a long question, and no messages', async () => {
    const counting = new CountingEmbedding();
    const model = new OfflineResponder(counting);
    const long = 'The dog of the story has a name. '.repeat(3000);
    const memories = said(...Array.from({ length: 40 }, (_, index) => `${index} ${long}`));
    await ask('What do I call my dog?', { ...MARTA, memories }, model);
    await ask('I have another dog.', { ...MARTA, memories }, model);
    expect(counting.calls).toEqual([]);
    await ask(`${'of the bakery '.repeat(3000)} what is the name?`, { ...MARTA, memories }, model);
    expect(Math.max(...counting.calls.flat().map(({ length }) => length))).toBeLessThanOrEqual(600);
  });

  it('picks the relevant sentence of a long message, and quotes only its beginning when it is too long', async () => {
    const memories = said(`My dog is called Rex. ${'He likes to sleep. '.repeat(5000)}`);
    expect(await ask('What is my dog called?', { ...MARTA, memories })).toBe('Your dog is called Rex.');
    const endless = said(`My dog is called "Rex" ${'and he likes to sleep '.repeat(5000)}`);
    const answer = await ask('What is my dog called?', { ...MARTA, memories: endless });
    expect(answer).toMatch(/^You told me: "My dog is called "Rex" .* …"$/);
    expect(answer.length).toBeLessThan(500);
  });

  it('compares words when the embedding model fails, and meanings once it works again', async () => {
    const failing = new CountingEmbedding(new Error('broken'));
    const model = new OfflineResponder(failing);
    expect(await ask('When do you open?', MARTA, model)).toBe(fact('The bakery is open'));
    const asked = failing.calls.length;
    await ask('When do you open?', MARTA, model);
    expect(failing.calls.length).toBeGreaterThan(asked);
  });

  it('reports that the caller aborted', async () => {
    const request = { messages: [{ role: 'user', content: 'What is the question?' }], grounding: MARTA } as const;
    const gone = new AbortController();
    const patient = new PatientEmbedding();
    const given = expect(listen(new OfflineResponder(patient), request, gone.signal)).rejects.toThrow('gave up');
    await patient.asked;
    gone.abort(new Error('gave up'));
    await given;
  });
});

class CountingEmbedding extends EmbeddingModel {
  override readonly provider = 'counting';
  override readonly modelId = 'counting';
  override readonly dimension = 2;
  override readonly warm = true;
  readonly calls: (readonly string[])[] = [];

  constructor(private readonly failure?: Error) {
    super();
  }

  override embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.calls.push(texts);
    return this.failure === undefined ? Promise.resolve(texts.map(() => Float32Array.of(0, 1))) : Promise.reject(this.failure);
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Never answers its first call, which ends when it is cancelled. */
class PatientEmbedding extends CountingEmbedding {
  private resolveAsked = (): void => undefined;
  /** Settles with the first call. */
  readonly asked = new Promise<void>((resolve) => (this.resolveAsked = resolve));

  override embed(texts: readonly string[], { signal }: { signal?: AbortSignal } = {}): Promise<Float32Array[]> {
    const vectors = super.embed(texts);
    if (this.calls.length > 1) return vectors;
    this.resolveAsked();
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
  }
}
