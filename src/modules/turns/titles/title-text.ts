// Titles of conversations as text. Pure.

const MOST_WORDS = 6;
const LONGEST = 80;
const GREETING =
  /^(hi|hello|hey|dear|good (morning|afternoon|evening)|thanks|thank you|please|ok|okay|well|so|(can|could|would) you|do you know|tell me( about)?|explain)\b[\s,.!–-]*/i;
const LAST = /\b(a|an|the|and|or|of|to|in|on|at|for|with|by|is|are|do|does|my|your|i|you)$/i;

/** What a model answered when it was asked for a title, as one: one line, no quotes, no full stop. Empty when nothing is left. */
export function titleOf(answer: string): string {
  const line = answer
    .split('\n')
    .map((each) => each.replace(/^[\s#*"'“”‘’]*(title:\s*)?[\s#*"'“”‘’]*/i, '').replace(/[\s*"'“”‘’.]+$/, ''))
    .find((each) => each !== '');
  return (line ?? '').slice(0, LONGEST).trim();
}

/** A title out of what the users said, for when there is no language model: the beginning of the first sentence that says something. */
export function titleFromTexts(texts: readonly string[]): string {
  const sentences = texts.flatMap((text) => text.split(/[.!?\n]+/)).map(withoutGreeting);
  const telling = sentences.find((sentence) => sentence.split(/\s+/).length >= 3) ?? sentences.find((sentence) => sentence !== '');
  const words = (telling ?? '').split(/\s+/).slice(0, MOST_WORDS).join(' ');
  const title = telling !== undefined && telling.split(/\s+/).length > MOST_WORDS ? untilAWord(words) : words;
  return title.slice(0, 1).toUpperCase() + title.slice(1, LONGEST);
}

function withoutGreeting(sentence: string): string {
  let rest = sentence.trim();
  for (let shorter = rest.replace(GREETING, ''); shorter !== rest; shorter = rest.replace(GREETING, '')) rest = shorter;
  return rest;
}

/** A title does not end in the middle of a phrase. */
function untilAWord(words: string): string {
  let rest = words;
  for (let shorter = rest.replace(LAST, '').trim(); shorter !== rest && shorter !== ''; shorter = rest.replace(LAST, '').trim()) {
    rest = shorter;
  }
  return rest.replace(/[,;:–-]+$/, '');
}
