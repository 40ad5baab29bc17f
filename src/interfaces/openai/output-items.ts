import type { Citation } from '../../modules/messaging/index.js';
import { readCallId, type SentCall } from '../../modules/turns/index.js';
import { itemId } from './response-ids.js';

export type OutputStatus = 'in_progress' | 'completed' | 'incomplete';

/** A source of a text: a page of the web, or a document of the agent. */
export type AnnotationView =
  | {
      readonly type: 'url_citation';
      readonly url: string;
      readonly title: string;
      /** Characters of the text that name the source, in UTF-16 units; 0 when it names it nowhere. */
      readonly start_index: number;
      readonly end_index: number;
    }
  | { readonly type: 'file_citation'; readonly file_id: string; readonly filename: string; readonly index: number };

export interface TextContentView {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly AnnotationView[];
  readonly logprobs: readonly never[];
}

export interface MessageItem {
  readonly type: 'message';
  readonly id: string;
  readonly status: OutputStatus;
  readonly role: 'assistant';
  readonly content: readonly TextContentView[];
  /** `commentary`: said before the agent acted; absent while it is not known. */
  readonly phase?: 'commentary' | 'final_answer';
}

export interface FunctionCallItem {
  readonly type: 'function_call';
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
  readonly status: OutputStatus;
}

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
}

/** An item of the output of a response. */
export type OutputItem = MessageItem | FunctionCallItem | ReasoningItem;

/** What a model says as a reply has it: without NUL, spaces around, and half of a character at the end. The beginning of a text has the beginning of its plain text. */
export function plainText(text: string): string {
  return text
    .replaceAll('\0', '')
    .trim()
    .replace(/[\uD800-\uDBFF]$/u, '');
}

/** @param text undefined for an item that begins */
export function messageItem(
  id: string,
  text: string | undefined,
  status: OutputStatus,
  { annotations = [], phase }: { annotations?: readonly AnnotationView[]; phase?: MessageItem['phase'] } = {},
): MessageItem {
  const content = text === undefined ? [] : [{ type: 'output_text', text, annotations, logprobs: [] } as const];
  return { type: 'message', id, status, role: 'assistant', content, ...(phase && { phase }) };
}

/** @param text undefined for an item that begins */
export function reasoningItem(id: string, text: string | undefined): ReasoningItem {
  return { type: 'reasoning', id, summary: text === undefined ? [] : [{ type: 'summary_text', text }] };
}

export function functionCallItem({ id, name, input }: SentCall): FunctionCallItem {
  const { messageId = '', step } = readCallId(id) ?? {};
  return {
    type: 'function_call',
    id: itemId('fc', messageId, step),
    ...{ call_id: id, name, arguments: typeof input === 'string' ? input : JSON.stringify(input), status: 'completed' },
  };
}

/** @param text of the reply */
export function annotationsOf(text: string, citations: readonly Citation[]): AnnotationView[] {
  return citations.map(({ document, url, reference }) => {
    const mark = reference === undefined ? '' : `[${reference}]`;
    const found = mark === '' ? -1 : text.indexOf(mark);
    const start = Math.max(found, 0);
    const end = found === -1 ? 0 : found + mark.length;
    if (url !== null) return { type: 'url_citation', url, title: document, start_index: start, end_index: end };
    return { type: 'file_citation', file_id: document, filename: document, index: start };
  });
}
