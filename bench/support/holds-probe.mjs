// Loaded into the server (--import): tells, when it is asked over the channel to its parent, how long the event loop was held at most
// since it was asked before, ms. Its threads have no channel.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();

  process.on('message', () => {
    process.send({ longestMs: delays.max / 1e6 });
    delays.reset();
  });
  process.channel.unref();
}
