import type { ChatModel, ChatRequest, ChatUsage } from './chat-model.js';

/**
 * The whole text of a model's answer. Tool calls are ignored.
 *
 * @throws the errors of `ChatModel.stream`
 */
export async function complete(
  model: ChatModel,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly usage: ChatUsage }> {
  let text = '';
  let usage: ChatUsage = {};
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'delta') text += event.text;
    else if (event.type === 'finish') ({ usage } = event);
  }
  return { text, usage };
}
