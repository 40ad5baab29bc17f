import { Column, Entity } from 'typeorm';
import { InstantColumn, TextColumn } from '../database/index.js';

/** One row: the key with which this installation makes ids that no caller can compute. Made once, sealed, never changed. */
@Entity('installation_key')
export class InstallationKeyRow {
  @Column({ type: 'integer', primary: true })
  id!: number;

  @TextColumn()
  sealed!: string;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
