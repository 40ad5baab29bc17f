import { indexedWords } from '../../core/search/index.js';
import { cutText } from '../../core/text/index.js';

/** Of a text, UTF-16 units. */
const SEARCHED = 32_000;

/** The text of a memory's content. Callers may store any JSON, so its shape is not trusted. */
export function textOf(content: Readonly<Record<string, unknown>>): string {
  return asText(content['text']) ?? '';
}

/** What the column `words` has for a content: see `indexedWords`. */
export function wordsOfMemory(content: Readonly<Record<string, unknown>>): string | null {
  return indexedWords(cutText(textOf(content), SEARCHED));
}

export function parseText(content: string): string {
  return textOf(JSON.parse(content) as Record<string, unknown>);
}

/** The id of the memory that a remembered message replies to; empty when it replies to none. */
export function parseReplyTo(content: string): string {
  return asText((JSON.parse(content) as Record<string, unknown>)['inReplyTo']) ?? '';
}

/** As `parseText`, also for the beginning of a content: the text as far as it is there. */
export function parseTextPrefix(content: string): string {
  try {
    return parseText(content);
  } catch {
    const start = /"text":"/.exec(content);
    if (!start) return '';
    const rest = content.slice(start.index + start[0].length);
    const whole = /^(?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*/i.exec(rest)?.[0] ?? '';
    return JSON.parse(`"${whole}"`) as string;
  }
}

export interface MessageOrigin {
  readonly messageId: string;
  readonly authorName: string | null;
}

export function parseOrigin(metadata: string): MessageOrigin {
  const { messageId, authorName } = JSON.parse(metadata) as Record<string, unknown>;
  return { messageId: asText(messageId) ?? '', authorName: asText(authorName) ?? null };
}

/** The value if it is a JSON object, else an empty object. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
