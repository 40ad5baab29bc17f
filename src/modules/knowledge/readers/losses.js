// What a reader cannot read of a document, as its user is told.

const MOST_KINDS = 50;
const LONGEST_NAME = 100;

/** Counts what is lost, by kind. */
export class Losses {
  counts = new Map();

  /**
   * @param what a noun in the plural: "charts"
   * @param count none when it is 0
   */
  add(what, count = 1) {
    const name = what.slice(0, LONGEST_NAME).toWellFormed();
    if (count > 0 && (this.counts.has(name) || this.counts.size < MOST_KINDS)) this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  /** As `[{ what, count }]`, in the order in which the kinds were met. */
  get list() {
    return Array.from(this.counts, ([what, count]) => ({ what, count }));
  }
}
