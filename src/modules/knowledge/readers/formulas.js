// Formulas of web pages (MathML) and of Word documents (OMML) as a line of text: x^2, (a + b)/c, √x.
import { parseDocument } from 'htmlparser2';

const FRACTIONS = new Set(['mfrac', 'f']);
const POWERS = new Set(['msup', 'ssup', 'mover']);
const INDICES = new Set(['msub', 'ssub', 'munder']);
const BOTH = new Set(['msubsup', 'ssubsup', 'munderover', 'nary']);
const ROOTS = new Set(['msqrt', 'mroot', 'rad']);
// Properties of OMML, and sources that repeat a formula.
const SKIPPED = /pr$|^(annotation|annotation-xml)$/;

/** @param xml the element of a formula */
export function formulaText(xml) {
  return partOf({ children: parseDocument(xml, { xmlMode: true, decodeEntities: true }).children })
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function partOf(node) {
  if (node.type === 'text') return node.data.trim();
  const name = localName(node);
  if (SKIPPED.test(name)) return name === 'narypr' ? signOf(node) : '';
  const parts = (node.children ?? []).map(partOf).filter((part) => part !== '');
  if (FRACTIONS.has(name)) return parts.map(grouped).join('/');
  if (POWERS.has(name)) return parts.map(grouped).join('^');
  if (INDICES.has(name)) return parts.map(grouped).join('_');
  if (BOTH.has(name)) return bothOf(parts, name === 'nary');
  if (ROOTS.has(name)) return `√${grouped(parts.join(' '))}`;
  if (name === 'd') return `(${parts.join(', ')})`;
  if (name === 'mtr' || name === 'mr') return `${parts.join(' ')};`;
  return parts.join(' ');
}

/** A base with its index and its power; the sign of a sum comes first, and what is summed last. */
function bothOf([base = '', index, power, ...rest], isSum) {
  const marks = `${index === undefined ? '' : `_${grouped(index)}`}${power === undefined ? '' : `^${grouped(power)}`}`;
  return [`${isSum ? base : grouped(base)}${marks}`, ...rest].join(' ');
}

function signOf({ children }) {
  const sign = children.find((child) => localName(child) === 'chr');
  return sign?.attribs['m:val'] ?? '∫';
}

function grouped(text) {
  return text.includes(' ') ? `(${text})` : text;
}

function localName({ name = '' }) {
  return name.replace(/^.*:/, '').toLowerCase();
}
