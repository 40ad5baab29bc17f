import { cutText } from '../../../core/text/index.js';
import type { ChatFile } from '../../../providers/models/index.js';
import type { FileText, MessageFile } from '../../media/index.js';
import { attachmentsOf, type Message } from '../../messaging/index.js';
import type { Citable } from './document-passages.js';

/** The files of one message, prepared for a model. */
export interface AttachedContent {
  /** Notes about them, to append to the message. */
  readonly text: string;
  /** Images and documents that are passed to the model unchanged. */
  readonly files: readonly ChatFile[];
}

/** A file as a run keeps it; its name belongs to the file, and is deleted with it. */
export interface FileRecord {
  readonly id: string;
  /** How the prompt has it: as a `file`, as text `whole` or in `part`, or not at all: nothing fits or matches (`none`), or it is `unread`. */
  readonly use: 'file' | 'whole' | 'part' | 'none' | 'unread';
  /** Pieces of its text in the prompt. */
  readonly shown: number;
  /** Pieces of its text. */
  readonly pieces: number;
}

/** A file that the agent could not read, in `metadata.unreadAttachments` of the reply. */
export interface UnreadAttachment {
  readonly mediaId: string;
  readonly name: string;
  /** Why, and what can be done about it, in sentences. */
  readonly reason: string;
}

/** What a prompt has of the files of a conversation. */
export interface AttachedFiles {
  /** By message; messages without files are absent. */
  readonly byMessage: ReadonlyMap<string, AttachedContent>;
  /** Quotations of documents, as lines of a section; empty without any. */
  readonly lines: readonly string[];
  /** The quotations. */
  readonly citables: readonly Citable[];
  /** Tokens of the quotations, estimated. */
  readonly tokens: number;
  readonly records: readonly FileRecord[];
  /** Files of the message to reply to. */
  readonly unread: readonly UnreadAttachment[];
}

export const NO_FILES: AttachedFiles = { byMessage: new Map(), lines: [], citables: [], tokens: 0, records: [], unread: [] };

/** What came of reading a document for a turn. `late`: it is still being read. `failed`: it cannot be read now. */
export type FileReading = FileText | 'late' | 'failed';

/** A document with its text. */
export interface ReadFile {
  readonly file: MessageFile;
  readonly text: FileText;
  /** The whole text as it was written, of a short one without layout. */
  readonly verbatim: string | undefined;
}

/** Names the attachments of a message that are not stored here; they are not fetched. */
export function describeExternalAttachments(message: Message, attached: AttachedContent | undefined): string {
  const elsewhere = attachmentsOf(message).filter(
    ({ url }) => typeof url !== 'string' || !url.includes('/media/') || attached === undefined,
  );
  const names = elsewhere.map((each) => {
    const name = ['name', 'title', 'filename', 'url', 'type'].map((key) => each[key]).find((value) => typeof value === 'string');
    return cutText(String(name ?? 'a file'), 200);
  });
  return names.length === 0 ? '' : `[attached: ${names.join(', ')}]`;
}
