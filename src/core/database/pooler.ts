import type { ClientBase } from 'pg';

/**
 * Whether a pooler is between a client and PostgreSQL. It gives each client a key of its own, so the process that the driver was told of is
 * not the one that responds. How long the pooler keeps a connection for a client cannot be found out, so a transaction is assumed.
 */
export async function isBehindPooler(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as unknown as { processID: number | null }).processID;
}
