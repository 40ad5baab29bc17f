/** The beginning of a text, without half of a character at its end. @param maxLength in UTF-16 units */
export function cutText(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

/** The first character of a name as a reader sees it, for an avatar. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return (first?.segment ?? '').toUpperCase();
}
