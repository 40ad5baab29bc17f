import { idFromText, isUuid } from '../../core/ids/index.js';
import { leavesFolder } from './knowledge.js';

type Fields = Readonly<Record<string, unknown>>;
/** Called with a sentence about a field whose value was changed or left out. */
type Warn = (sentence: string) => void;

const TEXT_FIELDS = ['name', 'username', 'system'] as const;
const LIST_FIELDS = ['topics', 'adjectives', 'postExamples', 'plugins'] as const;
const STYLES = ['all', 'chat', 'post'];
const WRAPPERS = ['character', 'agent', 'data', 'default'];
/** Fields of an object that hold its text. */
const TEXTS = ['text', 'content', 'value', 'template', 'fact', 'description', 'name'];
const SPEAKERS = ['name', 'user', 'role', 'speaker', 'author', 'sender'];
const PAIRS = [
  ['user', 'assistant'],
  ['user', 'agent'],
  ['input', 'output'],
  ['prompt', 'response'],
  ['prompt', 'completion'],
  ['question', 'answer'],
] as const;
const OWN_NAMES = new Set(['assistant', 'agent', 'bot', 'ai', 'char', 'character', 'self']);
const MACROS = /^\{\{\s*(?:char|agentname|agent|name)\s*\}\}$/i;

/**
 * A character as Parley has it, from how files in the wild write one: single texts in place of lists, objects in place of texts, older and newer
 * shapes of examples and knowledge. A value that cannot be understood stays as it is if the validation can name its fault, else it is left out
 * with a warning.
 */
export function fromDialect(given: unknown, warn: Warn): unknown {
  const value = unwrapped(given, warn);
  if (!isObject(value)) return value;
  const fields = new Map(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));
  const change = (field: string, adapt: (value: unknown) => unknown): void => {
    if (!fields.has(field)) return;
    const adapted = adapt(fields.get(field));
    if (adapted === undefined) fields.delete(field);
    else fields.set(field, adapted);
  };
  for (const field of TEXT_FIELDS) change(field, (each) => (isListOfTexts(each) ? each.join('\n') : scalar(each)));
  change('id', (each) => idOf(each, warn));
  for (const field of ['bio', 'lore']) change(field, (each) => (typeof each === 'string' ? each : listOf(each, field, warn)));
  for (const field of LIST_FIELDS) change(field, (each) => listOf(each, field, warn));
  change('style', (each) => styleOf(each, warn));
  change('templates', (each) => templatesOf(each, warn));
  change('knowledge', (each) => knowledgeOf(each, warn));
  const name = fields.get('name');
  change('messageExamples', (each) => examplesOf(each, typeof name === 'string' ? name : '', warn));
  change('settings', (each) => settingsOf(each, warn));
  change('secrets', (each) => secretsOf(each, 'secrets', warn));
  if (!fields.has('bio') && (fields.has('system') || fields.has('lore'))) {
    fields.set('bio', []);
    warn('bio is missing; the agent has its other fields only');
  }
  return Object.fromEntries(fields);
}

/** A character in an object of its own, as exports and modules have it. */
function unwrapped(value: unknown, warn: Warn): unknown {
  if (Array.isArray(value) && value.length === 1) return unwrapped(value[0], warn);
  if (!isObject(value) || 'name' in value) return value;
  const wrapper = WRAPPERS.find((field) => isObject(value[field]));
  if (wrapper === undefined) return value;
  const beside = Object.keys(value).filter((field) => field !== wrapper && field !== '$schema' && field !== 'success');
  if (beside.length > 0) warn(`${beside.join(', ')} beside ${wrapper} is not used`);
  return unwrapped(value[wrapper], warn);
}

function idOf(value: unknown, warn: Warn): unknown {
  const id = scalar(value);
  if (typeof id !== 'string') return id;
  if (id.trim() === '') return undefined;
  if (isUuid(id)) return id;
  warn('id is not a UUID; the agent has an id that is derived from it');
  return idFromText(id);
}

/** A list of texts; anything else that is not understood stays, for the validation to name it. */
function listOf(value: unknown, field: string, warn: Warn): unknown {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (isObject(value)) {
    const [text] = textsIn(value);
    if (text !== undefined) return [text];
    warn(`${field} is an object; its names are used as the list`);
    return Object.keys(value);
  }
  if (!Array.isArray(value)) return value;
  return value.flatMap((each: unknown, index) => {
    if (each === null) return [];
    const read = scalar(each);
    if (typeof read === 'string') return [read];
    if (isListOfTexts(read)) return [read.join('\n')];
    const [text, used] = isObject(read) ? textsIn(read) : [];
    if (text === undefined) {
      warn(`${field}[${index}] is not text and is left out`);
      return [];
    }
    const others = Object.keys(read as object).filter((key) => key !== used);
    if (others.length > 0) warn(`${field}[${index}]: ${others.join(', ')} is not used`);
    return [text];
  });
}

function textsIn(value: Fields): [text: string | undefined, field: string | undefined] {
  const field = TEXTS.find((each) => typeof value[each] === 'string');
  return [field === undefined ? undefined : String(value[field]), field];
}

function styleOf(value: unknown, warn: Warn): unknown {
  if (!isObject(value)) return typeof value === 'string' || Array.isArray(value) ? { all: listOf(value, 'style', warn) } : value;
  const unknown = Object.keys(value).filter((key) => !STYLES.includes(key));
  if (unknown.length > 0) warn(`${unknown.map((key) => `style.${key}`).join(', ')} is not used; style has all, chat and post`);
  const known = Object.entries(value).filter(([key, each]) => STYLES.includes(key) && each !== null);
  return Object.fromEntries(known.map(([key, each]) => [key, listOf(each, `style.${key}`, warn)]));
}

function templatesOf(value: unknown, warn: Warn): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const text = typeof each === 'string' ? each : isListOfTexts(each) ? each.join('\n') : isObject(each) ? textsIn(each)[0] : undefined;
      if (text === undefined) warn(`templates.${key} is not text and is left out`);
      return text === undefined ? [] : [[key, text]];
    }),
  );
}

function knowledgeOf(value: unknown, warn: Warn): unknown {
  const entries: unknown = typeof value === 'string' || isObject(value) ? [value] : value;
  if (!Array.isArray(entries)) return entries;
  return entries.flatMap((entry: unknown, index) => {
    const read = knowledgeEntryOf(entry);
    const path = typeof read === 'string' && !/\s/.test(read) ? read : isObject(read) ? (read['path'] ?? read['directory']) : undefined;
    if (read === undefined) warn(`knowledge[${index}] is neither text nor a path and is left out`);
    else if (typeof path === 'string' && leavesFolder(path)) warn(`knowledge[${index}] is outside the characters folder and is left out`);
    else return [read];
    return [];
  });
}

function knowledgeEntryOf(entry: unknown): unknown {
  const read = scalar(entry);
  if (typeof read === 'string') return read.trim() === '' ? undefined : read;
  if (!isObject(read)) return undefined;
  const { item, path, directory, shared } = read;
  if (isObject(item)) {
    return item['case'] === 'directory' ? knowledgeEntryOf(asDirectory(item['value'])) : knowledgeEntryOf(asPath(item['value']));
  }
  const isShared = typeof shared === 'boolean' ? { shared } : {};
  const [text] = textsIn(read);
  // Older files have the text of a document beside its path.
  if (text !== undefined && text.trim() !== '' && (path === undefined || 'content' in read || 'text' in read)) return text;
  if (typeof path === 'string' && path.trim() !== '') return { path, ...isShared };
  return typeof directory === 'string' && directory.trim() !== '' ? { directory, ...isShared } : undefined;
}

function asPath(value: unknown): unknown {
  return typeof value === 'string' ? { path: value } : value;
}

function asDirectory(value: unknown): unknown {
  return typeof value === 'string' ? { directory: value } : value;
}

function examplesOf(value: unknown, agent: string, warn: Warn): unknown {
  const list: unknown = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list)) return list;
  const isFlat =
    list.length > 0 && list.every((each) => isObject(each) && speakerOf(each) !== undefined && !Array.isArray(each['examples']));
  const conversations: unknown[] = isFlat && pairsIn(list[0] as Fields) === undefined ? [list] : list;
  return conversations.flatMap((conversation, at) => {
    const messages = messagesIn(conversation);
    const read = messages.flatMap((message: unknown, index) => {
      const known = exampleMessages(message, agent);
      if (known.length === 0) warn(`messageExamples[${at}][${index}] has no speaker and text, and is left out`);
      return known;
    });
    if (messages.length === 0) warn(`messageExamples[${at}] has no messages and is left out`);
    return read.length === 0 ? [] : [read];
  });
}

function messagesIn(conversation: unknown): unknown[] {
  if (Array.isArray(conversation)) return conversation as unknown[];
  if (typeof conversation === 'string') return conversation.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (!isObject(conversation)) return [];
  const inside = conversation['examples'] ?? conversation['messages'] ?? conversation['conversation'];
  return Array.isArray(inside) ? (inside as unknown[]) : [conversation];
}

function exampleMessages(message: unknown, agent: string): object[] {
  if (typeof message === 'string') {
    const [, speaker, text] = /^\s*([^:\n]{1,100}):\s*([\s\S]+)$/.exec(message) ?? [];
    return speaker === undefined ? [] : [{ name: nameOf(speaker.trim(), agent), content: { text } }];
  }
  if (!isObject(message)) return [];
  const pair = pairsIn(message);
  if (pair) {
    return [
      { name: '{{name1}}', content: { text: pair[0] } },
      { name: agent, content: { text: pair[1] } },
    ];
  }
  const speaker = speakerOf(message);
  const content = message['content'] ?? message['text'] ?? message['message'];
  if (speaker === undefined || (typeof content !== 'string' && !isObject(content))) return [];
  const text = typeof content === 'string' ? content : content['text'];
  const rest = isObject(content) ? content : {};
  return [{ name: nameOf(speaker, agent), content: { ...rest, ...(text === undefined || text === null ? {} : { text: scalar(text) }) } }];
}

function pairsIn(message: Fields): readonly [string, string] | undefined {
  for (const [question, answer] of PAIRS) {
    const [one, other] = [message[question], message[answer]];
    if (typeof one === 'string' && typeof other === 'string') return [one, other];
  }
  return undefined;
}

function speakerOf(message: Fields): string | undefined {
  const field = SPEAKERS.find((each) => typeof message[each] === 'string');
  return field === undefined ? undefined : String(message[field]);
}

/** The name of the agent in place of words that mean it. */
function nameOf(speaker: string, agent: string): string {
  return agent !== '' && (MACROS.test(speaker) || OWN_NAMES.has(speaker.toLowerCase())) ? agent : speaker;
}

function settingsOf(value: unknown, warn: Warn): unknown {
  if (!isObject(value) || !('secrets' in value)) return value;
  const { secrets, ...settings } = value;
  const read = secrets === null ? undefined : secretsOf(secrets, 'settings.secrets', warn);
  return read === undefined ? settings : { ...settings, secrets: read };
}

function secretsOf(value: unknown, field: string, warn: Warn): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, each]) => {
      const isPlain = each === null || typeof each !== 'object';
      if (!isPlain) warn(`${field}.${key} is not a single value and is left out`);
      return isPlain;
    }),
  );
}

function scalar(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
