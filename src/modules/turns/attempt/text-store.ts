import { Injectable } from '@nestjs/common';
import { Clock, type Cancel } from '../../../core/clock/index.js';
import { UnitOfWork, type Outcome, type Statement } from '../../../core/database/index.js';
import { LeaseLost } from '../../../core/queue/index.js';

/** What a kill may void of a running reply: what was told within this time. */
const STORE_MS = 250;
// Bounds what one unit writes while others wait for it.
const MAX_TEXTS = 50;

/** Text that is told before it is stored. */
export interface UnstoredText {
  /** The statements that store the text so far; none when it is stored. They fail with `LeaseLost` when the turn belongs to another process. */
  takeStatements(): Statement[];
  /** The statements were committed. @param outcomes of the statements */
  stored(outcomes: readonly Outcome[]): void;
  /** The statements were not committed. */
  fail(error: Error): void;
}

interface Taken {
  readonly text: UnstoredText;
  readonly statements: readonly Statement[];
}

/** Stores the text of all running replies of this process, in few units. */
@Injectable()
export class TextStore {
  private readonly waiting = new Set<UnstoredText>();
  private readonly storing = new Map<UnstoredText, Promise<void>>();
  private cancel: Cancel | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Stores a text within 250 ms. */
  add(text: UnstoredText): void {
    this.waiting.add(text);
    this.cancel ??= this.clock.after(STORE_MS, () => this.store());
  }

  /** Stores all that waits. */
  store(): void {
    this.cancel?.();
    this.cancel = undefined;
    const texts = [...this.waiting];
    this.waiting.clear();
    for (let at = 0; at < texts.length; at += MAX_TEXTS) this.begin(texts.slice(at, at + MAX_TEXTS));
  }

  /** Leaves the storing of a text to the caller, as soon as it resolves. */
  async release(text: UnstoredText): Promise<void> {
    this.waiting.delete(text);
    await this.storing.get(text);
  }

  private begin(texts: readonly UnstoredText[]): void {
    this.last = this.last.then(() => this.commit(texts));
    for (const text of texts) this.storing.set(text, this.last);
    const { last } = this;
    void last.then(() => {
      for (const text of texts) if (this.storing.get(text) === last) this.storing.delete(text);
    });
  }

  private async commit(texts: readonly UnstoredText[]): Promise<void> {
    const taken = texts.map((text) => ({ text, statements: text.takeStatements() })).filter(({ statements }) => statements.length > 0);
    try {
      await this.commitAll(taken);
    } catch (error) {
      // One that is lost must not hold up the others.
      if (error instanceof LeaseLost && taken.length > 1) await Promise.all(taken.map((each) => this.commitAlone(each)));
      else for (const { text } of taken) text.fail(error as Error);
    }
  }

  private async commitAlone(taken: Taken): Promise<void> {
    try {
      await this.commitAll([taken]);
    } catch (error) {
      taken.text.fail(error as Error);
    }
  }

  private async commitAll(taken: readonly Taken[]): Promise<void> {
    if (taken.length === 0) return;
    const outcomes = await this.unitOfWork.commit(taken.flatMap(({ statements }) => statements));
    let at = 0;
    for (const { text, statements } of taken) text.stored(outcomes.slice(at, (at += statements.length)));
  }
}
