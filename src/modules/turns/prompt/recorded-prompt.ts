import { redact, redactText } from '../../../core/logging/index.js';
import { characterCount, cutText } from '../../../core/text/index.js';
import type { ChatMessage, ChatModel, ChatRequest } from '../../../providers/models/index.js';

/** Texts of a recorded prompt, characters in total. */
const MAX_CHARACTERS = 200_000;

/** A message of a recorded prompt. */
interface RecordedMessage {
  readonly role: ChatMessage['role'];
  readonly content: string;
  /** Files without their content: name, media type and size in bytes. */
  readonly files?: readonly { readonly name: string; readonly mediaType: string; readonly size: number }[];
  /** Calls of tools by the model; the input is JSON text. */
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  readonly toolCallId?: string;
  readonly toolName?: string;
}

/** A request to a model as a run keeps it (RUN_PROMPTS): without secrets and files, and shortened. */
export interface RecordedPrompt {
  /** When the request was sent, epoch ms. */
  readonly at: number;
  readonly provider: string;
  readonly model: string;
  readonly messages: readonly RecordedMessage[];
  /** Names of the tools that were offered. */
  readonly tools: readonly string[];
  readonly parameters: Readonly<Pick<ChatRequest, 'temperature' | 'maxOutputTokens' | 'toolChoice'>>;
  /** Characters that were left out of texts; each cut is noted where it was made. */
  readonly omittedCharacters: number;
}

/** Hides known secrets before it shortens, so that no part of a secret remains at a cut. */
export function recordPrompt({ provider, modelId }: ChatModel, request: ChatRequest, at: number): RecordedPrompt {
  const { temperature, maxOutputTokens, toolChoice } = request;
  const texts = new Shortener(MAX_CHARACTERS);
  const messages: RecordedMessage[] = [];
  for (const index of byImportance(request.messages.length)) {
    const message = request.messages[index];
    if (message) messages[index] = toRecorded(message, texts);
  }
  return {
    at,
    provider,
    model: modelId,
    messages,
    tools: (request.tools ?? []).map(({ name }) => name),
    parameters: { temperature, maxOutputTokens, toolChoice },
    omittedCharacters: texts.omitted,
  };
}

/** The system message first, then the newest: when a prompt is too long, the oldest messages are cut. */
function byImportance(length: number): number[] {
  const indices = [...Array(length).keys()];
  return [...indices.slice(0, 1), ...indices.slice(1).reverse()];
}

function toRecorded(message: ChatMessage, texts: Shortener): RecordedMessage {
  const { role } = message;
  const content = texts.take(redactText(message.content));
  switch (message.role) {
    case 'user': {
      const files = message.files?.map(({ name, mediaType, data }) => ({ name: redactText(name), mediaType, size: data.byteLength }));
      return { role, content, ...(files && { files }) };
    }
    case 'assistant': {
      const toolCalls = message.toolCalls?.map(({ id, name, input }) => ({ id, name, input: texts.take(inputText(input)) }));
      return { role, content, ...(toolCalls && { toolCalls }) };
    }
    case 'tool':
      return { role, content, toolCallId: message.toolCallId, toolName: message.toolName };
    default:
      return { role, content };
  }
}

function inputText(input: unknown): string {
  // Once by value and once as text: names of fields come from the model too.
  return redactText(JSON.stringify(redact(input)) ?? '');
}

/** Hands out a number of characters to texts, and counts what does not fit. */
class Shortener {
  omitted = 0;

  constructor(private left: number) {}

  take(text: string): string {
    const kept = cutText(text, this.left);
    this.left -= kept.length;
    if (kept.length === text.length) return text;
    const omitted = characterCount(text) - characterCount(kept);
    this.omitted += omitted;
    return `${kept}[… ${omitted} characters omitted]`;
  }
}
