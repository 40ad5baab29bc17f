interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** Limits the memory of work that runs at the same time. Work starts in the order in which it was asked for. */
export class ByteBudget {
  private readonly waiting: Waiting[] = [];
  private free: number;

  /** @param total bytes */
  constructor(private readonly total: number) {
    this.free = total;
  }

  /** Runs work that needs so many bytes, at most the total, once they are free. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const needed = Math.min(bytes, this.total);
    await new Promise<void>((start) => {
      this.waiting.push({ bytes: needed, start });
      this.startNext();
    });
    try {
      return await work();
    } finally {
      this.free += needed;
      this.startNext();
    }
  }

  private startNext(): void {
    for (let next = this.waiting[0]; next && next.bytes <= this.free; next = this.waiting[0]) {
      this.waiting.shift();
      this.free -= next.bytes;
      next.start();
    }
  }
}
