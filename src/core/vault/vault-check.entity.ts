import { Column, Entity } from 'typeorm';
import { TextColumn } from '../database/index.js';

/** A single row: a sealed text that verifies that the key belongs to this database. */
@Entity('vault_check')
export class VaultCheckRow {
  @Column({ type: 'integer', primary: true })
  id!: number;

  @TextColumn()
  sealed!: string;
}
