interface Planted {
  readonly find: string;
  readonly replace: string;
}

/** Mistakes that somebody could make, each with its place in the compiled program and the disturbances that bring it to light. */
export const MUTATIONS: readonly (Planted & {
  readonly name: string;
  /** Path in dist. */
  readonly file: string;
  /** A second place, by default in the same file. */
  readonly more?: Planted & { readonly file?: string };
  readonly faults: string;
  readonly env?: Readonly<Record<string, string>>;
})[];
