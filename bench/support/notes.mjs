// What a model answers when it is asked for facts about users: each sentence that states one, under a key of its own.
const SAID = /^(\d+)\. user: \([^)]*\) (.*)$/;
const STATED = /\bmy (\w+ ?\w*) is\b/i;

/** @returns undefined when something else is asked */
export function notesOf(messages) {
  const request = String(messages.at(-1)?.content ?? '');
  if (!request.includes('\nNotes so far:\n')) return undefined;
  const add = request.split('\n').flatMap((line) => {
    const [, source, text] = SAID.exec(line) ?? [];
    const [, key] = STATED.exec(text ?? '') ?? [];
    return key === undefined ? [] : [{ text, sources: [Number(source)], key: key.toLowerCase() }];
  });
  return JSON.stringify({ add, change: [], end: [] });
}
