import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../core/errors/index.js';
import { parseCharacter } from './character.js';

const minimal = { name: 'Ada', bio: 'Counts.' };

// Every optional field of an elizaOS 1.7 character, with the types of values that it allows.
const complete = {
  id: 'B850BC30-45F8-0041-A00A-83DF46D8555D',
  name: 'Eliza',
  username: 'eliza',
  system: 'You listen.',
  templates: { replyTemplate: 'Reply as {{agentName}}.' },
  bio: ['Listens.', 'Asks back.'],
  messageExamples: [
    [
      { name: '{{name1}}', content: { text: 'Hello', source: 'chat', attachments: [{ id: 'a', url: 'https://example.org/a.png' }] } },
      { name: 'Eliza', content: { text: 'How do you do?', thought: 'A greeting.', actions: ['REPLY'], providers: [], mood: 3 } },
    ],
  ],
  postExamples: ['Today I listened.'],
  topics: ['listening'],
  adjectives: ['patient'],
  knowledge: ['Rooms have walls.', 'notes/rooms.md', { path: 'notes/doors.md', shared: true }, { directory: 'notes', shared: false }],
  plugins: ['@elizaos/plugin-bootstrap'],
  settings: { avatar: 'https://example.org/e.png', temperature: 0, stream: false, voice: { model: 'en' }, list: [1, 'two'], unset: null },
  style: { all: ['Be brief.'], chat: ['Ask.'], post: [] },
};

function errorsOf(value: unknown): string {
  try {
    parseCharacter(value, 'ada.json');
  } catch (error) {
    if (error instanceof AppError && error.code === 'CHARACTER_INVALID') return error.details;
    throw error;
  }
  return 'none';
}

describe('a character', () => {
  it('requires only a name and a bio', () => {
    expect(parseCharacter(minimal, 'ada.json')).toEqual({ character: minimal, secrets: null, unused: [] });
  });

  it('loads unchanged with every field of an elizaOS file', () => {
    expect(parseCharacter(complete, 'eliza.json')).toEqual({ character: complete, secrets: null, unused: [] });
  });

  it('is separated from the secrets in both places', () => {
    const { character, secrets } = parseCharacter(
      { ...minimal, secrets: { KEY: 'own', PORT: 1, ON: true }, settings: { mode: 'dry', secrets: { KEY: 'inner' } } },
      'ada.json',
    );
    expect(character).toEqual({ ...minimal, settings: { mode: 'dry' } });
    expect(secrets).toEqual({ own: { KEY: 'own', PORT: 1, ON: true }, settings: { KEY: 'inner' } });
  });

  it('accepts the fields of older and newer elizaOS files and reports unused ones [characters.fields]', () => {
    const hello = (speaker: object) => [[{ ...speaker, content: { text: 'Hello' } }]];
    const old = { ...minimal, modelProvider: 'openai', clients: ['discord'], people: [], lore: ['Born in a lab.'], plugins: [] };
    expect(parseCharacter({ ...old, messageExamples: hello({ user: '{{user1}}' }) }, 'old.json')).toEqual({
      character: { ...minimal, lore: ['Born in a lab.'], plugins: [], messageExamples: hello({ name: '{{user1}}' }) },
      secrets: null,
      unused: ['modelProvider', 'clients', 'people'],
    });
    const wrapped = { ...minimal, messageExamples: [{ examples: hello({ name: 'Ada' })[0] }] };
    expect(parseCharacter(wrapped, 'new.json').character.messageExamples).toEqual(hello({ name: 'Ada' }));
  });

  it('may be an exported agent', () => {
    const exported = { ...minimal, status: 'active', enabled: true, createdAt: 1, updatedAt: 2 };
    expect(parseCharacter(exported, 'ada.json').character).toEqual(minimal);
  });

  it('reports every error with its file and path', () => {
    const faulty = {
      name: '',
      bio: ['Counts.', 5],
      colour: 'blue',
      topics: 'mathematics',
      messageExamples: [[{ name: 'Ada', content: { text: 'Yes.' } }, { content: { text: 7 } }]],
      style: { chat: [1] },
      secrets: { KEY: { nested: true } },
    };
    expect(errorsOf(faulty).split('; ')).toEqual([
      'ada.json: name must have a visible character and no control characters',
      'ada.json: bio[1] must be text',
      'ada.json: messageExamples[0][1].name is missing',
      'ada.json: messageExamples[0][1].content.text must be text',
      'ada.json: topics must be a list',
      'ada.json: secrets.KEY must be text, a number or true/false',
      'ada.json: style.chat[0] must be text',
      'ada.json: colour is not a field of a character',
    ]);
  });

  it.each([
    [{ name: 'Ada' }, 'bio is missing'],
    [{ bio: 'Counts.' }, 'name is missing'],
    [{ ...minimal, name: 'x'.repeat(256) }, 'name must be at most 255 characters'],
    [{ ...minimal, id: 'ada' }, 'id must be a UUID (8-4-4-4-12 hexadecimal digits)'],
    [{ ...minimal, bio: null }, 'bio must be text or a list of texts'],
    [{ ...minimal, settings: { secrets: 'hush' } }, 'settings.secrets must be an object'],
    [{ ...minimal, knowledge: [3] }, 'knowledge[0] must be text, { path } or { directory }'],
    [{ ...minimal, knowledge: [{ path: 3 }] }, 'knowledge[0].path must be text'],
    [[minimal], 'the character must be an object'],
    ['Ada', 'the character must be an object'],
  ])('%#: is refused with the reason', (value, fault) => {
    expect(errorsOf(value)).toBe(`ada.json: ${fault}`);
  });

  it.each([
    '/etc/passwd',
    '../other/notes.md',
    'notes/../../notes.md',
    '~/.ssh/id_rsa',
    'C:\\keys.txt',
    '\\\\host\\share',
    'file:///etc/passwd',
  ])('must not list %s as knowledge', (path) => {
    expect(errorsOf({ ...minimal, knowledge: [path] })).toMatch(/knowledge\[0\] must be a fact or a path below the characters folder/);
    expect(errorsOf({ ...minimal, knowledge: [{ path }] })).toMatch(/knowledge\[0\]\.path must be a path below the characters folder/);
    expect(errorsOf({ ...minimal, knowledge: [{ directory: path }] })).toMatch(/knowledge\[0\]\.directory must be a path below/);
  });

  it('may list facts about paths', () => {
    const knowledge = ['Use ../ to go up one folder.', '/api/agents lists the agents.', 'The file ~/.profile is read at login.'];
    expect(parseCharacter({ ...minimal, knowledge }, 'ada.json').character.knowledge).toEqual(knowledge);
  });

  it('never quotes a secret in an error', () => {
    expect(errorsOf({ ...minimal, secrets: ['hunter2'], settings: { secrets: 'hunter2' } })).not.toContain('hunter2');
  });
});
