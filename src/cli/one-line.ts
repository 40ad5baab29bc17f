/** What was refused and the way out as one line; once, when an error has no more to say. */
export function oneLine({ message, details }: { readonly message: string; readonly details: string }): string {
  return details === message ? message : `${message.replace(/\.?$/, '.')} ${details}`;
}
