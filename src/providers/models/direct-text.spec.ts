import { describe, expect, it } from '@jest/globals';
import { TextSink, withDirectText } from './direct-text.js';

const delta = (fields: object, more: object = {}): string =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta: fields, finish_reason: null, ...more }] });

/** What a stream of these packets hands to the sink, and what it leaves to the SDK. */
async function divided(packets: readonly Uint8Array[], type = 'text/event-stream'): Promise<{ text: string; left: string }> {
  const { signal } = new AbortController();
  const sink = new TextSink(signal);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      packets.forEach((packet) => controller.enqueue(packet));
      controller.close();
    },
  });
  const ask = withDirectText(() => Promise.resolve(new Response(body, { headers: { 'content-type': type } })));
  const left = await (await ask('http://model.test', { signal })).text();
  return { text: sink.take(), left };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('text that does not pass through the SDK', () => {
  it('is taken out of the stream, and everything else is left as it was sent', async () => {
    const others = [
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'Hm.' }),
      delta({ content: 'and', reasoning: 'so' }),
      delta({ content: null, tool_calls: [{ index: 0, id: 'a', function: { name: 'bake', arguments: '{}' } }] }),
      delta({ content: 'last' }, { finish_reason: 'stop' }),
      JSON.stringify({ choices: [{ delta: { content: 'counted' } }], usage: { prompt_tokens: 1 } }),
      JSON.stringify({ choices: [{ delta: { content: 'one' } }, { delta: { content: 'two' } }] }),
      JSON.stringify({ choices: [{ delta: { content: [{ type: 'text', text: 'part' }] } }] }),
      JSON.stringify({ choices: [], usage: { prompt_tokens: 7 } }),
      JSON.stringify({ error: { message: 'broken' } }),
      '{this is not JSON',
      'null',
      '[DONE]',
    ].map((data) => `data: ${data}\n\n`);
    const texts = ['Grüße', ' an\n\n', 'alle 🙂'].map((content) => `data: ${delta({ content, refusal: null })}\n\n`);
    const sent = [others[0], texts[0], ...others.slice(1, 5), texts[1], ...others.slice(5), texts[2]].join('');
    expect(await divided([bytes(sent)])).toEqual({ text: 'Grüße an\n\nalle 🙂', left: others.join('') });
  });

  it('is the same however the stream is cut into packets and lines', async () => {
    const sent = `: ping\r\n\r\ndata: ${delta({ content: 'Grüße 🙂' })}\r\n\r\nevent: x\r\ndata: ${delta({ content: 'named' })}\r\n\r\ndata: [DONE]`;
    const whole = bytes(sent);
    const expected = { text: 'Grüße 🙂', left: sent.replace(`data: ${delta({ content: 'Grüße 🙂' })}\r\n\r\n`, '') };
    for (const size of [1, 2, 3, 7, 50, whole.length]) {
      const packets = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.slice(at * size, (at + 1) * size));
      expect(await divided(packets)).toEqual(expected);
    }
  });

  it('is left to the SDK after an event that is longer than any text, which is not searched again and again', async () => {
    const sent = bytes(`data: ${'x'.repeat(100_000)}\n\ndata: ${delta({ content: 'later' })}\n\n`);
    const packets = Array.from({ length: Math.ceil(sent.length / 1000) }, (_, at) => sent.slice(at * 1000, (at + 1) * 1000));
    expect(await divided(packets)).toEqual({ text: '', left: new TextDecoder().decode(sent) });
  });

  it('is sought in event streams only', async () => {
    const sent = `data: ${delta({ content: 'a page' })}\n\n`;
    expect(await divided([bytes(sent)], 'text/html')).toEqual({ text: '', left: sent });
  });
});
