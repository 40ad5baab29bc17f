import { Injectable } from '@nestjs/common';
import { Reader } from '../../../core/database/index.js';

// The condition on author_id matches the partial index.
const EXISTED_BEFORE = `SELECT 1 FROM messages WHERE author_id = ? AND author_kind = 'user' AND substr(author_id, 15, 1) = '0' AND created_at < ?
  UNION ALL SELECT 1 FROM channel_participants WHERE entity_id = ? AND kind = 'user' AND joined_at < ? LIMIT 1`;

/** Looks up users of earlier versions. */
@Injectable()
export class UserIdsRepository {
  constructor(private readonly reader: Reader) {}

  /** Whether a user with a name-derived id wrote a message or joined a channel before an instant (epoch ms). */
  async existedBefore(id: string, before: number): Promise<boolean> {
    return (await this.reader.rows(EXISTED_BEFORE, [id, before, id, before])).length > 0;
  }
}
