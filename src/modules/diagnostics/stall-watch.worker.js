// Watches the main thread from outside: when its counter stops, asks its inspector for the stack.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const { beats, stallMs, lastingMs, folder, version } = workerData;
const counter = new Int32Array(beats);
const LOOK_MS = Math.max(20, Math.min(500, stallMs / 4));
const MAX_FRAMES = 40;

let beat = Atomics.load(counter, 0);
let since = performance.now();
let looked = since;
/** The stall that is going on: its stack, once it is known, and the file that it was written to. */
let stall;

setInterval(look, LOOK_MS);

function look() {
  const now = performance.now();
  // The whole process was suspended, and not the main thread alone.
  const suspended = now - looked > LOOK_MS + stallMs;
  looked = now;
  const current = Atomics.load(counter, 0);
  if (current !== beat || suspended) {
    beat = current;
    since = now;
    // The main thread makes a record with everything that it knows.
    if (stall?.path !== undefined) rmSync(stall.path, { force: true });
    stall?.session.disconnect();
    stall = undefined;
    return;
  }
  const ms = Math.round(now - since);
  if (ms < stallMs) return;
  stall ??= begin();
  // The main thread may never come back to record it.
  if (ms >= lastingMs && stall.path === undefined) write(stall, ms);
}

function write(lasting, ms) {
  const at = new Date().toISOString();
  const title = `The event loop has been stalled for ${ms} ms and has not recovered.`;
  lasting.path = join(folder, `${at.replace(/[-:.]/g, '')}-stall.json`);
  mkdirSync(folder, { recursive: true });
  const record = { kind: 'stall', title, at, program: { version }, details: { stalledMs: ms, stack: lasting.frames } };
  writeFileSync(lasting.path, JSON.stringify(record, null, 2));
}

function begin() {
  const session = new Session();
  const begun = { session, frames: [], path: undefined };
  session.connectToMainThread();
  const urls = new Map();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    session.post('Debugger.resume');
    // Afterwards the main thread would be somewhere else.
    if (Atomics.load(counter, 0) === beat && begun.frames.length === 0) {
      begun.frames = params.callFrames.slice(0, MAX_FRAMES).map(({ functionName, location }) => ({
        name: functionName,
        url: urls.get(location.scriptId) ?? '',
        line: location.lineNumber + 1,
      }));
      parentPort.postMessage({ frames: begun.frames });
    }
    session.post('Debugger.disable', () => session.disconnect());
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  return begun;
}
