// The worker's side of WorkerPool. Plain JavaScript, because worker threads load this file both from src (in tests) and from dist.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/**
 * Gives this thread a lower priority than the others of the process: on a full core about a tenth of the time. Only on Linux, where
 * threads have priorities of their own. A failure is logged and otherwise without effect.
 */
export function lowerPriority() {
  // Elsewhere this would slow down the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    parentPort.postMessage({ note: `the priority of the thread could not be lowered: ${error.message}` });
  }
}

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
