import type { Socket } from 'socket.io';

/** Close code of a socket whose client reads slower than it is told; the client comes back and goes on from its cursor. */
const TOO_SLOW = 4008;

// What engine.io keeps for a connection. Not part of its types; test/e2e/slow-socket.spec.ts fails when it is renamed.
interface Connection {
  writeBuffer: { readonly data?: string | Buffer | undefined }[];
  readonly transport: { readonly socket?: { readonly bufferedAmount: number; close(code: number, reason: string): void } };
  close(discard: boolean): void;
}

/** Bytes that wait for a client to read them. */
export function backlogBytes(socket: Socket): number {
  const { writeBuffer, transport } = connectionOf(socket);
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data } of writeBuffer) bytes += data?.length ?? 0;
  return bytes;
}

/** Ends a connection that does not read, and forgets what waits for it. A stock client connects again by itself. */
export function cutSlow(socket: Socket): void {
  const connection = connectionOf(socket);
  for (const name of socket.rooms) void socket.leave(name);
  connection.writeBuffer = [];
  if (connection.transport.socket) connection.transport.socket.close(TOO_SLOW, 'too slow');
  else connection.close(true);
}

function connectionOf(socket: Socket): Connection {
  return socket.conn as unknown as Connection;
}
