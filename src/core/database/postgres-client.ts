import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` with a connection of the pool.
 *
 * @param work gets a function that closes the connection afterwards instead of returning it to the pool
 */
export async function withClient<T>(pool: Pool, work: (client: PoolClient, discard: (error: Error) => void) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool does not listen to a client that is checked out; without a listener, a lost connection would crash the process.
  const discard = (error: Error): void => {
    broken = error;
  };
  client.on('error', discard);
  try {
    return await work(client, discard);
  } finally {
    client.off('error', discard);
    client.release(broken);
  }
}
