import {
  instantOf,
  isObject,
  label,
  listOf,
  objectOf,
  trimmed,
  type Fields,
  type ForeignConversation,
  type ForeignMessage,
  type Reporter,
} from './foreign.js';

const ORIGIN = 'chatgpt';
/** Kinds of content that are not said to the other side. */
const INNER: Readonly<Record<string, string>> = {
  thoughts: 'ChatGPT: thoughts of the model',
  reasoning_recap: 'ChatGPT: thoughts of the model',
  execution_output: 'ChatGPT: results of tools',
  tether_browsing_display: 'ChatGPT: results of tools',
  tether_quote: 'ChatGPT: results of tools',
  system_error: 'ChatGPT: errors of tools',
  user_editable_context: 'ChatGPT: custom instructions and memories; write them into the character',
  model_editable_context: 'ChatGPT: custom instructions and memories; write them into the character',
};
/** References that ChatGPT writes into texts, between characters that no font has. */
const REFERENCES = /\ue200[^\ue201]{0,2000}\ue201/g;

export function isChatGptConversation(value: unknown): value is Fields {
  return isObject(value) && isObject(value['mapping']);
}

/** A conversation of ChatGPT's export: the branch that was shown last. */
export function chatGptConversation(value: Fields, report: Reporter): ForeignConversation {
  const nodes = new Map(Object.entries(objectOf(value['mapping'])).map(([id, node]) => [id, objectOf(node)]));
  const path = pathTo(leafOf(value['current_node'], nodes), nodes);
  const shown = new Set(path);
  const counted = { leave: (what: string, count?: number) => report.leave(what, count) };
  const messages = path.flatMap((id) => messageOf(id, nodes.get(id) ?? {}, counted));
  const beside = [...nodes].filter(([id, node]) => !shown.has(id) && messageOf(id, node, { leave: () => undefined }).length > 0).length;
  report.leave('ChatGPT: messages of branches that were edited or replied to again', beside);
  const id = trimmed(value['conversation_id']) || trimmed(value['id']) || (messages[0]?.id ?? '');
  return { origin: ORIGIN, id, title: label(value['title'], 'ChatGPT'), at: instantOf(value['create_time']), messages };
}

function leafOf(current: unknown, nodes: ReadonlyMap<string, Fields>): string | undefined {
  if (typeof current === 'string' && nodes.has(current)) return current;
  const leaves = [...nodes].filter(([, node]) => listOf(node['children']).length === 0);
  const timeOf = ([, node]: [string, Fields]): number => instantOf(objectOf(node['message'])['create_time']) ?? 0;
  return leaves.sort((one, other) => timeOf(other) - timeOf(one))[0]?.[0];
}

/** Ids of the nodes from the root to a leaf. */
function pathTo(leaf: string | undefined, nodes: ReadonlyMap<string, Fields>): string[] {
  const path = new Set<string>();
  for (let at: unknown = leaf; typeof at === 'string' && nodes.has(at) && !path.has(at); at = nodes.get(at)?.['parent']) path.add(at);
  return [...path].reverse();
}

function messageOf(nodeId: string, node: Fields, report: Pick<Reporter, 'leave'>): ForeignMessage[] {
  const { message } = node;
  if (!isObject(message)) return [];
  const metadata = objectOf(message['metadata']);
  const content = objectOf(message['content']);
  const role = objectOf(message['author'])['role'];
  const kind = trimmed(content['content_type']) || 'text';
  const recipient = trimmed(message['recipient']) || 'all';
  const inner = INNER[kind];
  if (inner !== undefined) report.leave(inner);
  else if (role === 'tool') report.leave('ChatGPT: results of tools');
  else if (metadata['is_visually_hidden_from_conversation'] === true || role === 'system') {
    report.leave('ChatGPT: hidden messages of the system');
  } else if (role !== 'user' && role !== 'assistant') report.leave(`ChatGPT: messages of ${label(role, 'an unknown author')}`);
  else if (recipient !== 'all') report.leave('ChatGPT: calls of tools');
  else {
    const text = textOf(kind, content, report);
    const id = trimmed(message['id']) || nodeId;
    if (text !== '') return [{ id, isAgent: role === 'assistant', text, at: instantOf(message['create_time']) }];
    report.leave('ChatGPT: messages without text');
  }
  return [];
}

function textOf(kind: string, content: Fields, report: Pick<Reporter, 'leave'>): string {
  if (kind === 'code') {
    const code = trimmed(content['text']);
    return code === '' ? '' : `\`\`\`${trimmed(content['language']).replace(/^unknown$/, '')}\n${code}\n\`\`\``;
  }
  const parts = listOf(content['parts']).map((part) => {
    if (typeof part === 'string') return part;
    const { content_type: type, text } = objectOf(part);
    if (typeof text === 'string') return text;
    report.leave(`ChatGPT: files in messages (${label(type, 'of an unknown kind')}); the conversation has [file] in their place`);
    return '[file]';
  });
  const said = parts.length === 0 ? trimmed(content['text']) : trimmed(parts.join('\n'));
  return said.replaceAll(REFERENCES, '').trim();
}
