import { Injectable } from '@nestjs/common';
import { Reader, tableOf } from '../../core/database/index.js';
import { exportRows, inScope, rowStep, type ErasureStep, type PersonalData, type PersonalRecord } from '../../core/personal-data/index.js';
import { FileTextRow } from './entities/file-text.entity.js';
import { MediaService } from './media.service.js';

const PAGE = 200;
const TEXTS = tableOf(FileTextRow);
const OF_USER = `(SELECT a.media_id FROM message_attachments a JOIN messages m ON m.id = a.message_id
  WHERE m.author_id = ? AND m.author_kind = 'user')`;

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

  async *export(userId: string): AsyncIterable<readonly PersonalRecord[]> {
    const files = `SELECT f.id, f.original_name AS "originalName", f.mime_type AS "mimeType", f.size, f.hash, f.created_at AS "createdAt"
      FROM media_files f WHERE f.id IN ${OF_USER}`;
    yield* exportRows(this.reader, 'files', { sql: files, params: [userId], bytes: '0' }, 'id');
    const texts = `SELECT ${TEXTS.columnsOf('t')}, t.media_id || ' ' || CAST(t.position + 10000 AS varchar(10)) AS "key"
      FROM file_texts t WHERE t.media_id IN ${OF_USER}`;
    const query = { sql: texts, params: [userId], bytes: TEXTS.bytesIn('x') };
    yield* exportRows(this.reader, 'file texts', query, 'key', ({ key: _, ...row }) => TEXTS.read(row));
  }

  async afterErasure(): Promise<void> {
    // Files that were never sent stay as long as usual: 0 is before all of them.
    while (await this.media.removeUnused(0, PAGE));
  }
}
