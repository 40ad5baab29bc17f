let texts = 0;

/** A text that no other test says, so that conversations of tests are never alike. */
export function unlike(text: string): string {
  return `${text} (${++texts})`;
}

/** A picture of one pixel, as a data URL. */
export const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
