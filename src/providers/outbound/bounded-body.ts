interface Bound {
  readonly maxBytes: number;
  /** What the body ends with when it is larger. */
  readonly tooLarge: () => Error;
  /** Called when nothing of the answer is outstanding any more. */
  readonly done?: () => void;
}

/** The same answer, whose body ends with an error where it grows larger than it may. @throws that error when its head says so */
export function boundedBody(response: Response, { maxBytes, tooLarge, done }: Bound): Response {
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
    // Nothing is read ahead: that would only be one more queue.
    { highWaterMark: 0 },
  );
  return new Response(bounded, { status, statusText, headers: [...headers] });
}
