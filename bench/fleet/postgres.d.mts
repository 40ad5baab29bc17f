/** A PostgreSQL server of its own, in a temporary folder. */
export interface PrivatePostgres {
  readonly port: number;
  create(database: string): Promise<void>;
  /** One query in a database. */
  ask(database: string, text: string): Promise<Record<string, unknown>[]>;
  /** Ends the server without a shutdown, and starts it on what had been flushed. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of the newest installed server's programs; undefined where there is none. */
export function newestPostgres(): Promise<string | undefined>;

/** @param ending awaited before the server is stopped when the process is interrupted */
export function startPostgres(bin: string, ending: () => Promise<void>): Promise<PrivatePostgres>;
