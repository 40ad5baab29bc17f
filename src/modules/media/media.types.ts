import type { ColumnsOf } from '../../core/database/index.js';
import type { Loss, Piece } from '../knowledge/index.js';
import type { MediaArea, MediaFileRow } from './entities/media-file.entity.js';

export type { MediaArea };

/** A stored file. Instants are epoch ms. */
export interface MediaFile extends Omit<ColumnsOf<MediaFileRow>, 'agentId' | 'channelId' | 'attached'> {
  /** The agent or channel that the file belongs to; the file is deleted with it. */
  readonly ownerId: string;
}

/** A file as a document. */
export interface FileText {
  /** Its text in order; empty with a problem. */
  readonly pieces: readonly Piece[];
  /** Why it has no text, in sentences for people. */
  readonly problem: string | null;
  /** A word for the problem, such as `ENCRYPTED` or `NO_TEXT`. */
  readonly fault: string | null;
  readonly losses: readonly Loss[];
}

/** A file of a message. */
export interface MessageFile extends MediaFile {
  readonly messageId: string;
}
