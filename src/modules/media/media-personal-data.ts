import { Injectable } from '@nestjs/common';
import { Reader } from '../../core/database/index.js';
import { exportRows, inScope, rowStep, type ErasureStep, type PersonalData, type PersonalRecord } from '../../core/personal-data/index.js';
import { MediaService } from './media.service.js';

const PAGE = 200;

/** Files that only messages of the user have. */
@Injectable()
export class MediaPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    // A file without an owner is deleted, see `afterErasure`.
    rowStep(
      { kind: 'files', effect: 'deleted', order: 10 },
      { table: 'media_files', key: ['id'] },
      'UPDATE media_files SET agent_id = NULL, channel_id = NULL',
      `attached AND coalesce(agent_id, channel_id) IS NOT NULL
        AND EXISTS (SELECT 1 FROM message_attachments a WHERE a.media_id = media_files.id AND a.message_id IN ${inScope('message')})
        AND NOT EXISTS (SELECT 1 FROM message_attachments a WHERE a.media_id = media_files.id AND a.message_id NOT IN ${inScope('message')})`,
      ({ requestId }) => [requestId, requestId],
    ),
  ];

  constructor(
    private readonly reader: Reader,
    private readonly media: MediaService,
  ) {}

  export(userId: string): AsyncIterable<readonly PersonalRecord[]> {
    const sql = `SELECT f.id, f.original_name AS "originalName", f.mime_type AS "mimeType", f.size, f.hash, f.created_at AS "createdAt"
      FROM media_files f WHERE f.id IN (SELECT a.media_id FROM message_attachments a JOIN messages m ON m.id = a.message_id
        WHERE m.author_id = ? AND m.author_kind = 'user')`;
    return exportRows(this.reader, 'files', { sql, params: [userId], bytes: '0' }, 'id');
  }

  async afterErasure(): Promise<void> {
    // Files that were never sent stay as long as usual: 0 is before all of them.
    while (await this.media.removeUnused(0, PAGE));
  }
}
