import { Injectable } from '@nestjs/common';
import { idKeys, Reader, tableOf, type ColumnsOf, type SqlValue, type Statement } from '../../core/database/index.js';
import { MediaFileRow } from './entities/media-file.entity.js';
import type { MediaArea, MediaFile, MessageFile } from './media.types.js';

const FILES = tableOf(MediaFileRow);
const FILE = FILES.omit('attached');

type FileColumns = Omit<ColumnsOf<MediaFileRow>, 'attached'>;

const OWNER = 'coalesce(agent_id, channel_id)';

// Unreferenced files: the owner was deleted, or the last message with the file, or the file was never sent.
const UNUSED = `(agent_id IS NULL AND channel_id IS NULL)
  OR (attached = ? AND NOT EXISTS (SELECT 1 FROM message_attachments a WHERE a.media_id = media_files.id))
  OR (attached = ? AND area <> 'agents' AND created_at < ?
    AND NOT EXISTS (SELECT 1 FROM message_attachments a WHERE a.media_id = media_files.id))`;

// A file is deleted with its last message only if the message is in a channel that the file belongs to.
const IS_OF_CHANNEL = `(channel_id = ? OR agent_id IN (SELECT entity_id FROM channel_participants WHERE channel_id = ?))`;

@Injectable()
export class MediaRepository {
  constructor(private readonly reader: Reader) {}

  insert({ ownerId, ...file }: MediaFile): Statement {
    const [agentId, channelId] = file.area === 'channels' ? [null, ownerId] : [ownerId, null];
    return FILES.insert({ ...file, agentId, channelId, attached: false });
  }

  /** Records the files of a message. */
  attach({ id: messageId, channelId }: { id: string; channelId: string }, names: readonly string[]): Statement[] {
    return names.flatMap((name) => [
      {
        sql: `INSERT INTO message_attachments (message_id, media_id) SELECT CAST(? AS varchar(36)), id FROM media_files WHERE name = ?
          ON CONFLICT (message_id, media_id) DO NOTHING`,
        params: [messageId, name],
      },
      { sql: `UPDATE media_files SET attached = ? WHERE name = ? AND ${IS_OF_CHANNEL}`, params: [true, name, channelId, channelId] },
    ]);
  }

  /** Deletes the records of a message. */
  detach(messageId: string): Statement {
    return { sql: 'DELETE FROM message_attachments WHERE message_id = ?', params: [messageId] };
  }

  remove(id: string): Statement {
    return { sql: 'DELETE FROM media_files WHERE id = ?', params: [id] };
  }

  /** Deletes a file from `unused`, unless it has been referenced since. */
  removeUnused(id: string, sentBefore: number): Statement {
    return { sql: `DELETE FROM media_files WHERE id = ? AND (${UNUSED})`, params: [id, true, false, sentBefore] };
  }

  async find(area: MediaArea, ownerId: string, name: string): Promise<MediaFile | undefined> {
    const [row] = await this.reader.rows(`SELECT ${FILE.columns} FROM media_files WHERE name = ? AND area = ? AND ${OWNER} = ?`, [
      name,
      area,
      ownerId,
    ]);
    return row && toFile(FILE.read(row));
  }

  /** The files of messages, by message id. */
  async ofMessages(messageIds: readonly string[]): Promise<Map<string, MediaFile[]>> {
    const found = new Map<string, MediaFile[]>();
    if (messageIds.length === 0) return found;
    const rows = await this.reader.rows<{ message_id: string }>(
      `SELECT a.message_id, ${FILE.columnsOf('media_files')} FROM message_attachments a JOIN media_files ON media_files.id = a.media_id
        WHERE a.message_id IN (${messageIds.map(() => '?').join(', ')}) AND ${OWNER} IS NOT NULL ORDER BY created_at, id`,
      [...messageIds],
    );
    for (const row of rows) found.set(row.message_id, [...(found.get(row.message_id) ?? []), toFile(FILE.read(row))]);
    return found;
  }

  /** The files that were uploaded to a channel and sent there, in messages up to a position; newest files first. */
  async ofChannel(channelId: string, throughSeq: number, limit: number): Promise<MessageFile[]> {
    // From the files, of which a channel has few, to the messages: SQLite keeps the order of a CROSS JOIN.
    const rows = await this.reader.rows<{ messageId: string }>(
      `SELECT m.id AS "messageId", ${FILE.columnsOf('f')} FROM media_files f CROSS JOIN message_attachments a CROSS JOIN messages m
        WHERE f.channel_id = ? AND a.media_id = f.id AND m.id = a.message_id AND m.channel_id = f.channel_id AND m.seq <= ?
        ORDER BY f.created_at DESC, f.id DESC LIMIT ${limit}`,
      [channelId, throughSeq],
    );
    return rows.map((row) => ({ ...toFile(FILE.read(row)), messageId: row.messageId }));
  }

  async byId(ids: readonly string[]): Promise<Map<string, MediaFile>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.rows(
      `SELECT ${FILE.columns} FROM media_files WHERE id IN (SELECT key FROM json_each(?)) AND ${OWNER} IS NOT NULL`,
      [idKeys(ids)],
    );
    return new Map(rows.map((row) => FILE.read(row)).map((file) => [file.id, toFile(file)]));
  }

  /**
   * Unreferenced files.
   *
   * @param sentBefore instant before which files that were never sent count as unreferenced, except uploads to agents
   */
  async unused(sentBefore: number, limit: number): Promise<{ id: string; hash: string }[]> {
    return this.reader.rows(`SELECT id, hash FROM media_files WHERE ${UNUSED} LIMIT ${limit}`, [true, false, sentBefore]);
  }

  /** The hashes among these that a file uses. */
  async hashesInUse(hashes: readonly string[]): Promise<Set<string>> {
    const params: SqlValue[] = [...hashes];
    const rows = await this.reader.rows<{ hash: string }>(
      `SELECT DISTINCT hash FROM media_files WHERE hash IN (${hashes.map(() => '?').join(', ')})`,
      params,
    );
    return new Set(rows.map(({ hash }) => hash));
  }
}

function toFile({ id, hash, area, agentId, channelId, name, originalName, mimeType, size, createdAt }: FileColumns): MediaFile {
  return { id, hash, area, ownerId: agentId ?? channelId ?? '', name, originalName, mimeType, size, createdAt };
}
