// Reads the log of the server: its newest lines over HTTP, then each line as it is written.
import { signal } from '@preact/signals';
import { live, parley } from '../../api.js';
import { lineOf, matches, merge, type Line, type LogFilter } from './log-lines.js';

/** Lines that stay; the server keeps about 2 MB. */
const MAX_LINES = 10_000;
const PAGE = 1000;

export class LogReader {
  /** Oldest first. */
  readonly lines = signal<readonly Line[]>([]);
  readonly phase = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly fault = signal<unknown>(undefined);
  /** Whether lines come as they are written. */
  readonly following = signal(false);
  readonly paused = signal(false);
  /** Lines that came during the pause. */
  readonly held = signal(0);
  private filter: LogFilter = {};
  private heard: Line[] = [];
  private frame: number | undefined;
  private loads = 0;
  private closed = false;
  private readonly stops: (() => void)[] = [];

  /** Shows the lines of this filter, of now and to come. */
  async show(filter: LogFilter): Promise<void> {
    this.filter = filter;
    this.heard = [];
    this.phase.value = 'loading';
    const loaded = await this.load();
    if (loaded && this.stops.length === 0) await this.follow();
  }

  pause(paused: boolean): void {
    this.paused.value = paused;
    this.flush();
  }

  close(): void {
    this.closed = true;
    for (const stop of this.stops) stop();
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
  }

  private async follow(): Promise<void> {
    const connection = live();
    // Said after each subscription, thus also when a lost connection is back: lines that were written in between are loaded.
    const subscribed = (): void => {
      this.following.value = true;
      void this.load();
    };
    connection.socket.on('log_filters_updated', subscribed);
    this.stops.push(
      () => connection.socket.off('log_filters_updated', subscribed),
      connection.onState((state) => {
        if (state !== 'open') this.following.value = false;
      }),
    );
    try {
      const stop = await connection.followLogs({ onLine: (line) => this.hear(lineOf({ ...line, level: Number(line.level) })) });
      if (this.closed) stop();
      else this.stops.push(stop);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Loads the newest lines, beside those of the same filter that are shown. @returns whether they came, and are what is asked for */
  private async load(): Promise<boolean> {
    this.loads += 1;
    const { loads, filter } = this;
    const keep = this.phase.value === 'ready';
    try {
      const { logs = [] } = await parley.call('GET /api/server/logs', { query: { ...filter, since: '0', limit: PAGE } });
      if (loads !== this.loads || this.closed) return false;
      const loaded = logs.map(lineOf);
      this.lines.value = keep ? merge(this.lines.value, loaded) : loaded;
      this.fault.value = undefined;
      this.phase.value = 'ready';
      this.flush();
      return true;
    } catch (error) {
      if (loads === this.loads) this.fail(error);
      return false;
    }
  }

  private hear(line: Line): void {
    if (this.closed || !matches(line, this.filter)) return;
    this.heard.push(line);
    if (this.heard.length > 2 * MAX_LINES) this.heard.splice(0, MAX_LINES);
    if (this.paused.value) this.held.value = this.heard.length;
    else this.frame ??= requestAnimationFrame(() => this.flush());
  }

  /** All lines of a frame are shown at once, however many were written. */
  private flush(): void {
    this.frame = undefined;
    // Lines that arrive while another filter loads may be missing from the loaded ones.
    if (this.paused.value || this.phase.value === 'loading') return;
    const heard = this.heard.splice(0);
    this.held.value = 0;
    if (heard.length > 0) this.lines.value = merge(this.lines.value, heard).slice(-MAX_LINES);
  }

  private fail(error: unknown): void {
    this.fault.value = error;
    this.phase.value = 'failed';
  }
}
