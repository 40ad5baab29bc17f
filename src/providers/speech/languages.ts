/** Whether a BCP 47 tag, or the English name of a language ("English"), is among these primary subtags. */
export function understands(languages: readonly string[] | undefined, language: string): boolean {
  if (languages === undefined) return true;
  const subtag = language.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return languages.some((known) => known === subtag || nameOf(known) === subtag);
}

function nameOf(subtag: string): string | undefined {
  return new Intl.DisplayNames('en', { type: 'language' }).of(subtag)?.toLowerCase();
}
