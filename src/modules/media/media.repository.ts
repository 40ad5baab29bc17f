import { Injectable } from '@nestjs/common';
import { Reader, type SqlValue, type Statement } from '../../core/database/index.js';
import type { MediaArea, MediaFile } from './media.types.js';

const COLUMNS = 'id, hash, area, agent_id, channel_id, name, original_name, mime_type, size, attached, created_at';

interface Row {
  id: string;
  hash: string;
  area: MediaArea;
  agent_id: string | null;
  channel_id: string | null;
  name: string;
  original_name: string;
  mime_type: string;
  size: number | string;
  created_at: number | string;
}

const OWNER = 'coalesce(agent_id, channel_id)';

// What nothing refers to: its owner is gone, or the last message that had it, or no message ever had it.
const UNUSED = `(agent_id IS NULL AND channel_id IS NULL)
  OR (attached = ? AND NOT EXISTS (SELECT 1 FROM message_attachments a WHERE a.media_id = media_files.id))
  OR (attached = ? AND area <> 'agents' AND created_at < ?
    AND NOT EXISTS (SELECT 1 FROM message_attachments a WHERE a.media_id = media_files.id))`;

// Only who takes part where a file belongs can bring it about that it goes with its last message.
const IS_OF_CHANNEL = `(channel_id = ? OR agent_id IN (SELECT entity_id FROM channel_participants WHERE channel_id = ?))`;

@Injectable()
export class MediaRepository {
  constructor(private readonly reader: Reader) {}

  insert({ id, hash, area, ownerId, name, originalName, mimeType, size, createdAt }: MediaFile): Statement {
    const owners = area === 'channels' ? [null, ownerId] : [ownerId, null];
    return {
      sql: `INSERT INTO media_files (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      params: [id, hash, area, ...owners, name, originalName, mimeType, size, false, createdAt],
    };
  }

  /** Notes that a message has these files. */
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

  /** Takes back what a message was noted to have. */
  detach(messageId: string): Statement {
    return { sql: 'DELETE FROM message_attachments WHERE message_id = ?', params: [messageId] };
  }

  remove(id: string): Statement {
    return { sql: 'DELETE FROM media_files WHERE id = ?', params: [id] };
  }

  /** Removes one of `unused`, unless something has come to refer to it since. */
  removeUnused(id: string, sentBefore: number): Statement {
    return { sql: `DELETE FROM media_files WHERE id = ? AND (${UNUSED})`, params: [id, true, false, sentBefore] };
  }

  async find(area: MediaArea, ownerId: string, name: string): Promise<MediaFile | undefined> {
    const [row] = await this.reader.rows<Row>(`SELECT ${COLUMNS} FROM media_files WHERE name = ? AND area = ? AND ${OWNER} = ?`, [
      name,
      area,
      ownerId,
    ]);
    return row && toFile(row);
  }

  /** The files of messages, by the message. */
  async ofMessages(messageIds: readonly string[]): Promise<Map<string, MediaFile[]>> {
    const found = new Map<string, MediaFile[]>();
    if (messageIds.length === 0) return found;
    const rows = await this.reader.rows<Row & { message_id: string }>(
      `SELECT a.message_id, ${COLUMNS} FROM message_attachments a JOIN media_files ON media_files.id = a.media_id
        WHERE a.message_id IN (${messageIds.map(() => '?').join(', ')}) AND ${OWNER} IS NOT NULL ORDER BY created_at, id`,
      [...messageIds],
    );
    for (const row of rows) found.set(row.message_id, [...(found.get(row.message_id) ?? []), toFile(row)]);
    return found;
  }

  /** Some of the files that nothing refers to. @param sentBefore those that no message ever had, except for agents' own, from before this instant */
  async unused(sentBefore: number, limit: number): Promise<{ id: string; hash: string }[]> {
    return this.reader.rows(`SELECT id, hash FROM media_files WHERE ${UNUSED} LIMIT ${limit}`, [true, false, sentBefore]);
  }

  /** Those of these contents that a file has. */
  async hashesInUse(hashes: readonly string[]): Promise<Set<string>> {
    const params: SqlValue[] = [...hashes];
    const rows = await this.reader.rows<{ hash: string }>(
      `SELECT DISTINCT hash FROM media_files WHERE hash IN (${hashes.map(() => '?').join(', ')})`,
      params,
    );
    return new Set(rows.map(({ hash }) => hash));
  }
}

function toFile(row: Row): MediaFile {
  return {
    id: row.id,
    hash: row.hash,
    area: row.area,
    ownerId: row.agent_id ?? row.channel_id ?? '',
    name: row.name,
    originalName: row.original_name,
    mimeType: row.mime_type,
    size: Number(row.size),
    createdAt: Number(row.created_at),
  };
}
