// The stand-ins that other tests rest on: they have to be strict themselves.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { aRequest, describeChatModel, failureOf, listen, textOf } from '../../../test/support/describe-chat-model.js';
import { Gate, ScriptedModel } from '../../../test/support/scripted-model.js';
import { AppError } from '../../core/errors/index.js';

const request = aRequest('hello?');

describeChatModel({
  name: 'ScriptedModel',
  replying: (_question, text) => {
    const model = new ScriptedModel();
    for (let i = 0; i < 5; i += 1) model.deltas(text.split(/(?<=\s)/));
    return Promise.resolve(model);
  },
});

describe('ScriptedModel', () => {
  it('replies step by step and records its requests', async () => {
    const model = new ScriptedModel().reply('one').replyWith(({ messages }) => `you asked ${messages.at(-1)?.content}`);
    expect(textOf(await listen(model, request))).toBe('one');
    expect(textOf(await listen(model, request))).toBe('you asked hello?');
    expect(model.requests).toEqual([request, request]);
    model.assertDone();
  });

  it('fails a call without a step, and records it', async () => {
    const model = new ScriptedModel();
    await expect(listen(model, request)).rejects.toThrow('no step for call 1');
    expect(() => model.assertDone()).toThrow('1 calls came for which there was no step');
  });

  it('reports unused steps', () => {
    expect(() => new ScriptedModel().reply('a').reply('b').assertDone()).toThrow('2 of its steps were not used');
  });

  it('fails as scripted, at once or midway', async () => {
    const error = new AppError('MODEL_UNAVAILABLE', 'down');
    const model = new ScriptedModel().fail(error).fail(error, { after: ['a', 'b'] });
    expect(await failureOf(model, request)).toEqual({ error, heard: '' });
    expect(await failureOf(model, request)).toEqual({ error, heard: 'ab' });
  });

  it('releases deltas through a gate one by one', async () => {
    const gate = new Gate();
    const events = new ScriptedModel().deltas(['a', 'b'], { gate }).stream(request, { signal: new AbortController().signal });
    gate.release();
    expect((await events.next()).value).toEqual({ type: 'delta', text: 'a' });
    let arrived = false;
    const second = events.next().finally(() => (arrived = true));
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    expect(arrived).toBe(false);
    gate.open();
    expect((await second).value).toEqual({ type: 'delta', text: 'b' });
    expect((await events.next()).value).toMatchObject({ type: 'finish' });
  });

  it('stalls until it is aborted, and reports when it was called', async () => {
    const model = new ScriptedModel().stall();
    const caller = new AbortController();
    const failure = failureOf(model, request, caller.signal);
    await model.called();
    const reason = new Error('enough');
    caller.abort(reason);
    expect(await failure).toEqual({ error: reason, heard: '' });
  });

  it('repeats the default reply after its steps', async () => {
    const model = new ScriptedModel().always(() => 'again').reply('first');
    const answers = [await listen(model, request), await listen(model, request), await listen(model, request)];
    expect(answers.map(textOf)).toEqual(['first', 'again', 'again']);
    model.assertDone();
  });
});

describe('model-server.mjs', () => {
  it('runs as a separate process and is scripted over HTTP', async () => {
    const child = spawn(process.execPath, ['test/support/model-server.mjs', '--behaviour', '{"kind":"reply","text":"as ever"}'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { port } = JSON.parse(line.toString()) as { port: number };
    const origin = `http://127.0.0.1:${port}`;
    await fetch(`${origin}/control`, { method: 'PUT', body: JSON.stringify({ script: [{ kind: 'status', status: 500 }] }) });
    const ask = (): Promise<Response> =>
      fetch(`${origin}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }),
      });
    expect((await ask()).status).toBe(500);
    expect(await (await ask()).json()).toMatchObject({ choices: [{ message: { content: 'as ever' } }] });
    expect(await (await fetch(`${origin}/control`)).json()).toMatchObject({ count: 2 });
    child.kill();
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
  });
});
