/** Whether a language, as a BCP 47 tag or an English name ("English"), is among these primary subtags. */
export function supportsLanguage(languages: readonly string[] | undefined, language: string): boolean {
  if (languages === undefined) return true;
  const subtag = language.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return languages.some((known) => known === subtag || nameOf(known) === subtag);
}

function nameOf(subtag: string): string | undefined {
  return new Intl.DisplayNames('en', { type: 'language' }).of(subtag)?.toLowerCase();
}
