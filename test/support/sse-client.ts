/** One server-sent event as it came over the wire. */
export interface ServerEvent {
  /** Cursor behind the event. */
  readonly id?: string;
  readonly event: string;
  // Looked at field by field in tests.
  readonly data: ReturnType<typeof JSON.parse>;
}

/** Reads server-sent events of a response until it ends, or until the reader stops. Comments are left out. */
export async function* serverEvents(response: Response): AsyncGenerator<ServerEvent, void> {
  let buffer = '';
  const decoder = new TextDecoder();
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    buffer += decoder.decode(part, { stream: true });
    for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
      const fields = new Map(
        buffer
          .slice(0, end)
          .split('\n')
          .filter((line) => !line.startsWith(':'))
          .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      buffer = buffer.slice(end + 2);
      const data = fields.get('data');
      if (data === undefined) continue;
      const id = fields.get('id');
      yield { ...(id === undefined ? {} : { id }), event: fields.get('event') ?? 'message', data: JSON.parse(data) };
    }
  }
}

/** All events of a stream that ends by itself. */
export async function allEvents(response: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of serverEvents(response)) events.push(event);
  return events;
}
