import { Entity } from 'typeorm';
import { InstantColumn, JsonColumn, NameColumn, PrimaryIdColumn } from '../../../core/database/index.js';
import type { Character, CharacterSecrets } from '../character.js';

@Entity('agents')
export class AgentRow {
  /** Lower case. */
  @PrimaryIdColumn()
  id!: string;

  @NameColumn()
  name!: string;

  @NameColumn({ length: 16 })
  status!: 'active' | 'inactive';

  @JsonColumn()
  character!: Character;

  @JsonColumn({ nullable: true })
  secrets!: CharacterSecrets | null;

  /** Hash of the character file at its last import; null for an agent without a file. */
  @NameColumn({ name: 'source_hash', length: 64, nullable: true })
  sourceHash!: string | null;

  @InstantColumn({ name: 'created_at' })
  createdAt!: number;

  @InstantColumn({ name: 'updated_at' })
  updatedAt!: number;
}
