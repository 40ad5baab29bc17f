// Loaded into the server (--import): tells, when it is asked over the channel to its parent, what the process holds after a
// collection of garbage. Timers are counted here because the system's own count leaves out those that let a process end.
const timers = new Set();
const counted = (set, once) =>
  Object.assign((task, ...rest) => {
    const timer = set(
      (...given) => {
        if (once) timers.delete(timer);
        task(...given);
      },
      ...rest,
    );
    timers.add(timer);
    return timer;
  }, set);
const uncounted = (clear) => (timer) => {
  timers.delete(timer);
  clear(timer);
};
globalThis.setTimeout = counted(globalThis.setTimeout, true);
globalThis.setInterval = counted(globalThis.setInterval, false);
globalThis.clearTimeout = uncounted(globalThis.clearTimeout);
globalThis.clearInterval = uncounted(globalThis.clearInterval);

process.on('message', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate');
  process.send({ heapBytes: heapUsed, externalBytes: external, timers: timers.size, handles: handles.length });
});
process.channel.unref();
