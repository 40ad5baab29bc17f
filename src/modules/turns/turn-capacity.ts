const MB = 1024 ** 2;
/**
 * What a turn that waits for its model holds: its prompt, a connection to the service and one to the reader. Measured with 200 to 1,000 of
 * them after a collection, on Node.js 20: 62 kB without a reader, 93 kB with an event stream, 120 kB with a prompt of 21 kB as well. The
 * rest is for larger prompts, files, and what a turn holds while its prompt is made.
 */
const TURN_BYTES = 0.25 * MB;
const FEWEST = 64;
/** From there on more turns at a time do not help: a process begins about 100 a second. */
const MOST = 5000;

/** What a process has, bytes. */
interface Memory {
  /** Of the machine, or of the container when it has less. */
  readonly total: number;
  /** The limit of the JavaScript heap, which is lower on small machines and with `--max-old-space-size`. */
  readonly heap: number;
}

/** How many turns one process can run at a time: a quarter of the memory and half of the heap is for them. */
export function turnsIn({ total, heap }: Memory): number {
  const bytes = Math.min(total / 4, heap / 2);
  return Math.min(Math.max(Math.floor(bytes / TURN_BYTES), FEWEST), MOST);
}
