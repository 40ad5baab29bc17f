import { Entity, PrimaryColumn } from 'typeorm';
import { NameColumn } from '../database/index.js';

/** A table whose texts an earlier version stored, until all of them are indexed. */
@Entity('search_backlog')
export class SearchBacklogRow {
  /** The table. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  name!: string;

  /** Key of the last indexed text; empty before the first. */
  @NameColumn({ length: 64 })
  position!: string;
}
