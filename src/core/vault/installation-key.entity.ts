import { Column, Entity } from 'typeorm';
import { InstantColumn, TextColumn } from '../database/index.js';

/** A single row: the sealed installation key, from which unpredictable ids are computed. Created once, never changed. */
@Entity('installation_key')
export class InstallationKeyRow {
  @Column({ type: 'integer', primary: true })
  id!: number;

  @TextColumn()
  sealed!: string;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;
}
