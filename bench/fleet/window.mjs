// What happened in a database during a window: statements by their difference, open transactions by samples.

const SAMPLE_PAUSE_MS = 1;

/** The statements of a window, the most frequent first. */
export function difference(before, after) {
  return [...after.values()]
    .map((row) => ({ ...row, calls: row.calls - (before.get(row.id)?.calls ?? 0) }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls);
}

/**
 * Looks about every millisecond, until `work` has ended, at the transactions that have written or hold an advisory lock. Gives the mean
 * number of them that waited for a lock, for the log to reach the disk (`flush`), and of the others (`held`, by what they did).
 */
export async function sampleWriters(postgres, database, work) {
  const done = new AbortController();
  const stop = () => done.abort();
  work.then(stop, stop);
  const found = { waiting: 0, flush: 0, held: 0, by: {} };
  const keys = new Set();
  let [samples, writers, keyed] = [0, 0, 0];
  while (!done.signal.aborted) {
    samples += 1;
    for (const { type, event, lock } of await postgres.writers(database)) {
      writers += 1;
      if (lock !== null) {
        keyed += 1;
        keys.add(lock);
      }
      if (type === 'Lock') found.waiting += 1;
      else if (event.startsWith('WAL')) found.flush += 1;
      else {
        found.held += 1;
        const doing = type === 'running' || type === 'Client' ? event : type;
        found.by[doing] = (found.by[doing] ?? 0) + 1;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_PAUSE_MS));
  }
  const mean = (count) => count / samples;
  return {
    samples,
    waiting: mean(found.waiting),
    flush: mean(found.flush),
    held: mean(found.held),
    by: Object.fromEntries(Object.entries(found.by).map(([doing, count]) => [doing, mean(count)])),
    // Writers that all hold the same advisory lock go one after another.
    oneLock: keys.size === 1 && keyed > writers / 2,
  };
}
