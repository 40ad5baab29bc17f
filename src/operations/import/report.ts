const MAX_NAMES = 20;
const MAX_LINES = 200;

/** What an import took, what was there already, and what it left out with the reason. */
export class ImportReport {
  private readonly counts = new Map<string, { read: number; added: number; names: Set<string> }>();
  private readonly left = new Map<string, number>();
  private readonly off = new Set<string>();
  private readonly notes = new Set<string>();
  private readonly failures: string[] = [];

  /** Whether something could not be taken that was meant to be. */
  get failed(): boolean {
    return this.failures.length > 0;
  }

  /** Whether nothing was found that could be taken. */
  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  /** @param what plural, such as "messages" @param name of the counted thing, for the line */
  count(what: string, read: number, added: number, name?: string): void {
    const before = this.counts.get(what) ?? { read: 0, added: 0, names: new Set() };
    if (name !== undefined) before.names.add(name);
    this.counts.set(what, { ...before, read: before.read + read, added: before.added + added });
  }

  /** @param what with the reason, such as "memories of agents that were not taken" */
  leave(what: string, count = 1): void {
    if (count > 0) this.left.set(what, (this.left.get(what) ?? 0) + count);
  }

  /** Something that starts programs or reaches addresses, which was taken without that. */
  switchOff(what: string): void {
    this.off.add(what);
  }

  /** @param sentence with the place */
  fail(sentence: string): void {
    this.failures.push(sentence);
  }

  /** A line that is new. */
  note(line: string): void {
    this.notes.add(line);
  }

  toString(): string {
    const lines = [...this.counts].map(([what, { read, added, names }]) => {
      const present = read - added;
      const named = names.size === 0 ? '' : `: ${[...names].slice(0, MAX_NAMES).join(', ')}${names.size > MAX_NAMES ? ', …' : ''}`;
      return `  ${what.padEnd(16)} ${String(added).padStart(9)} added${present > 0 ? `, ${present} there already` : ''}${named}`;
    });
    const left = [...this.left].map(([what, count]) => (count === 1 ? `  ${what}` : `  ${what}: ${count}`));
    return [
      ...lines,
      ...part('Failed:', this.failures),
      ...part('Not taken:', left),
      ...part('Switched off:', [...this.off]),
      ...part('To do:', [...this.notes]),
      '',
    ].join('\n');
  }
}

function part(title: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const shown = all.slice(0, MAX_LINES).map((line) => (line.startsWith('  ') ? line : `  ${line}`));
  return [title, ...shown, ...(all.length > MAX_LINES ? [`  and ${all.length - MAX_LINES} more`] : [])];
}
