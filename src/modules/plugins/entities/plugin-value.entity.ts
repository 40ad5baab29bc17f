import { Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn, TextColumn } from '../../../core/database/index.js';

/** A value in a plugin's store. */
@Entity('plugin_values')
export class PluginValueRow {
  @PrimaryColumn({ type: 'varchar', length: 214 })
  plugin!: string;

  @PrimaryColumn({ type: 'varchar', length: 255 })
  key!: string;

  /** JSON. */
  @TextColumn()
  value!: string;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
