import { expect, it } from '@jest/globals';
import { aRequest } from '../../../test/support/describe-chat-model.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { ScriptedModel } from '../../../test/support/scripted-model.js';
import { yieldToEventLoop } from '../../core/clock/index.js';
import { Tracer } from '../../core/telemetry/index.js';
import { complete } from './complete.js';
import type { ChatEvent } from './chat-model.js';

const PIECE = 'Hm. '.repeat(10_000);

it.each<[string, ChatEvent]>([
  ['text does not end', { type: 'delta', text: PIECE }],
  ['thoughts do not end', { type: 'reasoning', text: PIECE }],
  ['calls do not end', { type: 'tool-call', id: '1', name: 'LOOK_UP', input: {} }],
])('A reply fails when its %s', async (_what, event) => {
  const model = new ScriptedModel();
  model.events(repeated(event));
  const asked = complete(model, aRequest('Why?'), { signal: new AbortController().signal, tracer: new Tracer(new FakeClock()) });
  await expect(asked).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
});

/** More of an event than any answer has. */
async function* repeated(event: ChatEvent): AsyncGenerator<ChatEvent> {
  for (let times = 0; times < 200; times += 1) {
    await yieldToEventLoop();
    yield event;
  }
}
