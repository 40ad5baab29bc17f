import { Injectable } from '@nestjs/common';
import { Reader, tableOf, type ColumnsOf, type Statement } from '../../core/database/index.js';
import { ServerModelRow } from './entities/server-model.entity.js';

const TABLE = tableOf(ServerModelRow);
const SELECT = `SELECT ${TABLE.columns} FROM server_model WHERE id = 1`;
const SAVE = `ON CONFLICT (id) DO UPDATE SET provider = excluded.provider, model = excluded.model, address = excluded.address,
  sealed_key = excluded.sealed_key, updated_at = excluded.updated_at`;

export type StoredServerModel = Omit<ColumnsOf<ServerModelRow>, 'id'>;

@Injectable()
export class ServerModelRepository {
  constructor(private readonly reader: Reader) {}

  async find(): Promise<StoredServerModel | undefined> {
    const [row] = await this.reader.rows(SELECT);
    return row && TABLE.read(row);
  }

  save(model: StoredServerModel): Statement {
    return TABLE.insert({ id: 1, ...model }, SAVE);
  }

  remove(): Statement {
    return { sql: 'DELETE FROM server_model WHERE id = 1', params: [] };
  }
}
