import { clientGone, drained } from './client-gone.js';
import type { HttpResponse } from './express.js';

/**
 * Sends bytes as they are made. A failure before the first piece is thrown, so that it becomes an ordinary error answer;
 * a later one cuts the connection, which is how a client learns that the rest is missing.
 *
 * @param body  gets no further ahead than the client reads, and is ended early when the client goes
 * @param begin sets what stands before the body; called with the first piece, or with none when there is nothing to send
 */
export async function sendByteStream(
  response: HttpResponse,
  body: AsyncIterable<Uint8Array>,
  begin: (first: Uint8Array | undefined) => void,
): Promise<void> {
  const gone = clientGone(response);
  const iterator = body[Symbol.asyncIterator]();
  try {
    let next = await iterator.next();
    if (gone.aborted) return;
    begin(next.done ? undefined : next.value);
    while (!next.done && !gone.aborted) {
      if (!response.write(next.value)) await drained(response, gone);
      next = await iterator.next();
    }
    response.end();
  } catch (error) {
    if (gone.aborted) return;
    throw error;
  } finally {
    await iterator.return?.();
  }
}
