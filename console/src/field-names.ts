// Errors of the server name the fields of requests; people see the labels of forms.
import { t, type TextName } from './i18n.js';

/** Labels of fields that forms of the console send, by the last name in the path. */
const LABELS = new Map<string, TextName>(
  Object.entries({
    name: 'common.name',
    title: 'chat.title',
    content: 'chat.messageText',
    author_id: 'channels.userId',
    author_display_name: 'common.name',
    participantCentralUserIds: 'channels.userId',
    agentId: 'common.agent',
    description: 'channels.description',
    turnPolicy: 'channels.turnPolicy',
    type: 'channels.type',
    scope: 'keys.scope',
    expiresAt: 'keys.expiresAt',
    agents: 'nav.agents',
    url: 'agents.documents.url',
    text: 'memories.text',
    query: 'common.search',
    message: 'memories.message',
    userId: 'memories.userId',
    provider: 'model.service',
    model: 'model.name',
    address: 'model.address',
    key: 'model.key',
  } as const),
);
const CHARACTER = [
  'name',
  'username',
  'system',
  'bio',
  'lore',
  'topics',
  'adjectives',
  'postExamples',
  'messageExamples',
  'knowledge',
  'templates',
];
const STYLES = ['all', 'chat', 'post'];
const SETTINGS = [
  ...['modelProvider', 'model', 'temperature', 'maxTokens', 'maxToolRounds', 'actionTimeoutMs', 'supportsImages', 'supportsDocuments'],
  ...['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'OLLAMA_BASE_URL', 'OPENAI_AUDIO_BASE_URL', 'ELEVENLABS_BASE_URL', 'MEMORY_EXTRACTION'],
  ...['speechProvider', 'transcriptionProvider'],
];
/** A path at the beginning of a message: `bio`, `style.all[0]`, `participants.0`. */
const PATH = /^[A-Za-z_][\w-]*(?:\[\d+\]|\.[\w-]+)*(?= )/;

/** A message of the server with the label of its field in place of the name. */
export function inWords(message: string): string {
  return message.replace(PATH, (path) => {
    const names = path.split(/[.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
    const label = LABELS.get(names.at(-1) ?? '');
    return label === undefined ? path : `${t(label)}${entries(path)}`;
  });
}

/** A fault of a character with the label of its field in place of the path. */
export function characterInWords(message: string): string {
  return message.replace(PATH, (path) => {
    const [first = '', second = ''] = path.split(/[.[\]]+/);
    const name = first === 'style' || first === 'settings' ? second : first;
    const label = labelOf(first, name);
    return label === undefined ? path : `${label}${entries(path)}`;
  });
}

function labelOf(group: string, name: string): string | undefined {
  if (group === 'settings') return SETTINGS.includes(name) ? t(`agents.settings.${name}` as TextName) : name;
  if (group === 'style') return STYLES.includes(name) ? t(`agents.fields.style.${name}` as TextName) : undefined;
  return CHARACTER.includes(name) ? t(`agents.fields.${name}` as TextName) : undefined;
}

/** The entries of lists in a path, counted from 1 as the forms do: `bio[1]` is ` 2`. */
function entries(path: string): string {
  const found = [...path.matchAll(/[.[](\d+)\b/g)].map(([, index]) => Number(index) + 1);
  return found.length === 0 ? '' : ` ${found.join('.')}`;
}
