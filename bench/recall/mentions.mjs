// Letters of scripts that write sentences without spaces, where a word has no boundary to look for.
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}ー々]`;
const OF_A_WORD = String.raw`[[\p{L}\p{N}]--${UNSPACED}]`;
// A particle follows the noun in the same word.
const PARTICLES_FOLLOW = /\p{sc=Hang}$/u;
/**
 * Whether a text has a value, as words of its own. Compared without case and without the width of letters; in Chinese, Japanese and Thai,
 * wherever the value stands.
 */
export function mentions(text, value) {
  const [folded, wanted] = [fold(text), fold(value)];
  return folded.includes(wanted) && patternOf(wanted).test(folded);
}

function fold(text) {
  return text.normalize('NFKC').toLowerCase();
}

function patternOf(value) {
  const escaped = value.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const before = new RegExp(`^${UNSPACED}`, 'v').test(value) ? '' : `(?<!${OF_A_WORD})`;
  const after = PARTICLES_FOLLOW.test(value) || new RegExp(`${UNSPACED}$`, 'v').test(value) ? '' : `(?!${OF_A_WORD})`;
  return new RegExp(before + escaped + after, 'v');
}
