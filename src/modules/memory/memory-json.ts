/** What the program itself reads out of a memory's free-form JSON, which callers may have replaced by anything. */
export function textOf(content: Readonly<Record<string, unknown>>): string {
  return asText(content['text']) ?? '';
}

export function textOfJson(content: string): string {
  return textOf(JSON.parse(content) as Record<string, unknown>);
}

export interface Origin {
  readonly messageId: string;
  readonly authorName: string | null;
}

export function originOfJson(metadata: string): Origin {
  const { messageId, authorName } = JSON.parse(metadata) as Record<string, unknown>;
  return { messageId: asText(messageId) ?? '', authorName: asText(authorName) ?? null };
}

/** What is laid over key by key: the object, and nothing in the place of anything else. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
