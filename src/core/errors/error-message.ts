/** The message of a thrown value. Does not rely on `instanceof Error`, which fails for errors of another realm, such as a plugin's. */
export function errorMessage(thrown: unknown): string {
  const message = (thrown as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(thrown);
}
