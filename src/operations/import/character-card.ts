import { isObject, label, listOf, objectOf, trimmed, type Fields, type ForeignAgent, type Reporter } from './foreign.js';

/** Fields of a card that become fields of the character. */
const TAKEN = new Set([
  ...['name', 'nickname', 'description', 'personality', 'scenario', 'first_mes', 'alternate_greetings', 'group_only_greetings'],
  ...['mes_example', 'system_prompt', 'post_history_instructions', 'character_book'],
]);
/** Fields of version 1, and what editors add to it. */
const FIRST_FIELDS = ['first_mes', 'mes_example', 'personality', 'scenario', 'char_greeting', 'char_persona', 'example_dialogue'];
/** JSON of kept fields, characters. */
const MAX_KEPT = 20_000;
const MACRO = /\{\{[^{}]{0,1000}\}\}/g;

/** Whether a value is a character card of version 1, 2 or 3. */
export function isCharacterCard(value: unknown): value is Fields {
  if (!isObject(value)) return false;
  if (typeof value['spec'] === 'string' && value['spec'].startsWith('chara_card')) return true;
  return (
    !('bio' in value) &&
    (typeof value['name'] === 'string' || typeof value['char_name'] === 'string') &&
    FIRST_FIELDS.some((field) => field in value)
  );
}

/** The agent of a character card. Its greetings become post examples, its lorebook becomes knowledge. */
export function cardAgent(value: Fields, report: Reporter): ForeignAgent {
  const version = /^chara_card_(v\d+)/.exec(trimmed(value['spec']))?.[1] ?? 'v1';
  const data = isObject(value['data']) ? value['data'] : firstVersion(value);
  const name = trimmed(data['name']);
  const called = trimmed(data['nickname']) || name;
  const fill = new Macros(called, label(name), report);
  const text = (field: string): string => fill.in(trimmed(data[field]));
  const facts = lorebookFacts(data['character_book'], fill, label(name), report);
  const greetings = ['first_mes', 'alternate_greetings', 'group_only_greetings']
    .flatMap((field) => (typeof data[field] === 'string' ? [data[field]] : listOf(data[field])))
    .map((each) => fill.in(trimmed(each)))
    .filter((each) => each !== '');
  const instructions = text('post_history_instructions');
  const examples = exampleConversations(trimmed(data['mes_example']), name, fill);
  if (greetings.length > 0) {
    report.note(`${label(name)}: ${greetings.length} greetings are its post examples, because agents do not write first.`);
  }
  const scenario = text('scenario');
  return {
    format: `character card ${version}`,
    character: {
      name,
      bio: [text('description'), text('personality')].filter((part) => part !== ''),
      ...(scenario !== '' && { lore: [scenario] }),
      ...(text('system_prompt') !== '' && { system: text('system_prompt') }),
      ...(instructions !== '' && { style: { all: [instructions] } }),
      ...(examples.length > 0 && { messageExamples: examples }),
      ...(greetings.length > 0 && { postExamples: greetings }),
      ...(facts.length > 0 && { knowledge: facts }),
      settings: {
        imported: { format: `character card ${version}`, ...(called !== name && { nickname: called }), ...kept(data, label(name), report) },
      },
    },
  };
}

/** Version 1 has its fields at the top; some editors name them differently. */
function firstVersion(value: Fields): Fields {
  return {
    ...value,
    name: value['name'] ?? value['char_name'],
    description: value['description'] ?? value['char_persona'],
    scenario: value['scenario'] ?? value['world_scenario'],
    first_mes: value['first_mes'] ?? value['char_greeting'],
    mes_example: value['mes_example'] ?? value['example_dialogue'],
  };
}

/** Names in place of the macros for them. */
class Macros {
  constructor(
    private readonly character: string,
    private readonly agent: string,
    private readonly report: Reporter,
  ) {}

  in(text: string): string {
    const named = text
      .replaceAll(/\{\{\s*char\s*\}\}|<bot>|<char>/gi, () => this.character)
      .replaceAll(/\{\{\s*user\s*\}\}|<user>/gi, 'the user')
      .replaceAll(/\{\{\s*original\s*\}\}/gi, '');
    this.report.leave(`${this.agent}: macros that stay as they are written`, (named.match(MACRO) ?? []).length);
    return named.trim();
  }
}

/** Conversations of `mes_example`: each begins with <START>, each message with its speaker. */
function exampleConversations(written: string, name: string, fill: Macros): object[][] {
  return written.split(/<START>/i).flatMap((block) => {
    const messages: { name: string; content: { text: string } }[] = [];
    for (const line of block.split(/\r?\n/)) {
      const [, speaker, said] = /^\s*(\{\{char\}\}|\{\{user\}\}|<bot>|<char>|<user>|[^:{}<>\n]{1,60}):\s?(.*)$/i.exec(line) ?? [];
      const isAgent = speaker !== undefined && (/char|bot/i.test(speaker) || speaker === name);
      const isUser = speaker !== undefined && /^(?:\{\{user\}\}|<user>|user|you)$/i.test(speaker);
      const last = messages.at(-1);
      if (said !== undefined && (isAgent || isUser)) {
        messages.push({ name: isAgent ? name : '{{user1}}', content: { text: fill.in(said) } });
      } else if (last) last.content.text = `${last.content.text}\n${fill.in(line)}`.trim();
      else if (line.trim() !== '') messages.push({ name, content: { text: fill.in(line) } });
    }
    return messages.length === 0 ? [] : [messages];
  });
}

function lorebookFacts(value: unknown, fill: Macros, agent: string, report: Reporter): string[] {
  const book = objectOf(value);
  // The tables of SillyTavern have entries by number.
  const entries = Array.isArray(book['entries']) ? (book['entries'] as unknown[]) : Object.values(objectOf(book['entries']));
  const facts = entries.filter(isObject).flatMap((entry) => {
    const content = fill.in(trimmed(entry['content']));
    if (content === '') return [];
    if (entry['enabled'] !== false && entry['disable'] !== true) return [content];
    report.switchOff(
      `${agent}: the lorebook entry ${label(entry['name'] ?? entry['comment'] ?? listOf(entry['keys'])[0])}, which the card has switched off`,
    );
    return [];
  });
  if (facts.length > 0) {
    report.note(`${agent}: ${facts.length} lorebook entries are its knowledge, which it has in every conversation, without their keys.`);
  }
  return facts;
}

/** What agents have no field for: kept in the settings if it is short. */
function kept(data: Fields, agent: string, report: Reporter): Fields {
  const others = Object.entries(data).filter(
    ([field, value]) =>
      !TAKEN.has(field) && !FIRST_FIELDS.includes(field) && field !== 'char_name' && field !== 'world_scenario' && !isEmpty(value),
  );
  return Object.fromEntries(
    others.filter(([field, value]) => {
      const isShort = JSON.stringify(value).length <= MAX_KEPT;
      if (field === 'assets') report.switchOff(`${agent}: ${listOf(value).length} assets, which may be addresses`);
      else if (!isShort) report.leave(`${agent}: ${label(field)}, which is longer than ${MAX_KEPT} characters`);
      return isShort && field !== 'assets' && field !== 'avatar';
    }),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
