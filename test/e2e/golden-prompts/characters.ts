import type { GoldenGroup } from '../../support/golden-prompts/golden-group.js';
import type { Stage } from '../../support/golden-prompts/stage.js';

const SAILOR = {
  name: 'Sailor',
  username: 'sailor',
  system: 'Answer in one sentence.\nNever promise the weather.',
  bio: ['Sailor has crossed two oceans.', '', 'Sailor mends nets.'],
  lore: ['Was born on a boat.', '   '],
  adjectives: ['calm', 'brief'],
  topics: ['tides', 'knots'],
  style: { all: ['Write plainly.'], chat: ['Ask at most one question.'], post: ['Never shown in a chat.'] },
  messageExamples: [[line('{{user1}}', 'How deep is it?'), line('Sailor', 'Twelve fathoms.')]],
  knowledge: ['Low water is at six.', 'A bowline does not slip.\n\nIt is tied with one hand.'],
};

const QUESTIONS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const TEACHER = {
  name: 'Teacher',
  bio: 'Teaches.',
  messageExamples: [
    [line('Eve', 'A question without an answer of the teacher'), line('Dan', 'An answer of another one')],
    [line('Eve', 'First'), line('Teacher', 'Reply to the first'), line('Eve', 'Second'), line('Teacher', 'Reply to the second')],
    ...QUESTIONS.map((word) => [line('Eve', `Number ${word}?`), line('Teacher', `It is ${word}.`)]),
  ],
};

/** About 100 tokens each. */
const FACTS = Array.from(
  { length: 36 },
  (_, index) => `Fact ${index}: ${`shelf ${index} holds the books of letter ${index}, `.repeat(9)}end.`,
);
const LIBRARY = {
  name: 'Library',
  bio: 'Lends books.',
  knowledge: [...FACTS.slice(0, 20), `Too long to be measured: ${'book '.repeat(9000)}`, ...FACTS.slice(20), 'Open until five.'],
};

const SENSEI = {
  name: '先生',
  system: '日本語で短く答えてください。🎌',
  bio: ['京都の先生です。'],
  topics: ['茶道', 'Здоровье', 'القهوة'],
  knowledge: ['抹茶は緑です。🍵👩🏽‍🏫'],
};

export const CHARACTERS: GoldenGroup = {
  name: 'characters',
  app: {
    characters: [
      { name: 'Nameonly', bio: '' },
      SAILOR,
      { name: 'Blank', system: '', bio: [' ', ''], lore: [], adjectives: [], topics: [], style: {}, messageExamples: [], knowledge: [] },
      TEACHER,
      LIBRARY,
      { name: 'Tuned', bio: 'Is tuned.', settings: { temperature: 0.2, maxTokens: 321 } },
      { name: 'Mistuned', bio: 'Is tuned with text.', settings: { temperature: '0.2', maxTokens: 'many' } },
      SENSEI,
      { name: 'Changing', bio: 'Is young.', settings: { temperature: 1 } },
    ],
  },
  conversations: {
    'a character with nothing but a name': (stage) => greet(stage, 'Nameonly'),
    'a character with every section': (stage) => greet(stage, 'Sailor'),
    'a character whose sections are empty': (stage) => greet(stage, 'Blank'),
    'more examples than a prompt shows': (stage) => greet(stage, 'Teacher'),
    'knowledge beyond its budget': (stage) => greet(stage, 'Library'),
    'a temperature and a limit of output tokens': (stage) => greet(stage, 'Tuned'),
    'settings that should be numbers and are text': (stage) => greet(stage, 'Mistuned'),
    'a character and messages in other scripts, with emoji': async (stage) => {
      const talk = await stage.session({ agentId: stage.agent('先生'), username: 'Анна 🌷' });
      await stage.say(talk, '抹茶は何色ですか？👩‍👩‍👧‍👦', { reply: '緑です。🍵' });
      await stage.say(talk, 'ما لون القهوة؟\u202e أسود', { reply: 'سوداء' });
      await stage.say(talk, 'e\u0301 and \u00e9, \u{1F469}\u{1F3FD}\u200D\u{1F3EB}');
    },
    'a character that changes between two turns': async (stage) => {
      const agentId = stage.agent('Changing');
      const talk = await stage.session({ agentId });
      await stage.say(talk, 'How old are you?');
      const change = { bio: ['Is old.'], knowledge: ['Was young once.'], settings: { temperature: 0, maxTokens: 50 } };
      await stage.sent(stage.api.patch(`/api/agents/${agentId}`, change));
      await stage.say(talk, 'And now?');
    },
  },
};

function line(name: string, text: string): { name: string; content: { text: string } } {
  return { name, content: { text } };
}

async function greet(stage: Stage, agent: string): Promise<void> {
  await stage.say(await stage.session({ agentId: stage.agent(agent) }), 'Good morning!');
}
