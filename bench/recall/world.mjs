// A user who tells an agent about a life, in conversations over most of a year, and others who tell the same agent about theirs. The same
// seed and language give the same world.
import { asked, buried, chatter, told } from './chatter.mjs';
import { packOf } from './languages/index.mjs';
import { mentions } from './mentions.mjs';
import { Random } from './random.mjs';

const FIRST_DAY = 300;

const FULL = { conversations: 30, others: 4, facts: Infinity, direct: 14, reworded: 14, of: 8, buried: 8, never: 8, late: 10 };
const SMALL = { conversations: 4, others: 1, facts: 8, direct: 2, reworded: 1, of: 1, buried: 1, never: 1, late: 1 };

/**
 * @typedef {{ id: string, value: string, text: string, daysAgo: number }} Statement `text` is the whole message in which it was made
 * @typedef {{ id: string, kind: 'single' | 'reworded' | 'several' | 'changed' | 'time' | 'follow-up' | 'never', buried: boolean, turns:
 *   string[], evidence: Statement[], outdated?: Statement }} Question the last of `turns` is the question, in a session of its own
 * @typedef {{ userId: string, daysAgo: number, messages: string[] }} Conversation
 * @typedef {{ seed: number, userId: string, strangers: string[], conversations: Conversation[], statements: Statement[], questions:
 *   Question[], late: { told: string, value: string, turns: string[] }[], foreign: string[], language: string, speech:
 *   import('./languages/pack.mjs').Speech }} World `conversations` in the order of time; `foreign` are values of others; `late` is told and
 *   asked for while others write
 */

/** @returns {World} @throws Error when a value stands in a text that is not about it, so that it would prove nothing */
export function worldOf(seed, { small = false, language = 'en' } = {}) {
  const pack = packOf(language);
  const { speech } = pack;
  const facts = new Map(pack.facts.map((fact) => [fact[0], fact]));
  const size = small ? SMALL : FULL;
  const random = new Random(seed);
  const draw = drawing(random);
  const some = (list, count) => random.shuffled(list).slice(0, count);

  const groups = some(pack.groups, size.of);
  const followUps = some(pack.followUps, size.of);
  const changes = some(pack.changes, size.of);
  const events = some(pack.events, size.of);
  const never = some(pack.neverTold, size.never);
  const shuffled = random.shuffled([...facts.keys()]);
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
  const tell = (conversation, id, drawn, wordings, report = false) => {
    const { value, text: plain } = filledIn(random.pick(wordings), drawn);
    const text = report ? buried(random, plain, speech) : told(random, plain, speech);
    const statement = { id, value, text, daysAgo: conversation.daysAgo };
    conversation.statements.push(statement);
    return statement;
  };
  const known = new Map();
  for (const id of toldIds) {
    const [, values, wordings] = facts.get(id);
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
    let text = asked(random, wording, speech);
    while (texts.has(text)) text = asked(random, wording, speech);
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
    ...direct.map((id) => question('single', id, random.pick(facts.get(id)[3]), [known.get(id)])),
    ...reworded.map((id) => question('reworded', id, random.pick(facts.get(id)[4]), [known.get(id)])),
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
  const foreign = strangers.map((stranger) => lifeOfStranger(stranger, never, { pack, random, draw, some }));
  const late = some(pack.neverTold, size.late).map(([id, values, wordings, same, other], index) => {
    const drawn = draw(values);
    const { value, text } = filledIn(random.pick(wordings), drawn);
    return { id, value, told: text, turns: [random.pick(index % 2 === 0 ? same : other)] };
  });
  const world = {
    seed,
    userId,
    strangers,
    conversations: [
      ...conversations.map(({ daysAgo, statements }) => ({ userId, daysAgo, messages: spoken(random, statements, speech) })),
      ...foreign.flatMap((each) => each.conversations),
    ].sort((one, other) => other.daysAgo - one.daysAgo),
    statements: conversations.flatMap(({ statements }) => statements),
    questions,
    late,
    foreign: foreign.flatMap(({ values }) => values),
    language,
    speech,
  };
  prove(world);
  return world;
}

/** A wording with a value in it: `{v}` stands for its first form, `{v2}` for its second. */
function filledIn(wording, drawn) {
  const forms = drawn.split('|');
  const value = forms[Number(/\{v(\d?)\}/.exec(wording)[1] || 1) - 1];
  return { value, text: wording.replace(/\{v\d?\}/, () => value) };
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
function lifeOfStranger(userId, never, { pack, random, draw, some }) {
  const { speech } = pack;
  const kinds = [...some([...pack.facts, ...pack.changes], 12), ...some(never, Math.ceil(never.length / 2))];
  const statements = kinds.flatMap(([id, values, wordings]) => {
    const drawn = draw(values);
    if (drawn === undefined) return [];
    const { value, text } = filledIn(random.pick(wordings), drawn);
    return [{ id, value, text: told(random, text, speech) }];
  });
  const share = Math.ceil(statements.length / 3);
  const conversations = [0, 1, 2].map((part) => ({
    userId,
    daysAgo: 10 + random.below(FIRST_DAY - 20),
    messages: spoken(random, statements.slice(part * share, (part + 1) * share), speech),
  }));
  return { conversations, values: statements.map(({ value }) => value) };
}

/** The messages of a conversation: statements among what means nothing. */
function spoken(random, statements, speech) {
  const messages = [chatter(random, speech)];
  for (const { text } of statements) {
    messages.push(text);
    for (let more = random.below(3); more > 0; more--) messages.push(chatter(random, speech));
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
