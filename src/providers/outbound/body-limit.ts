interface BodyLimit {
  readonly maxBytes: number;
  /** Creates the error for a larger body. */
  readonly tooLarge: () => Error;
  /** Called when the body is complete, failed or cancelled. */
  readonly done?: () => void;
}

/** Limits the size of a response body: reading more than `maxBytes` fails. @throws the same error when Content-Length exceeds the limit */
export function limitBody(response: Response, { maxBytes, tooLarge, done }: BodyLimit): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    done?.();
    return response;
  }
  if (Number(headers.get('content-length') ?? 0) > maxBytes) {
    done?.();
    void body.cancel().catch(() => undefined);
    throw tooLarge();
  }
  let left = maxBytes;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const fail = (error: unknown): never => {
    done?.();
    void reader.cancel().catch(() => undefined);
    throw error;
  };
  const bounded = new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        reader.read().then((read) => {
          if (read.done) {
            done?.();
            controller.close();
            return;
          }
          left -= read.value.byteLength;
          if (left < 0) fail(tooLarge());
          controller.enqueue(read.value);
        }, fail),
      cancel: async (reason) => {
        done?.();
        await reader.cancel(reason);
      },
    },
    // No read-ahead buffer.
    { highWaterMark: 0 },
  );
  return new Response(bounded, { status, statusText, headers: [...headers] });
}
