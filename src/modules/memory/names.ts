const LONGEST = 255;

/** Cut to what a name column holds. */
export function asName(text: string): string {
  return text.slice(0, LONGEST);
}

/** How somebody is called who never said a name. */
export function nameless(entityId: string): string {
  return `User-${entityId.slice(0, 8)}`;
}
