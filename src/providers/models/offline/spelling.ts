/** Spellings of chats, by the spelling of the grammar that the rules expect. */
const SPELLINGS: Readonly<Record<string, string>> = {
  u: 'you',
  ur: 'your',
  r: 'are',
  im: "I'm",
  ive: "I've",
  id: "I'd",
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  isnt: "isn't",
  arent: "aren't",
  wasnt: "wasn't",
  cant: "can't",
  couldnt: "couldn't",
  havent: "haven't",
  hasnt: "hasn't",
  wat: 'what',
  wut: 'what',
  whats: "what's",
  wheres: "where's",
  whos: "who's",
  hows: "how's",
  whens: "when's",
  thats: "that's",
  theres: "there's",
  youre: "you're",
  youve: "you've",
  pls: 'please',
  plz: 'please',
  gonna: 'going to',
  wanna: 'want to',
  gotta: 'have to',
  favorite: 'favourite',
  color: 'colour',
  i: 'I',
};
// "id" and "i" are also words of code and lists; "i'm" keeps its capital with the rest.
const WORD = /(?<![\w/.\-'"])[A-Za-z]+(?![\w/\-])(?!\.\w)/g;

/** The message with the spellings of chats written out: "wheres ur cat" becomes "where's your cat". */
export function writtenOut(message: string): string {
  return message
    .replaceAll('’', "'")
    .replaceAll(WORD, (word) => (/^[A-Z]{2,}$/.test(word) ? word : spelled(word)))
    .replaceAll(/(?<=^|[\s(])i(?='(?:m|ve|d|ll)\b)/g, 'I');
}

function spelled(word: string): string {
  const known = Object.hasOwn(SPELLINGS, word.toLowerCase()) ? SPELLINGS[word.toLowerCase()]! : word;
  return /^[A-Z]/.test(word) ? known.charAt(0).toUpperCase() + known.slice(1) : known;
}
