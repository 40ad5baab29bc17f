import type { ColumnsOf } from '../../core/database/index.js';
import type { MediaArea, MediaFileRow } from './entities/media-file.entity.js';

export type { MediaArea };

/** A stored file. Instants are epoch ms. */
export interface MediaFile extends Omit<ColumnsOf<MediaFileRow>, 'agentId' | 'channelId' | 'attached'> {
  /** The agent or channel that the file belongs to; the file is deleted with it. */
  readonly ownerId: string;
}
