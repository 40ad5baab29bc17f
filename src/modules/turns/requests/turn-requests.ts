import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type Statement, type Transaction } from '../../../core/database/index.js';
import { Vault } from '../../../core/vault/index.js';
import type { Message } from '../../messaging/index.js';
import { TurnRequestRow } from '../entities/turn-request.entity.js';
import type { TurnRequest } from './turn-request.js';

const ROWS = tableOf(TurnRequestRow);
const SELECT = 'SELECT request FROM turn_requests WHERE message_id = ?';
const PURPOSE = 'turn request';

/** Requests of callers of protocols, from the message until the end of its turn. They are sealed: they may contain anything. */
@Injectable()
export class TurnRequests {
  constructor(
    private readonly reader: Reader,
    private readonly vault: Vault,
  ) {}

  /** Must follow the statement that stores the message, whose metadata must have `protocol`. @param at epoch ms */
  store(messageId: string, request: TurnRequest, at: number): Statement {
    return ROWS.insert({ messageId, request: this.seal(request), createdAt: at });
  }

  replace(messageId: string, request: TurnRequest): Statement {
    return { sql: 'UPDATE turn_requests SET request = ? WHERE message_id = ?', params: [this.seal(request), messageId] };
  }

  /** The request of a message; undefined for messages that are not of a protocol. @throws AppError SECRET_UNREADABLE */
  async of({ id, metadata }: Pick<Message, 'id' | 'metadata'>): Promise<TurnRequest | undefined> {
    if (!isOfProtocol(metadata)) return undefined;
    return this.opened(await this.reader.rows<{ request: string }>(SELECT, [id]));
  }

  /** As `of`, read within a transaction. */
  async ofIn(tx: Transaction, messageId: string): Promise<TurnRequest | undefined> {
    return this.opened(await tx.rows<{ request: string }>(SELECT, [messageId]));
  }

  /** Deletes the request of a turn that ends. */
  delete({ id, metadata }: Pick<Message, 'id' | 'metadata'>): Statement[] {
    return isOfProtocol(metadata) ? [this.deleteOf(id)] : [];
  }

  deleteOf(messageId: string): Statement {
    return { sql: 'DELETE FROM turn_requests WHERE message_id = ?', params: [messageId] };
  }

  private opened([row]: readonly { readonly request: string }[]): TurnRequest | undefined {
    return row && (JSON.parse(this.vault.open(PURPOSE, row.request)) as TurnRequest);
  }

  private seal(request: TurnRequest): string {
    return this.vault.seal(PURPOSE, JSON.stringify(request));
  }
}

function isOfProtocol(metadata: Message['metadata']): boolean {
  return typeof metadata['protocol'] === 'string';
}
