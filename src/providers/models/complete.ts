import type { Tracer } from '../../core/telemetry/index.js';
import { ResponseLimit } from './response-limit.js';
import type { ChatFinish, ChatModel, ChatRequest, ChatUsage } from './chat-model.js';
import { chatSpan, setResponse } from './model-spans.js';

interface CompleteOptions {
  readonly signal: AbortSignal;
  readonly tracer: Tracer;
  /** Gets each piece of the text, also of one that turns out to be reasoning: what was given cannot be taken back. */
  readonly onDelta?: (text: string) => unknown;
}

/**
 * The whole text of a model's response. Tool calls and reasoning are ignored. A model that reached its limit of output tokens before the
 * first word is asked once more: by then it is known to think, and gets room for that.
 *
 * @throws the errors of `ChatModel.stream` and of `onDelta`
 */
export function complete(
  model: ChatModel,
  request: ChatRequest,
  options: CompleteOptions,
): Promise<{ readonly text: string; readonly usage: ChatUsage }> {
  const { name, attributes } = chatSpan(model, request);
  return options.tracer.span(
    name,
    attributes,
    async (span) => {
      const first = await read(model, request, options);
      const isCutShort = first.text.trim() === '' && first.finish?.reason === 'length';
      const { text, finish } = isCutShort ? await read(model, request, options) : first;
      if (finish) setResponse(span, finish);
      const [before, usage] = [isCutShort ? first.finish?.usage : undefined, finish?.usage ?? {}];
      return { text, usage: before === undefined ? usage : sum(before, usage) };
    },
    { kind: 'client' },
  );
}

async function read(
  model: ChatModel,
  request: ChatRequest,
  { signal, onDelta }: CompleteOptions,
): Promise<{ readonly text: string; readonly finish: ChatFinish | undefined }> {
  let text = '';
  let finish: ChatFinish | undefined;
  const limit = new ResponseLimit();
  for await (const event of model.stream(request, { signal })) {
    limit.count(event);
    if (event.type === 'finish') finish = event;
    if (event.type === 'reset') text = '';
    if (event.type !== 'delta') continue;
    text += event.text;
    await onDelta?.(event.text);
  }
  return { text, finish };
}

function sum(a: ChatUsage, b: ChatUsage): ChatUsage {
  const add = (x?: number, y?: number): number | undefined => (x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0));
  return { inputTokens: add(a.inputTokens, b.inputTokens), outputTokens: add(a.outputTokens, b.outputTokens) };
}
