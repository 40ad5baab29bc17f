// A model that extracts facts as a good one would: from each message that states a fact of the world it notes the sentence, and it changes the
// note whose value is another now. It knows the facts of the world, and notes only what the request tells; it ends no fact.
import { mentions } from './mentions.mjs';

const NOTE = /^(F\d+) \([^)]*\): (.*)$/;
const SAID = /^(\d+)\. user: \([^)]*\) (.*)$/;

/** @returns an answer for `startModelServer`, with the values that it has read so far */
export function scriptedExtractor(world) {
  const facts = [...world.statements, ...world.foreign.map((value) => ({ id: value, value }))];
  const read = new Set();
  const behaviour = ({ messages }) => {
    const request = String(messages.at(-1).content);
    if (!request.includes('\nNotes so far:\n')) return { kind: 'reply', text: 'All right.' };
    const changes = changesOf(request, facts);
    for (const { value } of changes) read.add(value);
    return { kind: 'reply', text: JSON.stringify(answerOf(changes)) };
  };
  return { behaviour, read, expected: facts.length };
}

/** The facts that a request tells, each with the note that it replaces. The latest statement of a fact counts. */
function changesOf(request, facts) {
  const lines = request.split('\n');
  const notes = lines.flatMap((line) => (NOTE.test(line) ? [{ note: NOTE.exec(line)[1], text: NOTE.exec(line)[2] }] : []));
  const said = lines.flatMap((line) => (SAID.test(line) ? [{ source: Number(SAID.exec(line)[1]), text: SAID.exec(line)[2] }] : []));
  return said.flatMap(({ source, text }) =>
    facts
      .filter(({ value }) => mentions(text, value))
      .map(({ id, value }) => {
        const former = facts.filter((fact) => fact.id === id && fact.value !== value);
        const replaced = notes.find((note) => former.some((fact) => mentions(note.text, fact.value)));
        return { id, value, source, note: replaced?.note, text: sentenceWith(text, value) };
      }),
  );
}

function answerOf(changes) {
  const latest = [...new Map(changes.map((change) => [change.id, change])).values()];
  const entry = ({ source, text }) => ({ text, sources: [source] });
  return {
    add: latest.filter(({ note }) => note === undefined).map((change) => ({ ...entry(change), key: change.id })),
    change: latest.filter(({ note }) => note !== undefined).map((change) => ({ ...entry(change), id: change.note })),
    end: [],
  };
}

function sentenceWith(text, value) {
  return text.split(/(?<=[.!?])\s+|(?<=[。！？])/).find((sentence) => mentions(sentence, value)) ?? text;
}
