/** What an import took, what was there already, and what it left out with the reason. */
export class ImportReport {
  private readonly counts = new Map<string, { read: number; added: number }>();
  private readonly left = new Map<string, number>();
  private readonly notes: string[] = [];

  /** @param what plural, such as "messages" */
  count(what: string, read: number, added: number): void {
    const before = this.counts.get(what) ?? { read: 0, added: 0 };
    this.counts.set(what, { read: before.read + read, added: before.added + added });
  }

  /** @param what with the reason, such as "memories of agents that were not taken" */
  leave(what: string, count = 1): void {
    if (count > 0) this.left.set(what, (this.left.get(what) ?? 0) + count);
  }

  note(line: string): void {
    this.notes.push(line);
  }

  toString(): string {
    const lines = [...this.counts].map(([what, { read, added }]) => {
      const present = read - added;
      return `  ${what.padEnd(16)} ${String(added).padStart(9)} added${present > 0 ? `, ${present} there already` : ''}`;
    });
    const left = [...this.left].map(([what, count]) => (count === 1 ? `  ${what}` : `  ${what}: ${count}`));
    return [
      ...lines,
      ...(left.length > 0 ? ['Not taken:', ...left] : []),
      ...(this.notes.length > 0 ? ['To do:', ...this.notes.map((note) => `  ${note}`)] : []),
      '',
    ].join('\n');
  }
}
