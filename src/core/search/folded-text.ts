// Marks that writers leave out: accents, points of Hebrew, vowel signs of Arabic and its stretching sign. Marks of other scripts are letters of
// their own.
const OPTIONAL_MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\ufe00-\ufe0f]/g;
const NOT_ASCII = /[^\0-\x7f]/;
const DIGIT = /\p{Nd}/u;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
// NFKC divides a vowel of Thai and Lao that people write as one letter, and dictionaries too.
const DIVIDED_AM = /\u0e4d\u0e32|\u0ecd\u0eb2/g;
const THAI_NIKHAHIT = '\u0e4d';
const KATAKANA = /[\u30a1-\u30f6]/g;
const TO_HIRAGANA = 0x60;
/** Letters that have no decomposition, by what writers without them use. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ς: 'σ', ى: 'ي', ة: 'ه' },
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * A text as searches compare it, the same on every database: lower case, without accents, full-width letters as ASCII, katakana as hiragana.
 * Its length may differ.
 */
export function foldText(text: string): string {
  return foldKana(foldLetters(text));
}

/** As `foldText`, but katakana stays: it tells where words begin. */
export function foldLetters(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(OPTIONAL_MARKS, '')
    .normalize('NFC')
    .replace(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .replace(OTHER_DIGIT, asciiDigit)
    .replace(DIVIDED_AM, (vowel) => (vowel.startsWith(THAI_NIKHAHIT) ? 'ำ' : 'ຳ'));
}

/** Digits of a script are consecutive, from a code point that ends in 0 or 6. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const last = code % 16;
  return String(DIGIT.test(String.fromCodePoint(code - last)) ? last : last - 6);
}

/** Katakana as hiragana. */
export function foldKana(text: string): string {
  return text.replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - TO_HIRAGANA));
}
