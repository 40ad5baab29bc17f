// What a prompt would show with everything that the user has said, and with every statement that shares a word with the question.
import { judgePrompt } from './judge.mjs';

const LEAST_LETTERS = 3;
const COMMON = new Set(
  'the and for are was what who which where when how does did have has had that this with from you your our they she her his him not can could would should tell please remind question again still know need help'.split(
    ' ',
  ),
);

export function baselines(world) {
  const own = world.conversations.filter(({ userId }) => userId === world.userId).flatMap(({ messages }) => messages);
  const judged = (question, messages) => ({
    question,
    ...judgePrompt(question, world, { messages: [{ content: ['# Remembered', ...messages.map((text) => `- ${text}`)].join('\n') }] }),
    ms: Number.NaN,
  });
  return [
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

function wordsOf(text) {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => word.length >= LEAST_LETTERS && !COMMON.has(word));
}
