// Messages without facts: questions to the agent, small talk, requests, statements without consequences, in the speech of a language.
import { Random } from './random.mjs';

/** @typedef {import('./languages/pack.mjs').Speech} Speech */

/** Something that tells nothing about its author. Only short remarks come back often. @param {Speech} speech */
export function chatter(random, speech) {
  const way = random.next();
  if (way < 0.2) return random.pick(speech.remarks);
  if (way < 0.3) return random.pick(random.pick([speech.asked, speech.requested]));
  const topic = random.pick(speech.topics);
  return random
    .pick(speech.about)
    .replace('{t}', topic)
    .replace('{o}', random.pick(speech.topics.filter((other) => other !== topic)));
}

/** A statement as people make it. @param {Speech} speech */
export function told(random, statement, speech) {
  const way = random.next();
  if (way < 0.25) return random.pick(speech.before) + statement;
  if (way < 0.3) return statement + random.pick(speech.after);
  if (way < 0.55) return `${random.pick(speech.remarks)}${speech.gap}${statement}`;
  return statement;
}

/** A question as people ask it. @param {Speech} speech */
export function asked(random, question, speech) {
  return random.next() < 0.2 ? random.pick(speech.asking) + question : question;
}

/** A sentence of a long report that tells nothing about its author. */
function prose(random, { prose: form, subjects, verbs, objects, ends }) {
  const parts = { s: random.pick(subjects), v: random.pick(verbs), o: random.pick(objects), e: random.pick(ends) };
  return form.replace(/\{([svoe])\}/g, (_, part) => parts[part]);
}

/** A statement in the middle of a long report. @param {Speech} speech */
export function buried(random, statement, speech) {
  const { gap, reportCharacters } = speech;
  const half = () => {
    const sentences = [];
    for (let length = 0; length < reportCharacters / 2; length += sentences.at(-1).length + gap.length) {
      sentences.push(prose(random, speech));
    }
    return sentences.join(gap);
  };
  return [half(), statement, half()].join(gap);
}

/** So many different texts that are about nothing that a question asks for. @param {Speech} speech */
export function filler(seed, count, speech) {
  const random = new Random(seed);
  const texts = new Set();
  while (texts.size < count) {
    texts.add(random.next() < 0.5 ? prose(random, speech) : `${chatter(random, speech)}${speech.gap}${prose(random, speech)}`);
  }
  return [...texts];
}
