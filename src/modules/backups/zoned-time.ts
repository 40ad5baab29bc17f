const DAY_MS = 24 * 60 * 60_000;
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The clock on the wall in a time zone. Its times are epoch ms as if the zone were UTC. */
export class ZonedTime {
  private readonly format: Intl.DateTimeFormat;

  /** @throws RangeError for an unknown zone */
  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  }

  /** What the clock shows at an instant. An infinite one is infinite. */
  wallTime(instant: number): number {
    return Number.isFinite(instant) ? instant + this.offsetAt(instant) : instant;
  }

  /**
   * The instants at which the clock shows a time, the first one first: two where it goes back. For a time that it leaves out, the instant at
   * which it shows one that is later by as much as it goes forward.
   */
  instantsOf(wall: number): readonly number[] {
    if (!Number.isFinite(wall)) return [];
    const before = this.offsetAt(wall - DAY_MS);
    const after = this.offsetAt(wall + DAY_MS);
    if (before === after) return [wall - before];
    const shown = [before, after].map((offset) => wall - offset).filter((instant) => this.wallTime(instant) === wall);
    return shown.length > 0 ? shown.sort((a, b) => a - b) : [wall - before];
  }

  /** Whether the clock may change within a day of an instant. */
  changesNear(instant: number): boolean {
    return this.offsetAt(instant - DAY_MS) !== this.offsetAt(instant + DAY_MS);
  }

  /** Ms to add to UTC. */
  private offsetAt(instant: number): number {
    const name = this.format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(name) ?? [];
    const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -size : size;
  }
}
