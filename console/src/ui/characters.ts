/** Number of code points, as the server counts the characters of a text. */
export function characterCount(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/**
 * Attributes of a text field that takes at most `max` characters. The attribute `maxlength` of HTML counts an emoji as two.
 */
export function atMost(max: number): { onInputCapture: (event: InputEvent) => void } {
  return {
    onInputCapture: (event) => {
      const field = event.target as HTMLInputElement | HTMLTextAreaElement;
      // An input method loses its place when the text is changed before it ends.
      if (event.isComposing || characterCount(field.value) <= max) return;
      field.value = [...field.value].slice(0, max).join('');
    },
  };
}
