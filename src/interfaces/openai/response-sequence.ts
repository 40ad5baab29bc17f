/** UTF-16 units of a text or of reasoning; the runtime accepts a million characters. */
const ROOM = 2 ** 21;
/** Numbers at the end of a room. */
const CLOSING = 1024;
/** Texts in a slot: a model may begin its text again within one call. */
const TEXTS = 3;
const SLOT = ROOM * (1 + TEXTS);
/** More than an attempt has actions, so that the numbers of the usual replies fit in 32 bits. */
const SLOTS_PER_ATTEMPT = 64;
const FIRST_SLOT = 8;

/** Where what a model says in one of its calls begins: `attempt` of those at the response, and the actions that it has begun, both from 0. */
export interface Slot {
  readonly attempt: number;
  readonly actions: number;
}

/** An event of a response. */
export interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

/** The numbers of one text. */
export class Room {
  constructor(private readonly base: number) {}

  /** What comes before the text. @param index from 0, at most 1 */
  opening(index: number): number {
    return this.base + index;
  }

  /** The piece of text that ends at a position. @param position UTF-16 units, at least 1 */
  behind(position: number): number {
    return this.base + 1 + Math.min(position, ROOM - CLOSING - 2);
  }

  /** What comes behind the text. @param index from 0 */
  closing(index: number): number {
    return this.base + ROOM - CLOSING + Math.min(index, CLOSING - 1);
  }
}

/**
 * The numbers of the events of a response, which rise and skip. They follow from what every reader finds the same, at any time and in any
 * process: the attempt, the number of its actions so far, and the position in the text at the END of a piece. Texts that are said in pieces of
 * other sizes have the same numbers, and one that no reader finds any more leaves the numbers of all others as they are.
 */
export const ResponseSequence = {
  created: 0,
  queued: 1,
  inProgress: 2,

  /** What the model thinks. */
  reasoning: (slot: Slot): Room => new Room(baseOf(slot)),

  /** What the model says. @param text how often it has begun the text again, from 0 */
  text: (slot: Slot, text: number): Room => new Room(baseOf(slot) + ROOM * (1 + Math.min(text, TEXTS - 1))),

  /** The text of a slot that a number belongs to, as for `text`; undefined for a number of something else. */
  textAt: (slot: Slot, number = -1): number | undefined => {
    const room = Math.floor((number - baseOf(slot)) / ROOM);
    return room >= 1 && room <= TEXTS ? room - 1 : undefined;
  },

  /** Whether a number belongs to what the model thinks in a slot. */
  isThoughtAt: (slot: Slot, number = -1): boolean => number >= baseOf(slot) && number < baseOf(slot) + ROOM,

  /** A call of a function. @param index of the call @param event 0 to 3 */
  call: (slot: Slot, index: number, event: number): number => baseOf(slot) + 4 * index + event,

  end: (slot: Slot): number => baseOf(slot) + SLOT - 1,
};

const PIECES = new Set(['response.output_text.delta', 'response.reasoning_summary_text.delta']);

/**
 * An event for a reader that has the events up to a number: of a piece of text, the rest.
 *
 * @returns undefined when the reader has it
 */
export function unseen(event: ResponseEvent, after: number): ResponseEvent | undefined {
  if (event.sequence_number <= after) return undefined;
  const { type, delta } = event;
  if (!PIECES.has(type) || typeof delta !== 'string') return event;
  const had = after - (event.sequence_number - delta.length);
  return had <= 0 ? event : { ...event, delta: delta.substring(had) };
}

function baseOf({ attempt, actions }: Slot): number {
  return FIRST_SLOT + (attempt * SLOTS_PER_ATTEMPT + actions) * SLOT;
}
