import { estimateTokens } from '../../../providers/models/index.js';
import { placeOf, type Piece } from '../../knowledge/index.js';
import { contentWords } from '../../memory/index.js';
import { scoresOf } from './passage-scores.js';

/** What a piece costs besides its text: number, place and line breaks, tokens. */
const PIECE_TOKENS = 8;
/** A longer text is not counted: it does not fit. */
const CHARACTERS_PER_TOKEN = 8;
/** Of the budget, for earlier files while those of the last message need all of it, and for files that the conversation shows no more. */
const FOR_EARLIER = 0.25;
/** Of the budget of a document that does not fit: for its beginning, and for the pieces that match; the rest is spread over the document. */
const FOR_BEGINNING = 0.15;
const FOR_MATCHES = 0.65;
/** Tokens. */
const MAX_BEGINNING = 800;
/** A piece that scores less, compared with the best one, does not match. */
const MIN_SCORE = 0.2;
/** The best pieces, each of which brings the one behind it: a sentence may go on there. */
const CONTINUED = 3;

/** A file with its text, to choose from. */
export interface SelectableFile {
  readonly name: string;
  readonly pieces: readonly Piece[];
  /** The whole text as it was written, for a text without layout. */
  readonly verbatim?: string | undefined;
  /**
   * `now`: the message to reply to has it. `shown`: an earlier message has it, which the prompt shows. `past`: the conversation has left it
   * behind; only what matches the question is chosen.
   */
  readonly when: 'now' | 'shown' | 'past';
}

/** The part of a file that was chosen. */
export interface SelectedText {
  readonly isWhole: boolean;
  /** Positions of the chosen pieces, ascending. */
  readonly positions: readonly number[];
  /** Of what was chosen. */
  readonly tokens: number;
}

/**
 * Chooses what a prompt shows of files: all of those that fit, the files of the last message first. Of a longer one the beginning, the pieces
 * that match the question, and pieces spread over the whole, so that it can be summarised.
 *
 * @param files newest first
 * @param tokens budget
 * @returns in the order of `files`
 */
export async function selectTexts(files: readonly SelectableFile[], question: string, tokens: number): Promise<SelectedText[]> {
  const chosen = new Map<SelectableFile, SelectedText>();
  let left = tokens;
  const take = async (group: readonly SelectableFile[], budget: number): Promise<void> => {
    for (const [file, text] of await selectGroup(group, question, budget)) {
      chosen.set(file, text);
      left -= text.tokens;
    }
  };
  const of = (when: SelectableFile['when']): SelectableFile[] => files.filter((file) => file.when === when);
  const [now, shown, past] = [of('now'), of('shown'), of('past')];
  await take(now, shown.length === 0 ? left : left * (1 - FOR_EARLIER));
  await take(shown, left);
  for (const [file, text] of await matchesOf(past, question, Math.min(left, tokens * FOR_EARLIER))) chosen.set(file, text);
  return files.map((file) => chosen.get(file) ?? { isWhole: false, positions: [], tokens: 0 });
}

/** A piece as a line of a prompt, without its number. */
export function pieceText(piece: Piece): string {
  const place = placeOf(piece);
  return place === '' ? piece.text : `${place}: ${piece.text}`;
}

type Selection = ReadonlyMap<SelectableFile, SelectedText>;

async function selectGroup(files: readonly SelectableFile[], question: string, tokens: number): Promise<Selection> {
  const selected = new Map<SelectableFile, SelectedText>();
  const bySize = files.map((file) => ({ file, cost: costOf(file, tokens) })).sort((a, b) => a.cost - b.cost);
  let left = tokens;
  let waiting = bySize.length;
  const long: SelectableFile[] = [];
  for (const { file, cost } of bySize) {
    // The smallest first: what they do not need is for the others.
    if (cost <= left / waiting) {
      selected.set(file, { isWhole: true, positions: file.pieces.map((_, position) => position), tokens: cost });
      left -= cost;
      waiting -= 1;
    } else long.push(file);
  }
  for (const [file, text] of await excerptsOf(long, question, left)) selected.set(file, text);
  return selected;
}

function costOf({ pieces, verbatim }: SelectableFile, most: number): number {
  if (verbatim !== undefined) return verbatim.length > most * CHARACTERS_PER_TOKEN ? Infinity : estimateTokens(verbatim) + PIECE_TOKENS;
  const characters = pieces.reduce((sum, { text }) => sum + text.length, 0);
  return characters > most * CHARACTERS_PER_TOKEN ? Infinity : pieces.reduce((sum, piece) => sum + pieceCost(piece), 0);
}

function pieceCost(piece: Piece): number {
  return estimateTokens(pieceText(piece)) + PIECE_TOKENS;
}

/** Parts of documents that do not fit, within one budget. */
async function excerptsOf(files: readonly SelectableFile[], question: string, tokens: number): Promise<Selection> {
  if (files.length === 0) return new Map();
  const picks = new Picks(files, tokens);
  for (const file of files) picks.beginning(file, Math.min(MAX_BEGINNING, (tokens * FOR_BEGINNING) / files.length));
  for (const [rank, { file, position }] of (await ranked(files, question)).entries()) {
    if (picks.used > tokens * (FOR_BEGINNING + FOR_MATCHES)) break;
    picks.add(file, position);
    if (rank < CONTINUED) picks.add(file, position + 1);
  }
  picks.spread();
  return picks.selection();
}

/** What matches the question of files that are not shown by themselves. */
async function matchesOf(files: readonly SelectableFile[], question: string, tokens: number): Promise<Selection> {
  const asked = [...contentWords(question)].join(' ');
  if (files.length === 0 || asked === '') return new Map();
  const picks = new Picks(files, tokens);
  for (const { file, position } of await ranked(files, asked)) picks.add(file, position);
  return picks.selection();
}

interface Ranked {
  readonly file: SelectableFile;
  readonly position: number;
  readonly score: number;
}

/** The pieces that match a question, best first. */
async function ranked(files: readonly SelectableFile[], question: string): Promise<Ranked[]> {
  const all = files.flatMap((file) => file.pieces.map((piece, position) => ({ file, position, piece })));
  const texts = all.map(({ file, piece: { heading, text, page } }) => ({ text: `${file.name} ${heading} ${text}`, page }));
  const scores = await scoresOf(question, texts);
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return all
    .map(({ file, position }, index) => ({ file, position, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0 && score >= best * MIN_SCORE)
    .sort((a, b) => b.score - a.score);
}

/** Pieces within a budget. */
class Picks {
  used = 0;
  private readonly positions: ReadonlyMap<SelectableFile, Set<number>>;

  constructor(
    private readonly files: readonly SelectableFile[],
    private readonly tokens: number,
  ) {
    this.positions = new Map(files.map((file) => [file, new Set<number>()]));
  }

  /** @returns whether the piece exists and fits, or is chosen already */
  add(file: SelectableFile, position: number): boolean {
    const [piece, chosen] = [file.pieces[position], this.positions.get(file)];
    if (!piece || !chosen) return false;
    if (chosen.has(position)) return true;
    const cost = pieceCost(piece);
    if (this.used + cost > this.tokens) return false;
    this.used += cost;
    chosen.add(position);
    return true;
  }

  /** The first pieces of a document; one at least, if it fits at all. */
  beginning(file: SelectableFile, tokens: number): void {
    const end = this.used + tokens;
    for (let position = 0; position === 0 || this.used < end; position++) if (!this.add(file, position)) return;
  }

  /** Pieces at equal distances, as many as fit. */
  spread(): void {
    const own = (this.tokens - this.used) / this.files.length;
    for (const file of this.files) {
      const usual = file.pieces.reduce((sum, { text }) => sum + text.length, 0) / file.pieces.length / 4 + PIECE_TOKENS;
      const count = Math.min(Math.floor(own / usual), file.pieces.length);
      for (let index = 0; index < count; index++) this.add(file, Math.floor(((index + 0.5) * file.pieces.length) / count));
    }
  }

  selection(): Selection {
    return new Map(
      this.files.map((file) => {
        const positions = [...(this.positions.get(file) ?? [])].sort((a, b) => a - b);
        const tokens = positions.reduce((sum, position) => sum + pieceCost(file.pieces[position]!), 0);
        return [file, { isWhole: positions.length === file.pieces.length, positions, tokens }];
      }),
    );
  }
}
