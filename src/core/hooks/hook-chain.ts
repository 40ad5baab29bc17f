/** A member of a chain. */
export interface Hook {
  /** Hooks run in ascending order; 0 by default. Hooks of the same order do not depend on each other. */
  readonly order?: number;
}

/** The hooks of one kind. The module that calls the hooks owns the chain; other modules add hooks in their descriptors. */
export class HookChain<H extends Hook> {
  private hooks: readonly H[] | undefined;

  /** @param installed returns the hooks of the modules; called at the first use */
  constructor(private readonly installed: () => readonly H[]) {}

  /** Adds a hook while the server runs. @returns a function that removes the hook */
  register(hook: H): () => void {
    this.hooks = sortHooks([...this.all(), hook]);
    return () => {
      this.hooks = this.all().filter((each) => each !== hook);
    };
  }

  /** In the order in which they run. */
  protected all(): readonly H[] {
    return (this.hooks ??= sortHooks(this.installed()));
  }
}

/** Sorts hooks in the order in which a chain runs them. */
export function sortHooks<H extends Hook>(hooks: readonly H[]): H[] {
  return hooks.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}
