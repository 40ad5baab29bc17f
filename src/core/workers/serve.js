// The worker's side of WorkerPool. Plain JavaScript, because worker threads load this file both from src (in tests) and from dist.
import { parentPort } from 'node:worker_threads';

/**
 * Serves the calls of each session with a handler that `open` creates.
 *
 * @param open creates the handler of a session: `call(message, transfer)` handles one message, and buffers added to `transfer` are moved
 *   instead of copied; the optional `close()` releases the session's resources
 */
export function serve(open) {
  const sessions = new Map();
  parentPort.on('message', async ({ session: id, call, message }) => {
    if (call === undefined) {
      sessions.get(id)?.close?.();
      sessions.delete(id);
      return;
    }
    const transfer = [];
    try {
      let session = sessions.get(id);
      if (session === undefined) sessions.set(id, (session = open()));
      const value = await session.call(message, transfer);
      parentPort.postMessage({ call, value }, transfer);
    } catch (error) {
      parentPort.postMessage({ call, error: { message: String(error?.message ?? error), code: error?.code } });
    }
  });
}
