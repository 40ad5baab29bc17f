import { endOfText } from '../../../core/text/index.js';
import type { ChatEvent, ChatTool } from '../chat-model.js';
import { mayBecomeMark, MAX_MARK, ORPHAN_END, SILENT, THOUGHTS } from './thought-marks.js';
import { CALLS, MAX_CALLS_TEXT, mayBeBareCall, writtenCalls } from './written-calls.js';

/** Characters of a response that can still turn out to be a thought. */
const MAX_SAID = 1_000_000;
/** A thought that begins within a line is recognised by its end; until then, so much is held back. */
const MAX_HELD = 200_000;
const MARK_BEGINNINGS = CALLS.map(({ begin }) => begin);
// A mark goes on with a letter, a slash, a bar or a colon.
const MARK_START = /^[<[](?:[a-z/|｜]|$)/i;
const SPECIAL = /[<[`\n]/g;

/** Kinds of text that are held back until their ends are known. */
type HeldKind = 'call' | 'thought' | 'bare-call';

/** Text that is held back. */
class Held {
  private readonly pieces: string[] = [];
  /** What an end can lie in. */
  private tail = '';
  length = 0;

  /** @param ends in lower case; none when the text lasts until the end of the response. @param mark characters in which no end is searched */
  constructor(
    readonly kind: HeldKind,
    private readonly ends: readonly string[],
    private mark: number,
  ) {}

  get text(): string {
    return this.pieces.join('');
  }

  /** @returns the position behind the end, and that of the end itself, when it has come */
  add(text: string): { at: number; behind: number } | undefined {
    this.pieces.push(text);
    this.length += text.length;
    this.tail += text;
    const lower = this.tail.toLowerCase();
    const from = this.length === this.tail.length ? this.mark : 0;
    const offset = this.length - this.tail.length;
    for (const end of this.ends) {
      const at = lower.indexOf(end, from);
      if (at >= 0) return { at: offset + at, behind: offset + at + end.length };
    }
    this.tail = endOfText(this.tail, MAX_MARK);
    return undefined;
  }
}

/**
 * Finds thoughts and tool calls in the text of a response, for services that leave them there. Text that may belong to a mark is held back
 * until that is decided. Marks in code are text, and so are calls of tools that were not offered; no word is lost, and none is moved.
 */
export class ResponseText {
  private events: ChatEvent[] = [];
  /** Text that is not decided yet. */
  private rest = '';
  /** The text that was given out, while it can turn out to be a thought. */
  private said = '';
  private isEmpty = true;
  private atLineStart = true;
  private hasThought = false;
  private isAfterThought = false;
  private inFence = false;
  private inCode = false;
  /** The ends of the thought that is open. */
  private thoughtEnds: readonly string[] | undefined;
  private thoughtIsEmpty = true;
  /** White space at the end of a thought so far. */
  private thoughtSpace = '';
  private held: Held | undefined;
  private heldMark = 0;
  private callsFound = 0;
  /** Marks of thoughts that turned out to be words, whose ends are words too. */
  private literalMarks = 0;
  private canBeBareCall: boolean;

  constructor(private readonly tools: readonly ChatTool[]) {
    this.canBeBareCall = tools.length > 0;
  }

  /** Whether a call was found. */
  get hasCalled(): boolean {
    return this.callsFound > 0;
  }

  /** A piece of the text. @returns `delta`, `reasoning`, `reset` and `tool-call` events, in order */
  add(text: string): ChatEvent[] {
    if (this.isPlain(text)) {
      this.say(text);
      return this.take();
    }
    this.rest += text;
    this.scan(false);
    return this.take();
  }

  /** The text has ended: releases what is held. */
  end(): ChatEvent[] {
    this.scan(true);
    return this.take();
  }

  private take(): ChatEvent[] {
    const { events } = this;
    if (events.length > 0) this.events = [];
    return events;
  }

  /** Most pieces are: nothing is open, and they have no mark. */
  private isPlain(text: string): boolean {
    if (this.rest !== '' || this.held !== undefined || this.thoughtEnds !== undefined || this.isEmpty || this.isAfterThought) return false;
    SPECIAL.lastIndex = 0;
    return !SPECIAL.test(text);
  }

  /** @param isEnd whether no more text follows */
  private scan(isEnd: boolean): void {
    let isMoving = true;
    while (isMoving) {
      if (this.held !== undefined) isMoving = this.scanHeld(this.held, isEnd);
      else if (this.thoughtEnds !== undefined) isMoving = this.scanThought(this.thoughtEnds, isEnd);
      else isMoving = this.scanText(isEnd);
    }
  }

  /** @returns whether there is more to scan */
  private scanText(isEnd: boolean): boolean {
    if (this.rest === '') return false;
    if (this.isEmpty || this.isAfterThought) {
      const text = this.rest.trimStart();
      // White space before the first word and after a thought waits for the word.
      if (text === '') {
        if (isEnd && !this.hasThought) this.sayRest();
        return false;
      }
      if (this.isEmpty && this.canBeBareCall && /^[{[`]/.test(text) && mayBeBareCall(text)) {
        this.hold('bare-call', 0, 0, []);
        return true;
      }
    }
    SPECIAL.lastIndex = 0;
    for (let found = SPECIAL.exec(this.rest); found !== null; found = SPECIAL.exec(this.rest)) {
      const { index } = found;
      const step = this.special(index, isEnd);
      if (step === 'wait') {
        // White space before the first word is not given out before a mark that may follow it.
        if (!this.isEmpty || this.rest.slice(0, index).trim() !== '') this.sayTo(index);
        return false;
      }
      if (step === 'changed') return true;
      SPECIAL.lastIndex = index + step;
    }
    this.sayRest();
    return false;
  }

  /** Handles a special character. @returns the characters to skip; or `wait` for more text; or `changed` when the state is another */
  private special(index: number, isEnd: boolean): number | 'wait' | 'changed' {
    const character = this.rest[index];
    if (character === '\n') {
      this.inCode = false;
      return 1;
    }
    if (character === '`') return this.backticks(index, isEnd);
    if (this.inFence || this.inCode || !MARK_START.test(this.rest.slice(index, index + 2))) return 1;
    const text = this.rest.slice(index, index + MAX_MARK);
    return this.mark(index, text, isEnd) ?? (!isEnd && mayBecomeMark(text, this.tools.length > 0 ? MARK_BEGINNINGS : []) ? 'wait' : 1);
  }

  private backticks(index: number, isEnd: boolean): number | 'wait' {
    const { length } = /^`+/.exec(this.rest.slice(index, index + MAX_MARK))?.[0] ?? '`';
    if (!isEnd && index + length === this.rest.length) return 'wait';
    if (length >= 3 && this.startsLine(index)) this.inFence = !this.inFence;
    else if (!this.inFence) this.inCode = !this.inCode;
    return length;
  }

  /** What begins at a position; undefined when nothing does. */
  private mark(index: number, text: string, isEnd: boolean): 'changed' | 'wait' | number | undefined {
    for (const { open, ends } of THOUGHTS) {
      const opened = open.exec(text);
      if (opened === null) continue;
      this.openThought(index, opened[0].length, ends(opened));
      return 'changed';
    }
    const orphan = ORPHAN_END.exec(text)?.[0];
    if (orphan !== undefined) return this.closeOrphan(index, orphan.length, isEnd);
    const lower = text.toLowerCase();
    const call = this.tools.length === 0 ? undefined : CALLS.find(({ begin }) => lower.startsWith(begin));
    if (call !== undefined) {
      this.hold('call', index, call.begin.length, call.end === undefined ? [] : [call.end]);
      return 'changed';
    }
    const silent = SILENT.exec(text)?.[0];
    if (silent === undefined || !(this.hasThought || (this.isEmpty && this.rest.slice(0, index).trim() === ''))) return undefined;
    this.sayTo(index);
    this.rest = this.rest.slice(silent.length);
    this.hasThought = true;
    return 'changed';
  }

  /** A thought at the beginning, and a further one at the start of a line, needs no end; any other is recognised by its end. */
  private openThought(index: number, length: number, ends: readonly string[]): void {
    const isFirst = this.isEmpty && this.rest.slice(0, index).trim() === '';
    const isNext = this.hasThought && (this.startsLine(index) || (this.isAfterThought && this.rest.slice(0, index).trim() === ''));
    if (!isFirst && !isNext) {
      this.hold('thought', index, length, ends);
      return;
    }
    if (!isFirst) this.sayTo(index);
    this.rest = this.rest.slice(isFirst ? index + length : length);
    this.beginThought(ends);
  }

  private beginThought(ends: readonly string[]): void {
    this.thoughtEnds = ends;
    this.thoughtIsEmpty = true;
    this.thoughtSpace = '';
  }

  /** The text before an end without a beginning was a thought, when the end stands where one would be. */
  private closeOrphan(index: number, length: number, isEnd: boolean): 'changed' | 'wait' | number {
    if (this.literalMarks > 0) {
      this.literalMarks -= 1;
      return length;
    }
    const before = this.said + this.rest.slice(0, index);
    const after = this.rest.slice(index + length, index + length + 1);
    const isBegun = this.hasThought
      ? this.startsLine(index) || (this.isAfterThought && before.trim() === '')
      : before.trim() === '' || /[\n.!?…:)\]"'`*]\s*$/.test(endOfText(before, 20));
    const isPlaced = isBegun || after === '\n';
    if (!isPlaced && after === '' && !isEnd) return 'wait';
    if (!isPlaced || before.length > MAX_SAID) return length;
    if (this.hasThought) this.sayTo(index);
    else {
      if (this.said !== '') this.events.push({ type: 'reset' });
      this.rest = this.rest.slice(index);
      this.isEmpty = true;
      this.beginThought([]);
      this.think(before);
      this.thoughtEnds = undefined;
      this.said = '';
    }
    this.rest = this.rest.slice(length);
    this.hasThought = true;
    this.isAfterThought = true;
    this.atLineStart = true;
    return 'changed';
  }

  private scanThought(ends: readonly string[], isEnd: boolean): boolean {
    const lower = this.rest.toLowerCase();
    const found = ends.map((end) => ({ end, at: lower.indexOf(end) })).filter(({ at }) => at >= 0);
    const [first] = found.sort((a, b) => a.at - b.at);
    if (first !== undefined) {
      this.think(this.rest.slice(0, first.at));
      // A mark that also begins something is read again.
      const isBeginning = first.end === '<|channel|>' || first.end === '<|start|>';
      this.rest = this.rest.slice(first.at + (isBeginning ? 0 : first.end.length));
      this.thoughtEnds = undefined;
      this.hasThought = true;
      this.isAfterThought = true;
      return true;
    }
    const kept = isEnd ? 0 : keptForEnd(lower, ends);
    const end = this.rest.length - kept;
    this.think(this.rest.slice(0, end));
    this.rest = this.rest.slice(end);
    if (isEnd) this.hasThought = true;
    return false;
  }

  /** White space around a thought is not part of it. */
  private think(text: string): void {
    const words = this.thoughtIsEmpty ? text.trimStart() : this.thoughtSpace + text;
    const kept = words.trimEnd();
    this.thoughtSpace = words.slice(kept.length);
    if (kept === '') return;
    const separator = this.thoughtIsEmpty && this.hasThought ? '\n\n' : '';
    this.thoughtIsEmpty = false;
    this.events.push({ type: 'reasoning', text: separator + kept });
  }

  /** @param length of the mark */
  private hold(kind: HeldKind, index: number, length: number, ends: readonly string[]): void {
    if (kind !== 'bare-call') this.sayTo(index);
    this.held = new Held(kind, ends, length);
    this.heldMark = length;
  }

  private scanHeld(held: Held, isEnd: boolean): boolean {
    const added = this.rest;
    this.rest = '';
    const end = held.add(added);
    const isBare = held.kind === 'bare-call';
    const isRefuted = isBare && held.length < MAX_MARK && !mayBeBareCall(held.text.trimStart());
    if (end === undefined && !isEnd && !isRefuted && held.length <= (held.kind === 'thought' ? MAX_HELD : MAX_CALLS_TEXT)) return false;
    this.held = undefined;
    const { text } = held;
    const whole = text.slice(0, end?.behind ?? text.length);
    this.rest = text.slice(whole.length);
    if (held.kind === 'thought') this.settleThought(whole, end?.at);
    else this.settleCalls(whole, isBare);
    return true;
  }

  /** A thought within a line has an end and several words, unless there were thoughts before. */
  private settleThought(text: string, end: number | undefined): void {
    const words = end === undefined ? '' : text.slice(this.heldMark, end);
    if (end !== undefined && (this.hasThought || words.trim().split(/\s+/).length > 2)) {
      this.beginThought([]);
      this.think(words);
      this.thoughtEnds = undefined;
      this.hasThought = true;
      return;
    }
    this.literalMarks += 1;
    this.say(text.slice(0, this.heldMark));
    this.rest = text.slice(this.heldMark) + this.rest;
  }

  private settleCalls(text: string, isBare: boolean): void {
    const calls = writtenCalls(text, this.tools);
    if (calls === undefined) {
      this.canBeBareCall = false;
      if (isBare) this.rest = text + this.rest;
      else this.say(text);
      return;
    }
    for (const { name, input } of calls) {
      this.callsFound += 1;
      this.events.push({ type: 'tool-call', id: `said${String(this.callsFound).padStart(5, '0')}`, name, input });
    }
  }

  /** Whether a position of the rest is the first of its line, but for white space. */
  private startsLine(index: number): boolean {
    const before = this.rest.slice(Math.max(0, index - MAX_MARK), index);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    return line.trim() === '' && (line.length < before.length || (before.length === index && this.atLineStart));
  }

  private sayTo(index: number): void {
    const text = this.rest.slice(0, index);
    this.rest = this.rest.slice(index);
    this.say(text);
  }

  private sayRest(): void {
    this.sayTo(this.rest.length);
  }

  private say(given: string): void {
    const isFirst = this.isEmpty && this.hasThought;
    const text = isFirst || (this.isAfterThought && this.atLineStart) ? given.trimStart() : given;
    if (text === '') return;
    if (text.trim() !== '') {
      this.isEmpty = false;
      this.isAfterThought = false;
    }
    if (!this.hasThought && this.said.length <= MAX_SAID) this.said += text;
    const line = text.slice(text.lastIndexOf('\n') + 1);
    this.atLineStart = line.trim() === '' && (text.includes('\n') || this.atLineStart);
    this.events.push({ type: 'delta', text });
  }
}

/** How many characters at the end of a text can belong to an end. */
function keptForEnd(lower: string, ends: readonly string[]): number {
  const longest = Math.max(0, ...ends.map(({ length }) => length - 1));
  for (let length = Math.min(longest, lower.length); length > 0; length -= 1) {
    const tail = lower.slice(lower.length - length);
    if (ends.some((end) => end.startsWith(tail))) return length;
  }
  return 0;
}
