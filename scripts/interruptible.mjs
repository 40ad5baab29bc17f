// Work that SIGTERM and Ctrl-C end in order, as they end this process.
/**
 * Runs `work` with a signal that aborts when this process is told to stop. The process then ends by the same signal as soon as `work` has
 * settled.
 *
 * @param work rejects when it is aborted; other failures are passed on
 */
export async function interruptible(work) {
  const stopped = new AbortController();
  const stop = (signal) => stopped.abort(signal);
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
  try {
    await work(stopped.signal);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, stop);
  }
  if (!stopped.signal.aborted) return;
  const signal = stopped.signal.reason;
  process.kill(process.pid, signal);
  // The kernel ignores default signal actions for the first process of a container.
  process.exit(signal === 'SIGINT' ? 130 : 143);
}
