import type { ChatFile } from '../../../providers/models/index.js';
import { placeOf, type Loss } from '../../knowledge/index.js';
import type { MediaFile, MessageFile } from '../../media/index.js';
import type { Message } from '../../messaging/index.js';
import type { AttachedContent, AttachedFiles, FileReading, FileRecord, ReadFile, UnreadAttachment } from './attached-files.js';
import type { Citable } from './document-passages.js';
import { pieceText, type SelectedText } from './file-selection.js';

/** A document of which a prompt has text. */
export interface QuotedFile extends ReadFile {
  readonly selected: SelectedText;
  /** Path of the file. */
  readonly url: string;
}

/** The files of a conversation, and what was decided about them. */
export interface FilesToQuote {
  /** Of the messages that the prompt shows. */
  readonly files: readonly MessageFile[];
  readonly past: readonly MessageFile[];
  /** The message to reply to. */
  readonly message: Message;
  /** Of the documents, by id. */
  readonly readings: ReadonlyMap<string, FileReading>;
  /** Files that are passed to the model unchanged. */
  readonly visible: ReadonlyMap<MediaFile, ChatFile>;
  readonly quoted: readonly QuotedFile[];
  /** Whether the model supports images. */
  readonly sees: boolean;
  readonly firstNumber: number;
}

const LATE = 'It is still being read, and can be asked about in a moment.';
const FAILED = 'It cannot be read now.';

/** Writes what a prompt says about files: notes behind their messages, and the quotations with their numbers. */
export function quoteFiles(all: FilesToQuote): AttachedFiles {
  const { files, message, readings, visible, quoted, firstNumber } = all;
  const quotations = new Map<string, Quotation>();
  let next = firstNumber;
  for (const file of quoted) {
    const quotation = quote(file, next);
    quotations.set(file.file.id, quotation);
    next += quotation.citables.length;
  }
  const byMessage = new Map<string, AttachedContent>();
  for (const file of files) {
    const { text, files: before } = byMessage.get(file.messageId) ?? { text: '', files: [] };
    const shown = visible.get(file);
    const note = noteOf(file, all, quotations.get(file.id));
    byMessage.set(file.messageId, {
      text: text === '' ? note : `${text}\n${note}`,
      files: shown ? [...before, shown] : before,
    });
  }
  const shown = quoted.filter(({ file, selected }) => selected.positions.length > 0 || file.messageId === message.id);
  return {
    byMessage,
    lines: shown.flatMap(({ file }) => quotations.get(file.id)?.lines ?? []),
    citables: [...quotations.values()].flatMap(({ citables }) => citables),
    tokens: quoted.reduce((sum, { selected }) => sum + selected.tokens, 0),
    records: recordsOf(all),
    unread: files.flatMap((file) => (file.messageId === message.id && !visible.has(file) ? unread(file, readings.get(file.id)) : [])),
  };
}

interface Quotation {
  readonly isWhole: boolean;
  readonly lines: readonly string[];
  readonly citables: readonly Citable[];
}

function quote({ file, text, verbatim, selected, url }: QuotedFile, firstNumber: number): Quotation {
  const { isWhole, positions } = selected;
  const name = JSON.stringify(file.originalName);
  const of = { mediaId: file.id, document: file.originalName, url };
  const losses = text.losses.length === 0 ? '' : `; not read of it: ${describeLosses(text.losses)}`;
  const parts = text.pieces.map((piece) => ({ place: placeOf(piece), text: piece.text }));
  if (isWhole && verbatim !== undefined) {
    const lines = [`[${firstNumber}] ${name}, the whole file${losses}:`, verbatim.trimEnd(), `[end of ${name}]`];
    return { isWhole, lines, citables: [{ number: firstNumber, of, parts }] };
  }
  const lines: string[] = [];
  positions.forEach((position, index) => {
    const piece = text.pieces[position];
    if (!piece) return;
    if (position !== (positions[index - 1] ?? -1) + 1) lines.push('[…]');
    lines.push(`[${firstNumber + index}] ${pieceText(piece)}`);
  });
  if (!isWhole && positions.length > 0 && positions.at(-1) !== text.pieces.length - 1) lines.push('[…]');
  const extent = isWhole ? 'the whole file' : `${positions.length} of ${text.pieces.length} pieces`;
  return {
    isWhole,
    lines: positions.length === 0 ? [] : [`${name}, ${extent}${losses}:`, ...lines, `[end of ${name}]`],
    citables: positions.flatMap((position, index) => {
      const part = parts[position];
      return part ? [{ number: firstNumber + index, of, parts: [part] }] : [];
    }),
  };
}

function describeLosses(losses: readonly Loss[]): string {
  return losses.map(({ what, count }) => `${what} (${count})`).join(', ');
}

/** The note about a file behind its message. */
function noteOf(file: MessageFile, { readings, visible, sees }: FilesToQuote, quotation: Quotation | undefined): string {
  const about = `attached: ${JSON.stringify(file.originalName)} (${file.mimeType}, ${file.size} bytes)`;
  if (visible.has(file)) return `[${about}, shown to you]`;
  if (quotation) return `[${about}, ${extentOf(quotation)}]`;
  const [problem] = unread(file, readings.get(file.id));
  if (problem) return `[${about}, which you cannot read: ${problem.reason}]`;
  return `[${about}, which you cannot ${file.mimeType.startsWith('image/') && !sees ? 'see' : 'read'}]`;
}

function extentOf({ isWhole, citables }: Quotation): string {
  if (citables.length === 0) return 'which does not fit here';
  return isWhole ? 'quoted above' : 'quoted above in part';
}

function unread({ id: mediaId, originalName: name }: MediaFile, reading: FileReading | undefined): UnreadAttachment[] {
  if (reading === undefined || (typeof reading === 'object' && reading.problem === null)) return [];
  return [{ mediaId, name, reason: reading === 'late' ? LATE : reading === 'failed' ? FAILED : (reading.problem ?? FAILED) }];
}

function recordsOf({ files, past, readings, visible, quoted }: FilesToQuote): FileRecord[] {
  const selected = new Map(quoted.map((each) => [each.file.id, each]));
  const records = [...files, ...past].map((file): FileRecord => {
    const found = selected.get(file.id);
    if (visible.has(file)) return { id: file.id, use: 'file', shown: 0, pieces: 0 };
    if (!found) return { id: file.id, use: readings.has(file.id) ? 'unread' : 'none', shown: 0, pieces: 0 };
    const { positions, isWhole } = found.selected;
    const use = isWhole ? 'whole' : positions.length === 0 ? 'none' : 'part';
    return { id: file.id, use, shown: positions.length, pieces: found.text.pieces.length };
  });
  return [...new Map(records.reverse().map((record) => [record.id, record])).values()].reverse();
}
