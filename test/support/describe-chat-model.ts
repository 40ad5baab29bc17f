import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import type { ChatEvent, ChatModel, ChatRequest, ChatTool, ChatToolCall } from '../../src/providers/models/index.js';

/** What an adapter has to arrange for the promises of `ChatModel` to be checked on it. */
export interface ChatModelSubject {
  readonly name: string;
  /** A model that answers `aRequest(question)` with this text. */
  replying(question: string, text: string): Promise<ChatModel>;
  /** A model that calls these tools; absent for one that never does. */
  calling?(calls: readonly ChatToolCall[]): Promise<ChatModel>;
  /** Only for models that call a remote service. */
  readonly remote?: {
    /**
     * Gives out so many deltas, then nothing more. `asked` settles when the question has arrived there, with what
     * settles when its connection is closed.
     */
    hanging(deltas: 0 | 1): Promise<{ model: ChatModel; asked: () => Promise<{ closed: Promise<boolean> }> }>;
    /** Answers so many times with this status, then with `ok`; tries three times. */
    refusing(status: number, times: number): Promise<{ model: ChatModel; calls: () => number }>;
    broken(how: 'unreachable' | 'cut before' | 'cut within' | 'unfinished' | 'garbage' | 'fault within' | 'too slow'): Promise<ChatModel>;
    /** The key that the model was given. */
    readonly key: string;
  };
}

/** A question to a character that was shown one answer. */
export function aRequest(question: string, answer = 'ok'): ChatRequest {
  return {
    messages: [
      { role: 'system', content: 'You are Marta, a baker.' },
      { role: 'user', content: 'First question' },
      { role: 'assistant', content: 'First answer' },
      { role: 'user', content: question },
    ],
    grounding: { agentName: 'Marta', facts: [], examples: [{ question, answer }], memories: [] },
    maxOutputTokens: 100,
  };
}

export const A_TOOL: ChatTool = {
  name: 'ORDER_BREAD',
  description: 'Orders bread.',
  parameters: { type: 'object', properties: { loaves: { type: 'integer' } }, required: ['loaves'] },
};

/** The request in the middle of a conversation with tools: one call was made and its result is there. */
export function afterACall(question: string, answer = 'ok'): ChatRequest {
  const request = aRequest(question, answer);
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: '', toolCalls: [{ id: 'call-1', name: A_TOOL.name, input: { loaves: 2 } }] },
      { role: 'tool', content: '{"success":true}', toolCallId: 'call-1', toolName: A_TOOL.name },
    ],
    tools: [A_TOOL],
  };
}

/** Reads a whole answer. */
export async function listen(model: ChatModel, request: ChatRequest, signal = new AbortController().signal): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of model.stream(request, { signal })) events.push(event);
  return events;
}

export function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
}

/** The error that reading an answer ends with, and the deltas that came before it. */
export async function failureOf(
  model: ChatModel,
  request: ChatRequest,
  signal = new AbortController().signal,
): Promise<{ error: unknown; heard: string }> {
  let heard = '';
  try {
    for await (const event of model.stream(request, { signal })) heard += event.type === 'delta' ? event.text : '';
  } catch (error) {
    return { error, heard };
  }
  throw new Error('The model did not fail.');
}

/** The promises of `ChatModel`, for every adapter. */
export function describeChatModel(subject: ChatModelSubject): void {
  const { remote } = subject;
  const question = 'When do you open?';

  describe(`${subject.name} as a chat model`, () => {
    it('yields the reply in deltas and one finish at the end', async () => {
      const text = 'We open at seven,  and close\n at five. ';
      const events = await listen(await subject.replying(question, text), aRequest(question, text));
      expect(textOf(events)).toBe(text);
      expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
      expect(events.length).toBeGreaterThanOrEqual(2);
    });

    it('accepts an empty reply', async () => {
      const events = await listen(await subject.replying(question, ''), aRequest(question, ''));
      expect(events).toEqual([expect.objectContaining({ type: 'finish', reason: 'stop' })]);
    });

    it('replies as usual when it gets tools or tool results', async () => {
      const text = 'They are ordered. ';
      const model = await subject.replying(question, text);
      expect(textOf(await listen(model, { ...aRequest(question, text), tools: [A_TOOL] }))).toBe(text);
      const events = await listen(model, afterACall(question, text));
      expect([textOf(events), events.at(-1)?.type]).toEqual([text, 'finish']);
    });

    it('yields each tool call whole, before the finish; or never calls a tool', async () => {
      const calls: ChatToolCall[] = [
        { id: 'call-1', name: A_TOOL.name, input: { loaves: 2 } },
        { id: 'call-2', name: A_TOOL.name, input: {} },
      ];
      const model = (await subject.calling?.(calls)) ?? (await subject.replying(question, 'no'));
      const events = await listen(model, { ...aRequest(question, 'no'), tools: [A_TOOL] });
      const expected = subject.calling ? calls.map((call) => ({ type: 'tool-call', ...call })) : [];
      expect(events.filter(({ type }) => type === 'tool-call')).toEqual(expected);
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: subject.calling ? 'tool-calls' : 'stop' });
    });

    it('names itself', async () => {
      const model = await subject.replying(question, 'x');
      expect(model.provider).not.toBe('');
      expect(model.modelId).not.toBe('');
    });

    it('handles concurrent calls separately', async () => {
      const model = await subject.replying(question, 'same for all of us');
      const answers = await Promise.all(Array.from({ length: 5 }, () => listen(model, aRequest(question, 'same for all of us'))));
      expect(answers.map(textOf)).toEqual(Array.from({ length: 5 }, () => 'same for all of us'));
    });

    it('does not start when the signal is already aborted', async () => {
      const reason = new Error('gone');
      const { error, heard } = await failureOf(
        await subject.replying(question, 'one two three four'),
        aRequest(question),
        AbortSignal.abort(reason),
      );
      expect(error).toBe(reason);
      expect(heard).toBe('');
    });

    it('ends with the reason when it is aborted between two deltas', async () => {
      const text = 'one two three four five six seven';
      const model = await subject.replying(question, text);
      const caller = new AbortController();
      const reason = new Error('enough');
      const heard: string[] = [];
      const reading = (async () => {
        for await (const event of model.stream(aRequest(question, text), { signal: caller.signal })) {
          heard.push(event.type);
          caller.abort(reason);
        }
      })();
      await expect(reading).rejects.toBe(reason);
      expect(heard).toEqual(['delta']);
    });
  });

  if (remote === undefined) return;

  describe(`${subject.name} as a model on the network`, () => {
    it('ends and closes the connection when it is aborted before the first delta', async () => {
      const { model, asked } = await remote.hanging(0);
      const caller = new AbortController();
      const reason = new Error('stop it');
      const failure = failureOf(model, aRequest(question), caller.signal);
      const { closed } = await asked();
      caller.abort(reason);
      expect(await failure).toEqual({ error: reason, heard: '' });
      expect(await closed).toBe(false);
    });

    it('ends and closes the connection when it is aborted while the reply hangs', async () => {
      const { model, asked } = await remote.hanging(1);
      const caller = new AbortController();
      const reason = new Error('stop it');
      const events = model.stream(aRequest(question), { signal: caller.signal })[Symbol.asyncIterator]();
      expect(await events.next()).toMatchObject({ value: { type: 'delta' } });
      const next = events.next();
      caller.abort(reason);
      await expect(next).rejects.toBe(reason);
      expect(await (await asked()).closed).toBe(false);
    });

    it('closes the connection when the caller leaves the loop', async () => {
      const { model, asked } = await remote.hanging(1);
      for await (const event of model.stream(aRequest(question), { signal: new AbortController().signal })) {
        expect(event.type).toBe('delta');
        break;
      }
      expect(await (await asked()).closed).toBe(false);
    });

    it.each([429, 500, 503])('retries after status %i', async (status) => {
      const { model, calls } = await remote.refusing(status, 2);
      expect(textOf(await listen(model, aRequest(question)))).toBe('ok');
      expect(calls()).toBe(3);
    });

    it('fails with MODEL_UNAVAILABLE when the retries are used up', async () => {
      const { model, calls } = await remote.refusing(503, 99);
      expectAppError((await failureOf(model, aRequest(question))).error, 'MODEL_UNAVAILABLE', model, '503');
      expect(calls()).toBe(3);
    });

    it.each([400, 401, 404])('reports status %i as MODEL_REJECTED, after one attempt and without the key', async (status) => {
      const { model, calls } = await remote.refusing(status, 99);
      const { error } = await failureOf(model, aRequest(question));
      expectAppError(error, 'MODEL_REJECTED', model, String(status));
      expect(calls()).toBe(1);
      expect(JSON.stringify([(error as AppError).message, (error as AppError).details, String((error as AppError).cause)])).not.toContain(
        remote.key,
      );
    });

    it.each(['unreachable', 'cut before', 'unfinished', 'garbage', 'too slow'] as const)(
      'fails with MODEL_UNAVAILABLE when it is %s',
      async (how) => {
        const model = await remote.broken(how);
        const { error, heard } = await failureOf(model, aRequest(question));
        expectAppError(error, 'MODEL_UNAVAILABLE', model);
        expect(heard).toBe('');
      },
    );

    it.each(['cut within', 'fault within'] as const)('does not start again when it is %s a reply', async (how) => {
      const model = await remote.broken(how);
      const { error, heard } = await failureOf(model, aRequest(question));
      expectAppError(error, 'MODEL_UNAVAILABLE', model);
      expect(heard).toBe('one ');
    });
  });
}

function expectAppError(error: unknown, code: string, model: ChatModel, status = ''): void {
  expect(error).toBeInstanceOf(AppError);
  const { message, details, code: actual } = error as AppError;
  expect(actual).toBe(code);
  expect(message).toContain(model.provider);
  expect(message).toContain(model.modelId);
  expect(message).toContain(status);
  expect(details).not.toBe('');
}
