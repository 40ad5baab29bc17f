import { Injectable } from '@nestjs/common';
import { Reader, tableOf } from '../../core/database/index.js';
import { exportRows, rowStep, textStep, type ErasureStep, type PersonalData, type PersonalRecord } from '../../core/personal-data/index.js';
import { PluginValueRow } from './entities/plugin-value.entity.js';

const VALUES = tableOf(PluginValueRow);

/** Webhook deliveries that name a user, and values that plugins keep under a user's id. */
@Injectable()
export class PluginsPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[] = [
    textStep<{ id: string; request: string | null; body: string | null }>(
      { kind: 'webhook deliveries', effect: 'deleted', order: 82 },
      { table: 'webhook_deliveries', key: 'id', columns: ['request', 'body'] },
      ({ request, body }) => `${request ?? ''} ${Buffer.from(body ?? '', 'base64').toString('utf8')}`,
    ),
    rowStep(
      { kind: 'plugin values', effect: 'deleted', order: 83 },
      { table: 'plugin_values', key: ['plugin', 'key'] },
      'DELETE FROM plugin_values',
      '"key" LIKE ?',
      ({ userId }) => [`%${userId}%`],
    ),
  ];

  constructor(private readonly reader: Reader) {}

  export(userId: string): AsyncIterable<readonly PersonalRecord[]> {
    const sql = `SELECT ${VALUES.columns}, plugin || ' ' || "key" AS place FROM plugin_values WHERE "key" LIKE ? OR value LIKE ?`;
    const params = [`%${userId}%`, `%${userId}%`];
    return exportRows(this.reader, 'plugin values', { sql, params, bytes: VALUES.bytesIn('x') }, 'place', ({ place: _place, ...row }) =>
      VALUES.read(row),
    );
  }
}
