import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type ColumnsOf, type Statement } from '../../core/database/index.js';
import { ProtocolRequestRow } from './entities/protocol-request.entity.js';

const ROWS = tableOf(ProtocolRequestRow);
const SELECT = `SELECT ${ROWS.columns} FROM protocol_requests`;
/** Conversations with the same beginning that are compared. */
const MAX_ALIKE = 16;

export type StoredRequest = ColumnsOf<ProtocolRequestRow>;
export type RequestPosition = Pick<StoredRequest, 'createdAt' | 'messageId'>;

/** The table protocol_requests. */
@Injectable()
export class ProtocolRequestsRepository {
  constructor(private readonly reader: Reader) {}

  /** Must follow the statement that stores the message. Violates a unique index when the conversation has gone on from `follows`. */
  insert(request: StoredRequest): Statement {
    return ROWS.insert(request);
  }

  async find(messageId: string): Promise<StoredRequest | undefined> {
    return (await this.select(`${SELECT} WHERE message_id = ?`, [messageId]))[0];
  }

  /** Requests with this conversation, newest first. */
  ofChain(chain: string): Promise<StoredRequest[]> {
    return this.select(`${SELECT} WHERE chain = ? ORDER BY created_at DESC, message_id LIMIT ?`, [chain, MAX_ALIKE]);
  }

  /** The newest request with this body. @param since epoch ms */
  async newest(body: string, since: number): Promise<StoredRequest | undefined> {
    return (
      await this.select(`${SELECT} WHERE body = ? AND created_at >= ? ORDER BY created_at DESC, message_id LIMIT 1`, [body, since])
    )[0];
  }

  /** Requests of conversations of which nothing is to be kept, oldest first. @param before epoch ms */
  forgetting({ createdAt, messageId }: RequestPosition, before: number, limit: number): Promise<StoredRequest[]> {
    const sql = `${SELECT} WHERE forgets AND created_at < ? AND (created_at, message_id) > (?, ?) ORDER BY created_at, message_id LIMIT ?`;
    return this.select(sql, [before, createdAt, messageId, limit]);
  }

  private async select(sql: string, params: (string | number)[]): Promise<StoredRequest[]> {
    return (await this.reader.rows(sql, params)).map((row) => ROWS.read(row));
  }
}
