import { attachmentsOf, type Message } from '../../modules/messaging/index.js';
import { callId, type RecordedRound } from '../../modules/turns/index.js';
import { itemId } from './response-ids.js';
import type { ItemListView, ItemsQuery } from './responses.dto.js';

/** An item of a list, in the form of the protocol. */
export type ListedItem = { readonly id: string } & Readonly<Record<string, unknown>>;

const DEFAULT_LIMIT = 20;

/** A stored message as an item. */
export function presentMessage(message: Message): ListedItem {
  const { id, authorKind, content } = message;
  const isUser = authorKind === 'user';
  const text = isUser ? { type: 'input_text', text: content } : { type: 'output_text', text: content, annotations: [], logprobs: [] };
  const files = attachmentsOf(message).map(presentFile);
  return {
    type: 'message',
    id: itemId('msg', id),
    status: 'completed',
    role: isUser ? 'user' : 'assistant',
    content: [...(content === '' && files.length > 0 ? [] : [text]), ...files],
  };
}

/** The outputs of the functions that the caller ran after a call of the model. */
export function presentOutputs(messageId: string, { step, calls }: RecordedRound): ListedItem[] {
  return calls.flatMap(({ result }, index) => {
    if (result === undefined) return [];
    const at = step + 1 + index;
    const output = { call_id: callId(messageId, at), output: result, status: 'completed' };
    return [{ type: 'function_call_output', id: itemId('fco', messageId, at), ...output }];
  });
}

/** How many items a page has. */
export function limitOf({ limit }: ItemsQuery): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}

/** @param data a page and one more item, if there is one */
export function presentItems(data: readonly ListedItem[], limit: number): ItemListView {
  const page = data.filter((_, index) => index < limit);
  return {
    object: 'list',
    data: [...page],
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: data.length > limit,
  };
}

/** A page of all items, which are given oldest first. */
export function pageOf(items: readonly ListedItem[], query: ItemsQuery): ItemListView {
  const ordered = query.order === 'asc' ? items : items.toReversed();
  const behind = query.after === undefined ? -1 : ordered.findIndex(({ id }) => id === query.after);
  return presentItems(
    ordered.filter((_, index) => index > behind),
    limitOf(query),
  );
}

function presentFile(attachment: Record<string, unknown>): Record<string, unknown> {
  const { url, contentType, name } = attachment;
  if (typeof contentType === 'string' && contentType.startsWith('image/')) {
    return { type: 'input_image', image_url: url ?? null, file_id: null, detail: 'auto' };
  }
  return { type: 'input_file', filename: typeof name === 'string' ? name : 'file', file_url: url };
}
