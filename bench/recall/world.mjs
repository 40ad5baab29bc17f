// A user who tells an agent about a life, in conversations over most of a year, and others who tell the same agent about theirs. The same
// seed gives the same world.
import { asked, buried, chatter, told } from './chatter.mjs';
import { FACTS_OF_LIFE } from './facts-of-life.mjs';
import { FACTS_OF_PEOPLE } from './facts-of-people.mjs';
import { CHANGES, EVENTS, FOLLOW_UPS, GROUPS, NEVER_TOLD } from './questions.mjs';
import { Random } from './random.mjs';

const FACTS = new Map([...FACTS_OF_PEOPLE, ...FACTS_OF_LIFE].map((fact) => [fact[0], fact]));
const BURIED_CHARACTERS = 3700;
const FIRST_DAY = 300;

const FULL = { conversations: 30, others: 4, facts: FACTS.size, direct: 14, reworded: 14, of: 8, buried: 8, never: 8, late: 10 };
const SMALL = { conversations: 4, others: 1, facts: 8, direct: 2, reworded: 1, of: 1, buried: 1, never: 1, late: 1 };

/**
 * @typedef {{ id: string, value: string, text: string, daysAgo: number }} Statement `text` is the whole message in which it was made
 * @typedef {{ id: string, kind: 'single' | 'reworded' | 'several' | 'changed' | 'time' | 'follow-up' | 'never', buried: boolean, turns:
 *   string[], evidence: Statement[], outdated?: Statement }} Question the last of `turns` is the question, in a session of its own
 * @typedef {{ userId: string, daysAgo: number, messages: string[] }} Conversation
 * @typedef {{ seed: number, userId: string, strangers: string[], conversations: Conversation[], statements: Statement[], questions:
 *   Question[], late: { told: string, value: string, turns: string[] }[], foreign: string[] }} World `conversations` in the order of time;
 *   `foreign` are values of others; `late` is told and asked for while others write
 */

/** @returns {World} @throws Error when a value stands in a text that is not about it, so that it would prove nothing */
export function worldOf(seed, { small = false } = {}) {
  const size = small ? SMALL : FULL;
  const random = new Random(seed);
  const draw = drawing(random);
  const some = (list, count) => random.shuffled(list).slice(0, count);

  const groups = some(GROUPS, size.of);
  const followUps = some(FOLLOW_UPS, size.of);
  const changes = some(CHANGES, size.of);
  const events = some(EVENTS, size.of);
  const never = some(NEVER_TOLD, size.never);
  const shuffled = random.shuffled([...FACTS.keys()]);
  const alone = shuffled.slice(0, size.direct + size.reworded);
  const [direct, reworded] = [alone.slice(0, size.direct), alone.slice(size.direct)];
  const inReport = new Set([
    ...direct.slice(direct.length - Math.floor(size.buried / 2)),
    ...reworded.slice(reworded.length - Math.ceil(size.buried / 2)),
  ]);
  const needed = new Set([...alone, ...groups.flatMap(([ids]) => ids), ...followUps.map(([id]) => id)]);
  const toldIds = [...new Set([...needed, ...shuffled])].slice(0, Math.max(needed.size, size.facts));

  const conversations = Array.from({ length: size.conversations }, (_, index) => ({
    daysAgo: Math.round(FIRST_DAY * (1 - index / size.conversations)) - random.below(small ? 5 : 8),
    statements: [],
  }));
  const tell = (conversation, id, value, wordings, report = false) => {
    const plain = random.pick(wordings).replace('{v}', value);
    const text = report ? buried(random, plain, BURIED_CHARACTERS) : told(random, plain);
    const statement = { id, value, text, daysAgo: conversation.daysAgo };
    conversation.statements.push(statement);
    return statement;
  };
  const known = new Map();
  for (const id of toldIds) {
    const [, values, wordings] = FACTS.get(id);
    known.set(id, tell(random.pick(conversations), id, draw(values), wordings, inReport.has(id)));
  }
  const changed = changes.map(([id, values, first, later, questions]) => {
    const turn = Math.floor(conversations.length * (0.3 + 0.4 * random.next()));
    const [before, after] = [conversations.slice(0, turn), conversations.slice(turn)];
    const outdated = tell(random.pick(before), id, draw(values), first);
    return { id, outdated, evidence: [tell(random.pick(after), id, draw(values), later)], wording: random.pick(questions) };
  });
  const happened = events.map(([id, values, wordings, questions]) => ({
    evidence: [tell(random.pick(conversations), id, draw(values), wordings)],
    id,
    wording: random.pick(questions),
  }));

  const texts = new Set();
  const question = (kind, id, wording, evidence, { before = [], outdated } = {}) => {
    let text = asked(random, wording);
    while (texts.has(text)) text = asked(random, wording);
    texts.add(text);
    return {
      id: `${kind} ${id}`,
      kind,
      buried: kind !== 'several' && evidence.some(({ id: of }) => inReport.has(of)),
      turns: [...before, text],
      evidence,
      outdated,
    };
  };
  const questions = [
    ...direct.map((id) => question('single', id, random.pick(FACTS.get(id)[3]), [known.get(id)])),
    ...reworded.map((id) => question('reworded', id, random.pick(FACTS.get(id)[4]), [known.get(id)])),
    ...groups.map(([ids, wordings]) =>
      question(
        'several',
        ids.join('+'),
        random.pick(wordings),
        ids.map((id) => known.get(id)),
      ),
    ),
    ...changed.map(({ id, wording, evidence, outdated }) => question('changed', id, wording, evidence, { outdated })),
    ...happened.map(({ id, wording, evidence }) => question('time', id, wording, evidence)),
    ...followUps.map(([id, before, wordings]) =>
      question('follow-up', id, random.pick(wordings), [known.get(id)], { before: [random.pick(before)] }),
    ),
    ...never.map(([id, , , wordings]) => question('never', id, random.pick(wordings), [])),
  ];

  const userId = uuidOf(random);
  const strangers = Array.from({ length: size.others }, () => uuidOf(random));
  const foreign = strangers.map((stranger) => lifeOfStranger(stranger, never, { random, draw, some }));
  const late = some(NEVER_TOLD, size.late).map(([id, values, wordings, same, other], index) => {
    const value = draw(values);
    return { id, value, told: random.pick(wordings).replace('{v}', value), turns: [random.pick(index % 2 === 0 ? same : other)] };
  });
  const world = {
    seed,
    userId,
    strangers,
    conversations: [
      ...conversations.map(({ daysAgo, statements }) => ({ userId, daysAgo, messages: spoken(random, statements) })),
      ...foreign.flatMap((each) => each.conversations),
    ].sort((one, other) => other.daysAgo - one.daysAgo),
    statements: conversations.flatMap(({ statements }) => statements),
    questions,
    late,
    foreign: foreign.flatMap(({ values }) => values),
  };
  prove(world);
  return world;
}

/** Whether a text has a value, as words of its own. */
export function mentions(text, value) {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'iu').test(text);
}

/** Takes each value once. */
function drawing(random) {
  const left = new Map();
  return (values) => {
    if (!left.has(values)) left.set(values, random.shuffled(values));
    return left.get(values).pop();
  };
}

/** Contradicts the user's facts, and knows what the user has never told. */
function lifeOfStranger(userId, never, { random, draw, some }) {
  const kinds = [...some([...FACTS.values(), ...CHANGES], 12), ...some(never, Math.ceil(never.length / 2))];
  const statements = kinds.flatMap(([id, values, wordings]) => {
    const value = draw(values);
    return value === undefined ? [] : [{ id, value, text: told(random, random.pick(wordings).replace('{v}', value)) }];
  });
  const share = Math.ceil(statements.length / 3);
  const conversations = [0, 1, 2].map((part) => ({
    userId,
    daysAgo: 10 + random.below(FIRST_DAY - 20),
    messages: spoken(random, statements.slice(part * share, (part + 1) * share)),
  }));
  return { conversations, values: statements.map(({ value }) => value) };
}

/** The messages of a conversation: statements among what means nothing. */
function spoken(random, statements) {
  const messages = [chatter(random)];
  for (const { text } of statements) {
    messages.push(text);
    for (let more = random.below(3); more > 0; more--) messages.push(chatter(random));
  }
  return messages;
}

function prove({ conversations, statements, questions, late, foreign }) {
  const values = [...statements.map(({ value }) => value), ...late.map(({ value }) => value), ...foreign];
  const texts = [...conversations.flatMap(({ messages }) => messages), ...late.map(({ told: text }) => text)];
  const asking = [...questions, ...late].flatMap(({ turns }) => turns);
  for (const value of values) {
    const places = [...texts, ...asking].filter((text) => mentions(text, value));
    if (places.length === 1) continue;
    throw new Error(`"${value}" stands in ${places.length} texts of the world: ${places.join(' / ').slice(0, 300)}`);
  }
}

function uuidOf(random) {
  const digits = Array.from({ length: 32 }, () => random.below(16).toString(16));
  digits[12] = '4';
  digits[16] = '8';
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
