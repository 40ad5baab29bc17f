// Server-sent events over fetch, which unlike EventSource can send a credential and works in every runtime.

export interface ServerSentEvent {
  readonly event: string;
  /** The cursor behind which a stream goes on. */
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads the events of a body (WHATWG HTML, 9.2.6). Ends with the body. @param onBytes called whenever something comes, be it a comment */
export async function* readEvents(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let fields: { event: string; id: string | undefined; data: string[] } = { event: 'message', id: undefined, data: [] };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (fields.data.length > 0) yield { event: fields.event, id: fields.id, data: fields.data.join('\n') };
          fields = { event: 'message', id: fields.id, data: [] };
        } else if (!line.startsWith(':')) {
          const colon = line.indexOf(':');
          const name = colon < 0 ? line : line.slice(0, colon);
          const text = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
          if (name === 'data') fields.data.push(text);
          else if (name === 'event') fields.event = text;
          else if (name === 'id') fields.id = text;
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
