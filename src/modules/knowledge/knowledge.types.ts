import type { ColumnsOf } from '../../core/database/index.js';
import type { DocumentRow } from './entities/index.js';

export type DocumentColumns = ColumnsOf<DocumentRow>;

/** A document with the number of its stored pieces. */
export type Document = DocumentColumns & { readonly pieces: number };

/** What identifies a document of an agent: a name, an address, or a path below the characters folder. */
export interface DocumentKey {
  readonly source: DocumentColumns['source'];
  /** The address or the path; null for a document that is identified by its name. */
  readonly location: string | null;
  readonly name: string;
}

/** What a document is, which decides how it is read. */
export interface DocumentFormat {
  readonly mediaType: string;
  /** The charset of a text, a label of the Encoding Standard; null for UTF-8, and for other documents. */
  readonly charset: string | null;
}

/** Something in a document that its reader could not read. */
export type Loss = NonNullable<DocumentRow['losses']>[number];

/** The content of a document, which storage keeps. */
export interface DocumentContent extends DocumentFormat {
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** A part of a document, as the reader cuts it. */
export interface Piece {
  readonly text: string;
  /** The headings above it, outermost first, joined with " › "; empty without headings. */
  readonly heading: string;
  /** Of a PDF, from 1. */
  readonly page: number | null;
}

/** The place of a stored piece. */
export interface PiecePlace {
  readonly memoryId: string;
  /** From 0. */
  readonly position: number;
  readonly heading: string;
  readonly page: number | null;
}

/** A stored piece with its source, for citations. */
export interface Passage extends PiecePlace {
  readonly documentId: string;
  /** Name of the document. */
  readonly document: string;
  readonly source: DocumentColumns['source'];
  /** Address of a document from the web. */
  readonly url: string | null;
  /** Where in the document, for people: "page 3, Refunds › Deadlines"; empty without page and heading. */
  readonly place: string;
}
