/** Texts of a table with a column `words` (see `indexedWords`); a class of the hook kind `indexedTexts`. */
export interface IndexedTexts {
  readonly table: string;
  /** A unique column that never changes and is indexed. */
  readonly key: string;
  /** The column with the text. */
  readonly column: string;
  /** What the column `words` has for a value of `column`. */
  readonly wordsOf: (stored: string) => string | null;
}

declare module '../hooks/hook-kinds.js' {
  interface HookKinds {
    indexedTexts: IndexedTexts;
  }
}
