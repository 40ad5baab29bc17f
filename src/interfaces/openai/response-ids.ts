const UUID = '([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})';
const RESPONSE = new RegExp(`^resp_${UUID}(?:_(\\d{1,6}))?$`);
const ITEM = new RegExp(`^(msg|rs|fc|fco)_${UUID}(?:_(\\d{1,6}))?(?:_(\\d{1,6}))?(?:_(\\d))?$`);
const CONVERSATION = new RegExp(`^conv_${UUID}$`);

/** What the id of a response tells: the message that it replies to, and the part of the reply. */
export interface ResponseReference {
  readonly messageId: string;
  /** The step behind the results of functions that the part goes on from; undefined for the first part. */
  readonly part: number | undefined;
}

/** What the id of an item tells. */
export interface ItemReference {
  readonly kind: 'msg' | 'rs' | 'fc' | 'fco';
  /** A message itself, when there is no step; else the message that the item is part of the reply to. */
  readonly messageId: string;
  readonly step: number | undefined;
}

/** `resp_`, the id of the message without dashes, and `_` with the part. The reply, unlike the message, exists only at its end. */
export function responseId(messageId: string, part?: number): string {
  return `resp_${hexOf(messageId)}${part === undefined ? '' : `_${part}`}`;
}

/** Undefined for an id that this server did not make. */
export function readResponseId(id: string): ResponseReference | undefined {
  const [, first, second, third, fourth, fifth, part] = RESPONSE.exec(id) ?? [];
  if (first === undefined) return undefined;
  return { messageId: [first, second, third, fourth, fifth].join('-'), part: part === undefined ? undefined : Number(part) };
}

/**
 * @param step    of the model's or the function's call; undefined for a message of its own
 * @param attempt in which the model said it, from 1
 * @param text    how often the model had begun the text of this call again
 */
export function itemId(kind: ItemReference['kind'], messageId: string, step?: number, attempt?: number, text = 0): string {
  const numbers = [step, attempt, text === 0 ? undefined : text].filter((each) => each !== undefined);
  return `${kind}_${[hexOf(messageId), ...numbers].join('_')}`;
}

/** Undefined for an id that this server did not make. */
export function readItemId(id: string): ItemReference | undefined {
  const [, kind, first, second, third, fourth, fifth, step] = ITEM.exec(id) ?? [];
  if (kind === undefined) return undefined;
  return {
    kind: kind as ItemReference['kind'],
    messageId: [first, second, third, fourth, fifth].join('-'),
    step: step === undefined ? undefined : Number(step),
  };
}

/** `conv_` and the id of the channel without dashes. */
export function conversationId(channelId: string): string {
  return `conv_${hexOf(channelId)}`;
}

/** The channel of a conversation; undefined for an id that this server did not make. */
export function readConversationId(id: string): string | undefined {
  const parts = CONVERSATION.exec(id);
  return parts ? [1, 2, 3, 4, 5].map((at) => parts[at]).join('-') : undefined;
}

function hexOf(id: string): string {
  return id.replaceAll('-', '');
}
