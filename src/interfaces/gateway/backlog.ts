import type { Socket } from 'socket.io';
import type { Config } from '../../core/config/index.js';

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

/** A socket whose client has data to read. */
export interface Waiting {
  readonly socket: Socket;
  readonly address: string;
  readonly bytes: number;
}

type Limits = Pick<Config, 'socketBacklogBytes' | 'responseBufferBytes' | 'responseBufferBytesPerAddress'>;

/** The sockets to disconnect so that each, those of an address and all together stay within the limits: those with the most to read. */
export function tooSlow(waiting: readonly Waiting[], limits: Limits): Waiting[] {
  const byAddress = new Map<string, number>();
  let total = 0;
  for (const { address, bytes } of waiting) {
    total += bytes;
    byAddress.set(address, (byAddress.get(address) ?? 0) + bytes);
  }
  return [...waiting]
    .sort((a, b) => b.bytes - a.bytes)
    .filter(({ address, bytes }) => {
      const ofAddress = byAddress.get(address) ?? 0;
      const over =
        bytes > limits.socketBacklogBytes || ofAddress > limits.responseBufferBytesPerAddress || total > limits.responseBufferBytes;
      if (over) {
        total -= bytes;
        byAddress.set(address, ofAddress - bytes);
      }
      return over;
    });
}

function connectionOf(socket: Socket): Connection {
  return socket.conn as unknown as Connection;
}
