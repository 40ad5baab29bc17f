/** What a person reads of a memory: its text, or all of its content where it has none. */
export function memoryText(content: Readonly<Record<string, unknown>>): string {
  const text = content['text'];
  return typeof text === 'string' && text !== '' ? text : JSON.stringify(content);
}
