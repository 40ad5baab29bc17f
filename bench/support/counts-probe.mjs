// Loaded into the server (--import): counts, between two messages of its parent, what the process asks of SQLite and how much it allocates.
import { createRequire } from 'node:module';
import { GCProfiler, getHeapStatistics } from 'node:v8';

const sqlite3 = createRequire(process.argv[1])('sqlite3');
const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|WITH\b[^]*\b(?:INSERT|UPDATE|DELETE)\b)/i;
const CONTROL = /^\s*(?:BEGIN|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|--)/i;

let counts;
let profiler;
let heapAtStart;

const onTrace = (sql) => {
  if (!counts || CONTROL.test(sql)) return;
  if (/^\s*COMMIT/i.test(sql)) counts.commits += 1;
  else counts[WRITES.test(sql) ? 'writes' : 'reads'] += 1;
};
const databases = new Set();
for (const name of ['prepare', 'exec']) {
  const original = sqlite3.Database.prototype[name];
  sqlite3.Database.prototype[name] = function watched(...args) {
    if (!databases.has(this)) databases.add(this.on('trace', onTrace));
    return original.apply(this, args);
  };
}

function start() {
  counts = { commits: 0, reads: 0, writes: 0 };
  profiler = new GCProfiler();
  profiler.start();
  heapAtStart = getHeapStatistics().used_heap_size;
}

function stop() {
  let allocatedBytes = 0;
  let before = heapAtStart;
  for (const { beforeGC, afterGC } of profiler.stop().statistics) {
    allocatedBytes += Math.max(0, beforeGC.heapStatistics.usedHeapSize - before);
    before = afterGC.heapStatistics.usedHeapSize;
  }
  const found = { ...counts, allocatedBytes: allocatedBytes + Math.max(0, getHeapStatistics().used_heap_size - before) };
  counts = undefined;
  return found;
}

process.on('message', (asked) => {
  if (asked === 'start') start();
  process.send(asked === 'start' ? {} : stop());
});
process.channel.unref();
