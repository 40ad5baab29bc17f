// What a number of a spreadsheet shows: dates in ISO 8601, percentages, currencies, leading zeros. Groups of digits are left out, and no digit
// is rounded away: a reader has to find the value.

/** Formats that files name by a number only. */
const BUILT_IN = new Map([
  ...[
    [1, '0'],
    [2, '0.00'],
    [3, '#,##0'],
    [4, '#,##0.00'],
    [9, '0%'],
    [10, '0.00%'],
    [14, 'yyyy-mm-dd'],
    [15, 'yyyy-mm-dd'],
  ],
  ...[
    [16, 'yyyy-mm-dd'],
    [17, 'yyyy-mm-dd'],
    [18, 'h:mm'],
    [19, 'h:mm:ss'],
    [20, 'h:mm'],
    [21, 'h:mm:ss'],
    [22, 'yyyy-mm-dd h:mm'],
  ],
  ...[
    [45, 'mm:ss'],
    [46, '[h]:mm:ss'],
    [47, 'mm:ss'],
  ],
  // Dates of East Asian editions.
  ...[27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, 'yyyy-mm-dd']),
  ...[
    [32, 'h:mm'],
    [33, 'h:mm:ss'],
  ],
]);
const LONGEST_CODE = 255;
const DAY_S = 86_400;
const LAST_DAY = 2_958_465;
// Day 0 of the two systems, ms.
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
// Excel's first year has a 29 February.
const FEBRUARY_29_1900 = 60;

/**
 * The formats of a workbook.
 *
 * @param custom codes of formats by their numbers
 */
export class NumberFormats {
  kinds = new Map();

  constructor(custom, is1904) {
    this.custom = custom;
    this.is1904 = is1904;
  }

  /** The text of a number in the format with a number. @param stored the number as the file has it */
  format(stored, id) {
    const value = Number(stored);
    if (stored.trim() === '' || !Number.isFinite(value)) return stored;
    let kind = this.kinds.get(id);
    if (kind === undefined) this.kinds.set(id, (kind = kindOf(this.custom.get(id) ?? BUILT_IN.get(id) ?? 'General')));
    if (kind.isDate) return dateOf(value, kind, this.is1904) ?? plain(value);
    return numberOf(value, kind);
  }
}

/** What a code means: `{ isDate, hasDay, hasTime, isElapsed }` or `{ prefix, suffix, digits, decimals, isPercent }`. */
function kindOf(code) {
  if (/^general/i.test(code)) return {};
  const parts = { prefix: '', suffix: '', pattern: '' };
  let letters = '';
  let isElapsed = false;
  const literal = (text) => (parts[parts.pattern === '' ? 'prefix' : 'suffix'] += text);
  for (const [token] of code.substring(0, LONGEST_CODE).matchAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|[^]/gu)) {
    if (token === ';') break;
    if (/^".*"$/.test(token)) literal(token.substring(1, token.length - 1));
    else if (token.startsWith('\\') && token.length > 1) literal(token.substring(1));
    else if (/^\[(h+|m+|s+)\]$/i.test(token)) isElapsed = true;
    // A currency, "[$€-407]"; others are colours, conditions and languages.
    else if (token.startsWith('[$')) literal(/^\[\$([^\-\]]*)/.exec(token)[1]);
    else if (/^[0#?.,]$/.test(token) && parts.suffix === '') parts.pattern += token;
    else if (/^[0#?/eE]$/.test(token)) {
      // Fractions, powers of ten, and digits with something between them.
      if (/[0#?]/.test(parts.pattern)) return {};
      // The year of an era.
      if (token === 'e') letters += 'y';
    } else if (/^[ymdhsgb]$/i.test(token)) letters += token.toLowerCase();
    else if (/^[%‰\p{Sc} ]$/u.test(token)) literal(token);
  }
  if (isElapsed || /[ymdhsg]/.test(letters)) {
    return {
      isDate: true,
      hasDay: /[ydg]/.test(letters) || letters.replaceAll('m', '') === '',
      hasTime: isElapsed || /[hs]/.test(letters),
      isElapsed,
    };
  }
  const [whole, decimals = ''] = parts.pattern.split('.');
  if (parts.pattern === '' || whole.endsWith(',') || decimals.endsWith(',')) return {};
  const isPercent = `${parts.prefix}${parts.suffix}`.includes('%');
  return { ...parts, isPercent, digits: count(whole, '0'), decimals: count(decimals, '0') };
}

function numberOf(value, { prefix = '', suffix = '', digits = 0, decimals = 0, isPercent = false }) {
  const [whole, fraction = ''] = plain(Math.abs(isPercent ? value * 100 : value)).split('.');
  if (/e/.test(fraction) || /e/.test(whole)) return plain(value);
  const padded = fraction.padEnd(Math.min(decimals, 20), '0');
  const text = `${whole.padStart(Math.min(digits, 50), '0')}${padded === '' ? '' : `.${padded}`}`;
  return `${value < 0 ? '-' : ''}${prefix.trimStart()}${text}${suffix.trimEnd()}`;
}

/** The number with the 15 digits that a spreadsheet shows. */
function plain(value) {
  return String(Number(value.toPrecision(15)));
}

/** A date, a time of day or a duration; undefined for a number that is none. */
function dateOf(value, { hasDay, hasTime, isElapsed }, is1904) {
  const seconds = Math.round(value * DAY_S);
  if (isElapsed || (!hasDay && value >= 1)) {
    return Math.abs(value) <= LAST_DAY ? `${value < 0 ? '-' : ''}${clock(Math.abs(seconds))}` : undefined;
  }
  if (value < 0 || value >= LAST_DAY + 1) return undefined;
  if (!hasDay) return clock(seconds);
  const day = Math.floor(seconds / DAY_S);
  const rest = seconds - day * DAY_S;
  const shift = !is1904 && day < FEBRUARY_29_1900 ? 1 : 0;
  const date = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + (day + shift) * DAY_S * 1000).toISOString().substring(0, 10);
  return hasTime && rest > 0 ? `${date} ${clock(rest)}` : date;
}

function clock(seconds) {
  const two = (number) => String(number).padStart(2, '0');
  const rest = seconds % 60;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}${rest > 0 ? `:${two(rest)}` : ''}`;
}

function count(text, character) {
  return text.split(character).length - 1;
}
