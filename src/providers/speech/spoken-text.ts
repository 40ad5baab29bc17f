import { SentenceSplitter } from './sentence-splitter.js';

// Emoji with joiners and skin tones, arrows, boxes and dingbats, which voices would read by name.
const EMOJI = /[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}\u200D\uFE0F\u20E3\u2190-\u21FF\u2500-\u27BF]/gu;
const SPEAKABLE_SIGNS = /[©®™‼⁉]/;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: ' less than ', gt: ' more than ', quot: '"', '#39': "'", nbsp: ' ' };

/**
 * Converts a text to the words that a person would read aloud: without markup, emoji and code; links by their text. Numbers and
 * abbreviations stay unchanged, because voices can speak them.
 */
export function spokenText(text: string): string {
  return normalize(withoutMarkup(linesOf(withoutLinks(withoutCode(text.replace(/\r\n?/g, '\n'))))));
}

/** Splits a complete text into utterances: cleaned sentences, with long ones split. */
export function utterancesOf(text: string): string[] {
  const splitter = new SentenceSplitter();
  return [...splitter.push(spokenText(text)), ...splitter.end()].map((utterance) => utterance.replace(/\s+/g, ' '));
}

// The length limits in the expressions below prevent quadratic time on hostile text.

/** Removes code blocks (an unclosed block extends to the end) and tags. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').filter((line) => {
    const mark = /^[ \t]*(```|~~~)/.exec(line)?.[1];
    if (mark === undefined) return fence === undefined;
    if (fence === undefined) fence = mark;
    else if (fence === mark) fence = undefined;
    return false;
  });
  return lines
    .join('\n')
    .replace(/<(script|style)\b[^<]{0,2000}<\/\1\s{0,9}>/gi, ' ')
    .replace(/<!--.{0,500}?-->/gs, ' ')
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, (tag) => (/^<https?:/i.test(tag) ? tag : ' '));
}

function withoutLinks(text: string): string {
  return text
    .replace(/!?\[([^[\]]{1,500})\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,200}")?\)/g, '$1')
    .replace(/\[([^[\]]{1,500})\]\[[^[\]]{0,200}\]/g, '$1')
    .replace(/<?\bhttps?:\/\/(?:www\.)?([^\s/<>?#:)]{1,253})[^\s<>)]{0,2000}>?/gi, '$1');
}

/** Makes headings, list items and table rows separate sentences, so that the voice pauses after them; removes horizontal rules. */
function linesOf(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const plain = line.replace(/^[ \t>]+/, '').trimEnd();
      if (/^[-*_=|: \t]*$/.test(plain)) return '';
      const heading = /^#{1,6}[ \t]+(.+)$/.exec(plain)?.[1];
      if (heading !== undefined) return withFullStop(heading.replace(/[ \t#]+$/, ''));
      const item = /^(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.+)$/.exec(plain)?.[1];
      if (item !== undefined) return withFullStop(item);
      if (!plain.startsWith('|')) return plain;
      const cells = plain.split('|').map((cell) => cell.trim());
      return withFullStop(cells.filter((cell) => cell !== '').join(', '));
    })
    .join('\n');
}

function withFullStop(line: string): string {
  return /[.!?:;,…]["')\]*_`]{0,5}$/.test(line) ? line : `${line}.`;
}

function withoutMarkup(text: string): string {
  return text
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_entity, name: string) => ENTITIES[name] ?? ' ')
    .replace(/(?<=[\p{L}\p{N}.!?,])[*~]+(?=\s|$|\p{P})|(?<![\p{L}\p{N}])[*~]+(?=[\p{L}\p{N}])/gu, '')
    .replace(/[*_`~|<>\\^]+/g, ' ');
}

function normalize(text: string): string {
  return text
    .replace(EMOJI, (sign) => (SPEAKABLE_SIGNS.test(sign) ? sign : ' '))
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (sign) => (sign === '\n' ? '\n' : ' '))
    .replace(/[‘’]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ (?=[,.;:!?\n])/g, '')
    .replace(/\n\s*/g, '\n')
    .trim();
}
