import { characterCount, cutText, endOfText } from '../../../core/text/index.js';

/** A part of a conversation is summarised when it has this many messages or tokens. */
export const MAX_UNSUMMARISED_MESSAGES = 12;
const MAX_UNSUMMARISED_TOKENS = 2000;
/** What a service adds to each message, tokens. */
const MESSAGE_TOKENS = 4;
/** A longer text is cut before it is counted, characters for each token of its limit. */
const CHARACTERS_COUNTED = 8;
const MARK_LENGTH = 40;

interface Line {
  readonly text: string;
  readonly seq: number;
}

export interface WindowLimits {
  readonly messages: number;
  readonly tokens: number;
  /** Position in the channel up to which the conversation has a summary; 0 without one. */
  readonly after: number;
}

export interface ConversationWindow<L extends Line> {
  /** The newest messages that fit, oldest first. */
  readonly lines: readonly L[];
  /** Of the lines. */
  readonly tokens: number;
  /** Messages behind the summary that do not fit. */
  readonly leftOut: number;
  /** Position up to which the conversation should be summarised; undefined while little waits for a summary. */
  readonly dueThrough: number | undefined;
}

/**
 * Chooses the messages of a conversation that a prompt shows: the newest after the summary, as many as fit. A message longer than half of
 * the budget is cut in the middle. A summary is due before the window is full, so that no message leaves the window without one: the
 * messages of its older half are summarised while the prompt still shows them.
 *
 * @param lines oldest first
 * @param count tokens of a text
 */
export function selectWindow<L extends Line>(
  lines: readonly L[],
  { messages, tokens, after }: WindowLimits,
  count: (text: string) => number,
): ConversationWindow<L> {
  const open = lines.filter(({ seq }) => seq > after);
  const shown: L[] = [];
  let used = 0;
  let newerHalfFrom = Infinity;
  for (const line of open.slice(-messages).reverse()) {
    const text = cutMiddle(line.text, tokens / 2, count);
    const cost = count(text) + MESSAGE_TOKENS;
    // Rounding and the mark may make a single message longer than the budget.
    if (used + cost > tokens && shown.length > 0) break;
    used += cost;
    shown.push(text === line.text ? line : { ...line, text });
    if (shown.length === 1 || (shown.length <= messages / 2 && used <= tokens / 2)) newerHalfFrom = line.seq;
  }
  // A reply has the position of the message that it replies to: both are summarised together.
  const waiting = open.filter(({ seq }) => seq < newerHalfFrom);
  const most = Math.max(2, Math.min(MAX_UNSUMMARISED_MESSAGES, Math.floor(messages / 2)));
  let left = Math.min(MAX_UNSUMMARISED_TOKENS, tokens / 3);
  const isDue = waiting.length >= most || waiting.some(({ text }) => (left -= count(cutMiddle(text, tokens, count))) <= 0);
  return { lines: shown.reverse(), tokens: used, leftOut: open.length - shown.length, dueThrough: isDue ? waiting.at(-1)?.seq : undefined };
}

/** A text of about `tokens` at most: its beginning and its end, with a mark in between. */
export function cutMiddle(text: string, tokens: number, count: (text: string) => number): string {
  const counted = cutText(text, Math.floor(tokens * CHARACTERS_COUNTED));
  const cost = count(counted);
  if (counted.length === text.length && cost <= tokens) return text;
  const fitting = counted.length * Math.min(1, tokens / cost);
  const kept = Math.max(0, Math.floor(fitting) - MARK_LENGTH);
  const head = cutText(text, Math.ceil((kept * 2) / 3));
  const tail = endOfText(text, Math.floor(kept / 3));
  return `${head}\n[… ${characterCount(text) - characterCount(head) - characterCount(tail)} characters left out …]\n${tail}`;
}
