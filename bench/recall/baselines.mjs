// What a prompt would show with everything that the user has said, with every statement that shares a word with the question, and with the
// nearest statements by the encoder of the build, dated.
import { judgePrompt } from './judge.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const NEAREST = [12, 24, 40, 75];
const LEAST_LETTERS = 3;
const COMMON = new Set(
  'the and for are was what who which where when how does did have has had that this with from you your our they she her his him not can could would should tell please remind question again still know need help'.split(
    ' ',
  ),
);

export async function baselines(world) {
  const own = world.conversations.filter(({ userId }) => userId === world.userId).flatMap(({ messages }) => messages);
  const judged = (question, messages) => ({
    question,
    ...judgePrompt(question, world, { messages: [{ content: ['# Remembered', ...messages.map((text) => `- ${text}`)].join('\n') }] }),
    ms: Number.NaN,
  });
  const nearest = await nearestStatements(world, own);
  return [
    ...NEAREST.map((count) => ({
      name: `nearest-${count}`,
      results: world.questions.map((question) => judged(question, nearest(question, count))),
      note: `the ${count} nearest messages of the user, dated`,
    })),
    { name: 'all', results: world.questions.map((question) => judged(question, own)), note: 'everything that the user has said, undated' },
    {
      name: 'grep',
      results: world.questions.map((question) => {
        const words = wordsOf(question.turns.at(-1));
        return judged(
          question,
          own.filter((text) => wordsOf(text).some((word) => words.includes(word))),
        );
      }),
      note: 'what shares a word with the question, undated',
    },
  ];
}

/** Plain search: the nearest messages for a question, by the encoder of the build, oldest first, each with its day. */
async function nearestStatements(world, texts) {
  const [{ EmbeddedEncoder }, { similarity }, { SystemClock }] = await Promise.all(
    ['providers/models/embedded-encoder.js', 'providers/models/text-chunks.js', 'core/clock/index.js'].map(
      (file) => import(new URL(file, DIST)),
    ),
  );
  const told = new Map(world.statements.map(({ text, at }) => [text, at]));
  const days = new Map(
    world.conversations.flatMap(({ messages }) => {
      const at = messages.map((text) => told.get(text)).find((time) => time !== undefined);
      return messages.map((text) => [text, at === undefined ? '' : new Date(at).toISOString().slice(0, 10)]);
    }),
  );
  const different = [...new Set(texts)];
  const asked = [...new Set(world.questions.map(({ turns }) => turns.at(-1)))];
  const encoder = new EmbeddedEncoder(new SystemClock());
  try {
    const vectors = new Map(
      (await encoder.embed([...different, ...asked])).map((vector, index) => [[...different, ...asked][index], vector]),
    );
    return (question, count) => {
      const sought = vectors.get(question.turns.at(-1));
      const scored = different.map((text, place) => ({ text, place, score: similarity(vectors.get(text), sought) }));
      const best = scored.sort((one, other) => other.score - one.score).slice(0, count);
      return best.sort((one, other) => one.place - other.place).map(({ text }) => `${days.get(text)}: ${text}`);
    };
  } finally {
    await encoder.close();
  }
}

function wordsOf(text) {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length >= LEAST_LETTERS && !COMMON.has(word));
}
