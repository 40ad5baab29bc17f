/** `call_`, the message's id without dashes, `_`, the step: at most 48 of the characters that every protocol allows. */
const CALL_ID = /^call_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_(\d{1,6})$/;

/** The id under which a caller gets a call: it tells which turn waits for the result. @param step number of the call among the steps */
export function callId(messageId: string, step: number): string {
  return `call_${messageId.replaceAll('-', '')}_${step}`;
}

/** Undefined for an id that this server did not make. */
export function readCallId(id: string): { readonly messageId: string; readonly step: number } | undefined {
  const [, first, second, third, fourth, fifth, step] = CALL_ID.exec(id) ?? [];
  return step === undefined ? undefined : { messageId: [first, second, third, fourth, fifth].join('-'), step: Number(step) };
}
