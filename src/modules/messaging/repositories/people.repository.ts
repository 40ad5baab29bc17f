import { Injectable } from '@nestjs/common';
import { Reader } from '../../../core/database/index.js';

// The condition on the id is that of the index.
const BEFORE = `SELECT 1 FROM messages WHERE author_id = ? AND author_kind = 'user' AND substr(author_id, 15, 1) = '0' AND created_at < ?
  UNION ALL SELECT 1 FROM channel_participants WHERE entity_id = ? AND kind = 'user' AND joined_at < ? LIMIT 1`;

/** Reads who has been here. */
@Injectable()
export class PeopleRepository {
  constructor(private readonly reader: Reader) {}

  /** Whether a user with an id that follows from a name wrote something, or took part in a channel, before an instant (epoch ms). */
  async isUserBefore(id: string, before: number): Promise<boolean> {
    return (await this.reader.rows(BEFORE, [id, before, id, before])).length > 0;
  }
}
