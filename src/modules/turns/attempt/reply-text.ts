import type { Clock, Cancel } from '../../../core/clock/index.js';
import { currentRequestId } from '../../../core/context/request-context.js';
import type { Outcome, Statement } from '../../../core/database/index.js';
import { append, type Journal } from '../../../core/journal/index.js';
import type { TextPart } from '../../messaging/index.js';
import type { TurnReference } from '../turns.events.js';
import type { TextStore, UnstoredText } from './text-store.js';

// A reader sees no difference, and the pieces of a fast model become fewer.
const TELL_MS = 25;
/** Characters. */
const MAX_UNSTORED = 4000;
// Well below the time after which stored parts are deleted, so that a long reply can always be read from its beginning.
const WHOLE_MS = 5 * 60_000;
// Well below the time that clients and proxies wait in silence.
const PROGRESS_MS = 10_000;
// So that indices rise from attempt to attempt.
const PIECES_PER_ATTEMPT = 1_000_000;

export interface ReplyTextOptions {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Fails when another process has taken the turn over. */
  readonly held: Statement;
  /** Whether no other process can have taken the turn over yet. */
  readonly isHeld: () => boolean;
  /** Whether clients asked for the reasoning. */
  readonly tellsReasoning: boolean;
}

/** The text of an attempt at a reply, and the reasoning before it: told at once, and stored with that of other replies (docs/decisions/0064). */
export class ReplyText implements UnstoredText {
  private received = '';
  private restarts = 0;
  private index: number;
  /** The parts of `received` that were not told and not stored yet. */
  private untold = '';
  private unstored = '';
  /** When the text was last stored from its beginning on, epoch ms. */
  private wholeAt = 0;
  private behind = 0;
  /** Whether reasoning is being stored, which readers get before the text that follows. */
  private storesThoughts = false;
  private thoughts = '';
  private thoughtIndex = 0;
  private hasProgress = false;
  /** When readers last heard of the turn, epoch ms. */
  private toldAt: number;
  private cancelTelling: Cancel | undefined;
  private failure: Error | undefined;

  constructor(
    private readonly turn: TurnReference,
    private readonly options: ReplyTextOptions,
    private readonly store: TextStore,
    private readonly journal: Pick<Journal, 'tell'>,
    private readonly clock: Clock,
  ) {
    this.index = (options.attempt - 1) * PIECES_PER_ATTEMPT;
    this.toldAt = clock.now();
  }

  get text(): string {
    return this.received;
  }

  /** Adds the next delta of the reply. @throws the error of an earlier storing */
  add(delta: string): void {
    if (this.failure !== undefined) throw this.failure;
    if (delta === '') return;
    this.received += delta;
    this.untold += delta;
    this.unstored += delta;
    this.store.add(this);
    if (this.unstored.length >= MAX_UNSTORED && this.unstored.length - delta.length < MAX_UNSTORED) this.store.store();
    if (this.thoughts !== '') this.store.store();
    this.cancelTelling ??= this.clock.after(TELL_MS, () => this.tell());
  }

  /** Adds the next delta of the reasoning. Readers that did not ask for it hear at times that the turn goes on. @throws as `add` */
  think(delta: string): void {
    if (this.failure !== undefined) throw this.failure;
    if (this.options.tellsReasoning && delta !== '') this.thoughts += delta;
    else if (this.clock.now() - this.toldAt >= PROGRESS_MS) this.hasProgress = true;
    else return;
    this.store.add(this);
  }

  /** Starts a new text. Readers discard the previous one when the new one differs. */
  restart(): void {
    if (this.received === '') return;
    this.restarts += 1;
    this.received = this.untold = this.unstored = '';
  }

  /** Readers must have the entry of the turn at this offset before what follows. */
  follow(offset: number): void {
    this.behind = offset;
    this.storesThoughts = false;
  }

  /** The statements that store the rest of the text, for a unit whose entries follow it. More text may be added afterwards. */
  async takePending(): Promise<Statement[]> {
    await this.stop();
    if (this.failure !== undefined) throw this.failure;
    return this.pending();
  }

  /** As `takePending`, for the end of the reply. */
  async finish(): Promise<Statement[]> {
    const statements = await this.takePending();
    // Without it, readers would keep the text of an earlier round.
    if (this.received === '' && this.restarts > 0) statements.push(this.chunk(''));
    return statements;
  }

  /** As `takePending` for a reply that failed; none when they cannot be stored. */
  async rest(): Promise<Statement[]> {
    await this.stop();
    return this.failure === undefined ? this.pending() : [];
  }

  takeStatements(): Statement[] {
    if (this.failure !== undefined) return [];
    const statements = this.pending();
    return statements.length > 0 ? [this.options.held, ...statements] : [];
  }

  stored(outcomes: readonly Outcome[]): void {
    if (this.storesThoughts) this.behind = Math.max(0, ...outcomes.map(({ position }) => position?.offset ?? 0));
    this.storesThoughts = false;
  }

  fail(error: Error): void {
    this.failure = error;
  }

  private async stop(): Promise<void> {
    this.tell();
    await this.store.release(this);
  }

  private tell(): void {
    this.cancelTelling?.();
    this.cancelTelling = undefined;
    const { turn, untold: text, behind } = this;
    // Untold text comes with the stored text.
    if (text === '' || this.failure !== undefined || this.thoughts !== '' || this.storesThoughts) return;
    this.untold = '';
    this.index += 1;
    if (!this.options.isHeld()) return;
    const payload = { ...turn, ...this.partOf(text, this.received.length - text.length) };
    const { channelId } = turn;
    const entry = { type: 'message.chunk' as const, channelId, payload, at: this.clock.now(), requestId: currentRequestId() ?? null };
    this.journal.tell({ type: 'piece', behind, entry });
  }

  private pending(): Statement[] {
    const statements = [...this.pendingThoughts(), ...this.pendingText()];
    if (statements.length > 0) this.toldAt = this.clock.now();
    return statements;
  }

  private pendingThoughts(): Statement[] {
    const { turn, thoughts: text, hasProgress } = this;
    this.thoughts = '';
    this.hasProgress = false;
    this.storesThoughts = text !== '';
    const at = this.clock.now();
    if (text !== '') return [append('reasoning.chunk', turn.channelId, { ...turn, text, index: this.thoughtIndex++ }, at)];
    return hasProgress ? [append('turn.progress', turn.channelId, turn, at)] : [];
  }

  private pendingText(): Statement[] {
    if (this.unstored === '') return [];
    // Stored text has been told, unless it follows reasoning.
    this.tell();
    if (this.untold !== '') this.index += 1;
    this.untold = '';
    const at = this.clock.now();
    const isWhole = this.unstored.length === this.received.length || at - this.wholeAt >= WHOLE_MS;
    if (isWhole) this.wholeAt = at;
    const text = isWhole ? this.received : this.unstored;
    this.unstored = '';
    return [this.chunk(text)];
  }

  /** @param text the last part of what was received */
  private chunk(text: string): Statement {
    const part = this.partOf(text, this.received.length - text.length);
    return append('message.chunk', this.turn.channelId, { ...this.turn, ...part }, this.clock.now());
  }

  private partOf(text: string, start: number): TextPart {
    const { attempt } = this.options;
    return { text, index: this.index - 1, attempt, restart: this.restarts, start };
  }
}
