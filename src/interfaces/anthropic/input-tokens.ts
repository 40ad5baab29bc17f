import type { ProtocolRequest } from '../../modules/protocols/index.js';
import type { TokenMeter } from '../../providers/models/index.js';

/** Of a picture or a document, whose content nothing reads yet: those of a picture of a usual size. */
const FILE_TOKENS = 1500;

/** Estimated tokens of what a caller sends: instructions, messages and tools, without what the agent adds to them. */
export function inputTokens(meter: TokenMeter, { messages, turn }: Pick<ProtocolRequest, 'messages' | 'turn'>): number {
  const texts = [
    turn.instructions ?? '',
    ...messages.map(({ text }) => text),
    ...messages.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : [])).map((call) => JSON.stringify(call)),
    ...(turn.tools ?? []).map((tool) => JSON.stringify(tool)),
  ];
  const files = messages.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []));
  return texts.reduce((sum, text) => sum + meter.count(text), files.length * FILE_TOKENS);
}
