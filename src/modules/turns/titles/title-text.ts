import { cutText, firstCharacters } from '../../../core/text/index.js';

const MAX_WORDS = 6;
const MAX_LENGTH = 80;
/** Characters of a text that are looked at, each of them several times. */
const MAX_READ = 2000;
const GREETING =
  /^(hi|hello|hey|dear|good (morning|afternoon|evening)|thanks|thank you|please|ok|okay|well|so|(can|could|would) you|do you know|tell me( about)?|explain)\b[\s,.!–-]*/i;
const TRAILING_WORD = /\b(a|an|the|and|or|of|to|in|on|at|for|with|by|is|are|do|does|my|your|i|you)$/i;

/** Cleans a title that a model generated: one line, no quotes, no full stop. May be empty. */
export function cleanTitle(text: string): string {
  const line = cutText(text, MAX_READ)
    .split('\n')
    .map((each) => each.replace(/^[\s#*"'“”‘’]*(title:\s*)?[\s#*"'“”‘’]*/i, '').replace(/[\s*"'“”‘’.]+$/, ''))
    .find((each) => each !== '');
  return firstCharacters(line ?? '', MAX_LENGTH).trim();
}

/** A title without a language model: the beginning of the first meaningful sentence of the users' messages. */
export function titleFromTexts(texts: readonly string[]): string {
  const sentences = texts.flatMap((text) => cutText(text, MAX_READ).split(/[.!?\n]+/)).map(withoutGreeting);
  const telling = sentences.find((sentence) => sentence.split(/\s+/).length >= 3) ?? sentences.find((sentence) => sentence !== '');
  const words = (telling ?? '').split(/\s+/).slice(0, MAX_WORDS).join(' ');
  const title = telling !== undefined && telling.split(/\s+/).length > MAX_WORDS ? withoutTrailingWords(words) : words;
  return title.slice(0, 1).toUpperCase() + firstCharacters(title, MAX_LENGTH).slice(1);
}

function withoutGreeting(sentence: string): string {
  let rest = sentence.trim();
  for (let shorter = rest.replace(GREETING, ''); shorter !== rest; shorter = rest.replace(GREETING, '')) rest = shorter;
  return rest;
}

/** Removes trailing words that would end the title in the middle of a phrase. */
function withoutTrailingWords(words: string): string {
  let rest = words;
  for (
    let shorter = rest.replace(TRAILING_WORD, '').trim();
    shorter !== rest && shorter !== '';
    shorter = rest.replace(TRAILING_WORD, '').trim()
  ) {
    rest = shorter;
  }
  return rest.replace(/[,;:–-]+$/, '');
}
