/** Message and details of an error on one line; only the message when both are the same. */
export function oneLine({ message, details }: { readonly message: string; readonly details: string }): string {
  return details === message ? message : `${message.replace(/\.?$/, '.')} ${details}`;
}
