import pg from 'pg';

/** A database of its own for each data directory, on a PostgreSQL server that is running. */
export class Databases {
  #address;
  #names = new Map();

  /** @param address of any database of the server: its owner may create databases */
  constructor(address) {
    this.#address = address;
  }

  /** An empty database for a data directory, or a copy of that of another one which no process uses. */
  async create(data, original) {
    const name = `parley_bench_${process.pid}_${Date.now().toString(36)}_${this.#names.size + 1}`;
    this.#names.set(data, name);
    await this.#run(`CREATE DATABASE ${name}${original === undefined ? '' : ` TEMPLATE ${this.#names.get(original)}`}`);
  }

  addressOf(data) {
    const url = new URL(this.#address);
    url.pathname = `/${this.#names.get(data)}`;
    return url.href;
  }

  /** Drops them all. */
  async close() {
    for (const name of this.#names.values()) await this.#run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    this.#names.clear();
  }

  async #run(sql) {
    const client = new pg.Client({ connectionString: this.#address });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
}
