/** What a page gets. */
export interface PageProps {
  /** Parameters of the address: `:id`. */
  readonly params: Readonly<Record<string, string>>;
}
