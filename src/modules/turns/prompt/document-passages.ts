import { cutText } from '../../../core/text/index.js';
import { estimateTokens } from '../../../providers/models/index.js';
import type { Passage } from '../../knowledge/index.js';
import { contentWords, oneLine, sentencesOf, type RecalledMemory } from '../../memory/index.js';

const MAX_SOURCES = 5;
const MAX_QUOTE = 240;
/** Share of the words of a sentence of the reply that a passage has to hold, for a reply without references. */
const MIN_OVERLAP = 0.6;
const MIN_SHARED_WORDS = 2;

/** A piece of a document in a prompt. */
export interface PromptPassage extends Passage {
  /** 1, 2, 3, … in the prompt; the model refers to it as `[1]`. */
  readonly number: number;
  /** Without its heading. */
  readonly text: string;
}

/** A document that a reply can cite: one of the agent, or a file in the conversation. */
type CitedDocument = {
  /** Its name. */
  readonly document: string;
  /** Address of a document from the web, or path of a file; else null. */
  readonly url: string | null;
} & (
  | {
      readonly documentId: string;
      /** The piece, as a memory of the agent. */
      readonly memoryId: string;
    }
  | { /** The file. */ readonly mediaId: string }
);

/** A text in a prompt that a reply can cite by its number. */
export interface Citable {
  readonly number: number;
  readonly of: CitedDocument;
  /** The text, by page and heading. */
  readonly parts: readonly { readonly place: string; readonly text: string }[];
}

/** A source of a reply, in `metadata.sources` of the reply. */
export type Source = CitedDocument & {
  /** Page and heading, if the document has them. */
  readonly place: string;
  readonly quote: string;
  /** The number that stands for it in the text of the reply, as `[1]`; absent when the text has none. */
  readonly reference?: number;
};

/**
 * The passages that fit in a prompt.
 *
 * @param found pieces of documents, best first
 * @param places where they are from, by memory id
 * @param tokens budget
 */
export function selectPassages(
  found: readonly RecalledMemory[],
  places: ReadonlyMap<string, Passage>,
  tokens: number,
): { shown: PromptPassage[]; tokens: number; leftOut: RecalledMemory[] } {
  const shown: PromptPassage[] = [];
  const leftOut: RecalledMemory[] = [];
  let left = tokens;
  for (const piece of found) {
    const passage = places.get(piece.memoryId);
    if (!passage) continue;
    const text = oneLine(passage.heading === '' ? piece.text : piece.text.replace(/^.*?\n\n/s, ''));
    const cost = estimateTokens(`${passage.document} ${passage.place} ${text}`) + 8;
    if (cost > left) {
      leftOut.push(piece);
      continue;
    }
    left -= cost;
    shown.push({ ...passage, number: shown.length + 1, text });
  }
  return { shown, tokens: tokens - left, leftOut };
}

/** A passage as a line of the prompt. */
export function passageLine({ number, document, place, text }: PromptPassage): string {
  return `[${number}] ${oneLine(document)}${place === '' ? '' : `, ${oneLine(place)}`}: ${text}`;
}

/** A passage as what a reply can cite. */
export function citableOf({ number, documentId, memoryId, document, url, place, text }: PromptPassage): Citable {
  return { number, of: { documentId, memoryId, document, url }, parts: [{ place, text }] };
}

/** The sources of a reply: the texts to which it refers, or, if it refers to none, those that say what it says. */
export function sourcesOf(reply: string, citables: readonly Citable[]): Source[] {
  const references = new Set([...reply.matchAll(/\[(\d{1,3})\]/g)].map(([, number]) => Number(number)));
  const referred = citables.filter(({ number }) => references.has(number));
  if (referred.length > 0) {
    return referred.slice(0, MAX_SOURCES).map((citable) => ({ ...toSource(citable, reply), reference: citable.number }));
  }
  const sentences = sentencesOf(reply).map(contentWords);
  return citables
    .map((citable) => ({ citable, overlap: Math.max(0, ...citable.parts.map(({ text }) => overlapOf(sentences, text))) }))
    .filter(({ overlap }) => overlap >= MIN_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap)
    .slice(0, MAX_SOURCES)
    .map(({ citable }) => toSource(citable, reply));
}

/** The share of the words of a sentence of the reply that a text has; that of the best sentence. */
function overlapOf(sentences: readonly ReadonlySet<string>[], text: string): number {
  const words = contentWords(text);
  const overlaps = sentences.map((sentence) => {
    const shared = [...sentence].filter((word) => words.has(word)).length;
    return shared < MIN_SHARED_WORDS ? 0 : shared / sentence.size;
  });
  return Math.max(0, ...overlaps);
}

function toSource({ of, parts }: Citable, reply: string): Source {
  const words = contentWords(reply);
  const [best = { place: '', sentence: '' }] = parts
    .flatMap(({ place, text }) => sentencesOf(text).map((sentence) => ({ place, sentence })))
    .map((quote) => ({ ...quote, shared: [...contentWords(quote.sentence)].filter((word) => words.has(word)).length }))
    .sort((a, b) => b.shared - a.shared);
  return { ...of, place: best.place, quote: cutText(best.sentence, MAX_QUOTE) };
}
