/** The text of a memory's content. Callers may store any JSON, so its shape is not trusted. */
export function textOf(content: Readonly<Record<string, unknown>>): string {
  return asText(content['text']) ?? '';
}

export function parseText(content: string): string {
  return textOf(JSON.parse(content) as Record<string, unknown>);
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
