import { Column, Entity } from 'typeorm';
import { InstantColumn, NameColumn, TextColumn } from '../../../core/database/index.js';

/** The single row of the server's model, when an administrator has chosen one. */
@Entity('server_model')
export class ServerModelRow {
  @Column({ type: 'integer', primary: true })
  id!: number;

  @NameColumn({ length: 16 })
  provider!: 'openai' | 'anthropic' | 'ollama';

  @NameColumn()
  model!: string;

  /** Null for the usual address of the provider. */
  @TextColumn({ nullable: true })
  address!: string | null;

  @TextColumn({ name: 'sealed_key', nullable: true })
  sealedKey!: string | null;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
