import { disconnectSignal } from './disconnect-signal.js';
import type { HttpResponse } from './express.js';
import { unreadResponses, waitForDrain } from './unread-responses.js';

/**
 * Sends bytes as they are produced. A failure before the first chunk is thrown and becomes an ordinary error response. A later one closes
 * the connection, which tells the client that the response is incomplete.
 *
 * @throws AppError SERVER_BUSY while too much waits for clients
 * @param body  read at the client's pace, and ended early when the client disconnects
 * @param begin sets status and headers; called with the first chunk, or with undefined for an empty body
 */
export async function sendByteStream(
  response: HttpResponse,
  body: AsyncIterable<Uint8Array>,
  begin: (first: Uint8Array | undefined) => void,
): Promise<void> {
  const { unread, address } = unreadResponses(response);
  unread.admit(address);
  const gone = disconnectSignal(response);
  const iterator = body[Symbol.asyncIterator]();
  try {
    let next = await iterator.next();
    if (gone.aborted) return;
    begin(next.done ? undefined : next.value);
    while (!next.done && !gone.aborted) {
      if (!response.write(next.value)) await waitForDrain(response, gone);
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
