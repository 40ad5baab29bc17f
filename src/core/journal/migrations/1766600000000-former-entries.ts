import type { MigrationInterface, QueryRunner } from 'typeorm';

// The types of channel entries that every process reads, as they were then.
const EVERYWHERE = ['message.updated', 'message.deleted', 'channel.created', 'channel.updated', 'channel.cleared', 'channel.deleted'];

/** What a process of the former version leaves out when it appends an entry; `PostgresUnit` does the same for this version. */
export const COMPLETE_ENTRY = `CREATE OR REPLACE FUNCTION journal_former_entry() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    everywhere boolean := NEW.type IN (${EVERYWHERE.map((type) => `'${type}'`).join(', ')});
  BEGIN
    NEW.shard := CASE
      WHEN NEW.channel_id IS NULL OR everywhere THEN -1
      WHEN right(NEW.channel_id, 2) ~ '^[0-9A-Fa-f]{2}$' THEN ('x' || right(NEW.channel_id, 2))::bit(8)::integer
      ELSE 0 END;
    IF NEW.channel_id IS NOT NULL THEN
      INSERT INTO journal_heads AS h (channel_id, seq, pos, changed) VALUES (NEW.channel_id, NEW.seq, NEW.pos, 0)
        ON CONFLICT (channel_id) DO UPDATE SET seq = excluded.seq, prev = h.pos, pos = excluded.pos,
          changed = CASE WHEN everywhere THEN h.pos + 1 ELSE h.changed END;
    END IF;
    -- The lock of the former version is held, so no other transaction draws meanwhile.
    IF NEW.pos > (SELECT last_value FROM journal_pos) THEN PERFORM setval('journal_pos', NEW.pos); END IF;
    UPDATE former_version SET seen_at = clock_timestamp() WHERE seen_at < clock_timestamp() - interval '1 second';
    RETURN NEW;
  END
$$`;

const POSTGRES = [
  // When a process of the former version was last seen. Unlogged: it costs no wait for the disk.
  'CREATE UNLOGGED TABLE former_version (id integer PRIMARY KEY, seen_at timestamptz NOT NULL)',
  'INSERT INTO former_version (id, seen_at) VALUES (1, clock_timestamp())',
  COMPLETE_ENTRY,
  `CREATE TRIGGER journal_former_entry BEFORE INSERT ON journal FOR EACH ROW WHEN (NEW.shard IS NULL)
    EXECUTE FUNCTION journal_former_entry()`,
];
const POSTGRES_DOWN = ['DROP TRIGGER journal_former_entry ON journal', 'DROP FUNCTION journal_former_entry()', 'DROP TABLE former_version'];

/** On PostgreSQL, processes of the version without `journal_heads` may append to the journal (docs/decisions/0043). */
export class FormerEntries1766600000000 implements MigrationInterface {
  name = 'FormerEntries1766600000000';

  async up(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type === 'postgres') for (const sql of POSTGRES) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (runner.connection.options.type === 'postgres') for (const sql of POSTGRES_DOWN) await runner.query(sql);
  }
}
