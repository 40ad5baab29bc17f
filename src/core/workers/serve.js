// The worker thread's side of WorkerPool. Plain JavaScript, because a worker thread starts this very file both from
// the sources (tests) and from dist.
import { parentPort } from 'node:worker_threads';

/**
 * Answers the calls of each session with what `open()` makes for it.
 *
 * @param open makes a session: `call(message, transfer)` answers one message, and what it pushes on `transfer` is
 *   moved instead of copied; `close()`, if there is one, lets go of what the session holds
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
