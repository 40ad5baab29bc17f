import { Column, Entity } from 'typeorm';
import { TextColumn } from '../database/index.js';

/** One row: a text that only the key which this database was written with can open. */
@Entity('vault_check')
export class VaultCheckRow {
  @Column({ type: 'integer', primary: true })
  id!: number;

  @TextColumn()
  sealed!: string;
}
