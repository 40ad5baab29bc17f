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
  const bounded = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done: ended, value } = await reader.read();
        if (ended) {
          done?.();
          controller.close();
          return;
        }
        left -= value.byteLength;
        if (left < 0) throw tooLarge();
        controller.enqueue(value);
      } catch (error) {
        done?.();
        void reader.cancel().catch(() => undefined);
        throw error;
      }
    },
    async cancel(reason) {
      done?.();
      await reader.cancel(reason);
    },
  });
  return new Response(bounded, { status, statusText, headers: [...headers] });
}
