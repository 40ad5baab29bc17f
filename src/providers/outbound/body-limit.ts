interface BodyLimit {
  readonly maxBytes: number;
  /** Creates the error for a larger body. */
  readonly tooLarge: () => Error;
  /**
   * Ends the body with its reason. The signal of a `fetch` does not do that reliably: once the response is garbage-collected, which may
   * happen while its body is read, the abort no longer reaches the body (undici follows the signal through weak references).
   */
  readonly signal?: AbortSignal | null;
  /** Called when the body is complete, failed or cancelled. */
  readonly done?: () => void;
}

/** Limits the size of a response body: reading more than `maxBytes` fails. @throws the same error when Content-Length exceeds the limit */
export function limitBody(response: Response, { maxBytes, tooLarge, signal, done }: BodyLimit): Response {
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
  let abort = (): void => undefined;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const end = (): void => {
    signal?.removeEventListener('abort', abort);
    done?.();
  };
  const fail = (error: unknown): never => {
    end();
    void reader.cancel().catch(() => undefined);
    throw error;
  };
  const bounded = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        abort = () => {
          end();
          controller.error(signal?.reason);
          void reader.cancel().catch(() => undefined);
        };
        if (signal?.aborted === true) abort();
        else signal?.addEventListener('abort', abort, { once: true });
      },
      pull: (controller) =>
        reader.read().then((read) => {
          if (signal?.aborted === true) return;
          if (read.done) {
            end();
            controller.close();
            return;
          }
          left -= read.value.byteLength;
          if (left < 0) fail(tooLarge());
          controller.enqueue(read.value);
        }, fail),
      cancel: async (reason) => {
        end();
        await reader.cancel(reason);
      },
    },
    // No read-ahead buffer.
    { highWaterMark: 0 },
  );
  return new Response(bounded, { status, statusText, headers: [...headers] });
}
