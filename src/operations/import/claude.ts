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

const ORIGIN = 'claude';

export function isClaudeConversation(value: unknown): value is Fields {
  return isObject(value) && Array.isArray(value['chat_messages']);
}

/** What an entry of another file of the export is; undefined for none. */
export function otherClaudeEntry(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  if (Array.isArray(value['docs']) && 'prompt_template' in value) {
    return `Claude: the project ${label(value['name'])} with ${value['docs'].length} documents; add them to an agent as documents`;
  }
  return 'email_address' in value && 'uuid' in value ? 'Claude: account of the user' : undefined;
}

/** A conversation of Claude's export: the branch that was shown last, if the export has several. */
export function claudeConversation(value: Fields, report: Reporter): ForeignConversation {
  const all = listOf(value['chat_messages']).filter(isObject);
  const shown = shownOf(all, value['current_leaf_message_uuid']);
  report.leave('Claude: messages of branches that were edited or replied to again', all.length - shown.length);
  const messages = shown.flatMap((message, index) => messageOf(message, index, report));
  const id = trimmed(value['uuid']) || (messages[0]?.id ?? '');
  return { origin: ORIGIN, id, title: label(value['name'], 'Claude'), at: instantOf(value['created_at']), messages };
}

function shownOf(all: readonly Fields[], leaf: unknown): readonly Fields[] {
  const byId = new Map(all.map((message) => [message['uuid'], message]));
  if (typeof leaf !== 'string' || !byId.has(leaf)) return all;
  const path = new Set<Fields>();
  for (let at = byId.get(leaf); at && !path.has(at); at = byId.get(at['parent_message_uuid'])) path.add(at);
  return [...path].reverse();
}

function messageOf(message: Fields, index: number, report: Reporter): ForeignMessage[] {
  const sender = message['sender'];
  const isAgent = sender === 'assistant';
  if (!isAgent && sender !== 'human' && sender !== 'user') {
    report.leave(`Claude: messages of ${label(sender, 'an unknown sender')}`);
    return [];
  }
  const text = [saidIn(message, report), ...filesOf(message, report)].filter((part) => part !== '').join('\n\n');
  if (text === '') {
    report.leave('Claude: messages without text');
    return [];
  }
  return [{ id: trimmed(message['uuid']) || `${index}`, isAgent, text, at: instantOf(message['created_at']) }];
}

/** The flat text has a placeholder for each block that is no text, so the blocks come first. */
function saidIn(message: Fields, report: Reporter): string {
  const blocks = listOf(message['content']).filter(isObject);
  const others = blocks.filter(({ type }) => type !== 'text');
  for (const { type } of others) {
    report.leave(type === 'thinking' ? 'Claude: thoughts of the model' : `Claude: blocks of the type ${label(type, 'unknown')}`);
  }
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => trimmed(text));
  return texts.filter((text) => text !== '').join('\n\n') || (others.length > 0 ? '' : trimmed(message['text']));
}

function filesOf(message: Fields, report: Reporter): string[] {
  const attached = listOf(message['attachments']).map((each) => {
    const { file_name: name, extracted_content: content } = objectOf(each);
    const text = trimmed(content);
    if (text === '') report.leave('Claude: files in messages; the conversation has their names');
    return text === '' ? `[${label(name, 'file')}]` : `[${label(name, 'file')}]\n${text}`;
  });
  const named = [...listOf(message['files']), ...listOf(message['files_v2'])].map((each) => label(objectOf(each)['file_name'], 'file'));
  const names = new Set(named);
  report.leave('Claude: files in messages; the conversation has their names', names.size);
  return [...attached, ...[...names].map((name) => `[${name}]`)];
}
