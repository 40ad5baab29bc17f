import type { Tracer } from '../../core/telemetry/index.js';
import type { ChatEvent, ChatModel, ChatRequest, ChatUsage } from './chat-model.js';
import { chatSpan, setAnswer } from './model-spans.js';

interface CompleteOptions {
  readonly signal: AbortSignal;
  readonly tracer: Tracer;
  /** Gets each piece of the text. */
  readonly onDelta?: (text: string) => unknown;
}

/**
 * The whole text of a model's answer. Tool calls are ignored.
 *
 * @throws the errors of `ChatModel.stream` and of `onDelta`
 */
export function complete(
  model: ChatModel,
  request: ChatRequest,
  { signal, tracer, onDelta }: CompleteOptions,
): Promise<{ readonly text: string; readonly usage: ChatUsage }> {
  const { name, attributes } = chatSpan(model, request);
  return tracer.span(
    name,
    attributes,
    async (span) => {
      let text = '';
      let finish: Extract<ChatEvent, { type: 'finish' }> | undefined;
      for await (const event of model.stream(request, { signal })) {
        if (event.type === 'finish') finish = event;
        if (event.type !== 'delta') continue;
        text += event.text;
        await onDelta?.(event.text);
      }
      if (finish) setAnswer(span, finish);
      return { text, usage: finish?.usage ?? {} };
    },
    { kind: 'client' },
  );
}
