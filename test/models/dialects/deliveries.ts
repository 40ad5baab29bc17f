import { setImmediate as turn } from 'node:timers/promises';
import type { Random } from '../../support/random.js';

/** The sizes of the pieces in which an answer arrives, and how many turns of the event loop pass before each. */
export interface Delivery {
  readonly name: string;
  pieces(random: Random, length: number): Generator<{ readonly bytes: number; readonly turns: number }>;
}

const LARGEST_PIECE = 60;
const LONGEST_PAUSE = 3;

export const DELIVERIES: readonly Delivery[] = [
  {
    name: 'whole',
    *pieces(_random, length) {
      yield { bytes: length, turns: 0 };
    },
  },
  {
    name: 'byte by byte',
    *pieces(_random, length) {
      for (let sent = 0; sent < length; sent += 1) yield { bytes: 1, turns: 0 };
    },
  },
  {
    name: 'in random pieces with random pauses',
    *pieces(random, length) {
      for (let sent = 0; sent < length;) {
        const bytes = Math.min(random.between(1, LARGEST_PIECE), length - sent);
        yield { bytes, turns: random.between(0, LONGEST_PAUSE) };
        sent += bytes;
      }
    },
  },
];

/** The body of an answer that arrives like this. */
export function delivered(text: string, delivery: Delivery, random: Random): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text);
  const pieces = delivery.pieces(random, bytes.length);
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = pieces.next();
        if (next.done === true) {
          controller.close();
          return;
        }
        for (let turns = next.value.turns; turns > 0; turns -= 1) await turn();
        controller.enqueue(bytes.subarray(sent, sent + next.value.bytes));
        sent += next.value.bytes;
      },
    },
    { highWaterMark: 0 },
  );
}
