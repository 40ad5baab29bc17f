import type { Socket } from 'socket.io';

/** Close code for clients that read too slowly. They reconnect and resume from their cursor. */
const TOO_SLOW = 4008;

// Internals of engine.io, which its types do not declare; test/e2e/slow-socket.spec.ts fails when they are renamed.
interface Connection {
  writeBuffer: { readonly data?: string | Buffer | undefined }[];
  readonly transport: { readonly socket?: { readonly bufferedAmount: number; close(code: number, reason: string): void } };
  close(discard: boolean): void;
}

/** Bytes that the client has not read yet. */
export function backlogBytes(socket: Socket): number {
  const { writeBuffer, transport } = connectionOf(socket);
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data } of writeBuffer) bytes += data?.length ?? 0;
  return bytes;
}

/** Closes the connection of a slow client and discards its backlog. The official client reconnects by itself. */
export function disconnectSlow(socket: Socket): void {
  const connection = connectionOf(socket);
  for (const name of socket.rooms) void socket.leave(name);
  connection.writeBuffer = [];
  if (connection.transport.socket) connection.transport.socket.close(TOO_SLOW, 'too slow');
  else connection.close(true);
}

function connectionOf(socket: Socket): Connection {
  return socket.conn as unknown as Connection;
}
