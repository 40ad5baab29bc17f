import { SentenceSplitter } from './sentences.js';

// Emoji, their joiners and skin tones, arrows, boxes, dingbats: what a voice would read out by name or stumble over.
const PICTURES = /[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}\u200D\uFE0F\u20E3\u2190-\u21FF\u2500-\u27BF]/gu;
const SIGNS = /[©®™‼⁉]/;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: ' less than ', gt: ' more than ', quot: '"', '#39': "'", nbsp: ' ' };

/**
 * The words of a text as a person would read it out: no markup, no emoji, links by their text, code left out. Numbers
 * and abbreviations stay as they are: each voice knows how to say them.
 */
export function spokenText(text: string): string {
  return tidy(withoutMarks(linesOf(withoutLinks(withoutCode(text.replace(/\r\n?/g, '\n'))))));
}

/** The utterances of a whole text: its sentences, cleaned; too long ones in pieces. */
export function utterancesOf(text: string): string[] {
  const splitter = new SentenceSplitter();
  return [...splitter.push(spokenText(text)), ...splitter.end()].map((utterance) => utterance.replace(/\s+/g, ' '));
}

// The lengths in the expressions below are limits of patience: without them a hostile text takes time by its square.

/** Without what stands apart from the words: blocks of code (an open one takes the rest) and tags. */
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

/** Headings, items and rows as sentences of their own, so that the voice drops at their end; rules left out. */
function linesOf(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const plain = line.replace(/^[ \t>]+/, '').trimEnd();
      if (/^[-*_=|: \t]*$/.test(plain)) return '';
      const heading = /^#{1,6}[ \t]+(.+)$/.exec(plain)?.[1];
      if (heading !== undefined) return ended(heading.replace(/[ \t#]+$/, ''));
      const item = /^(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.+)$/.exec(plain)?.[1];
      if (item !== undefined) return ended(item);
      if (!plain.startsWith('|')) return plain;
      const cells = plain.split('|').map((cell) => cell.trim());
      return ended(cells.filter((cell) => cell !== '').join(', '));
    })
    .join('\n');
}

function ended(line: string): string {
  return /[.!?:;,…]["')\]*_`]{0,5}$/.test(line) ? line : `${line}.`;
}

function withoutMarks(text: string): string {
  return text
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_entity, name: string) => ENTITIES[name] ?? ' ')
    .replace(/(?<=[\p{L}\p{N}.!?,])[*~]+(?=\s|$|\p{P})|(?<![\p{L}\p{N}])[*~]+(?=[\p{L}\p{N}])/gu, '')
    .replace(/[*_`~|<>\\^]+/g, ' ');
}

function tidy(text: string): string {
  return text
    .replace(PICTURES, (sign) => (SIGNS.test(sign) ? sign : ' '))
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (sign) => (sign === '\n' ? '\n' : ' '))
    .replace(/[‘’]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ (?=[,.;:!?\n])/g, '')
    .replace(/\n\s*/g, '\n')
    .trim();
}
