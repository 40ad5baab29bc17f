import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { VolatileDisk } from './volatile-disk.js';

// https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md: fixed newstyle negotiation, simple replies.
const OPTION_MAGIC = Buffer.from('IHAVEOPT');
const GREETING = Buffer.concat([Buffer.from('NBDMAGIC'), OPTION_MAGIC, Buffer.from([0, 0b11])]);
const OPTION_REPLY_MAGIC = 0x0003_e889_0455_65a9n;
const REQUEST_MAGIC = 0x2560_9513;
const REPLY_MAGIC = 0x6744_6698;
const OPTION = { exportName: 1, abort: 2, go: 7 };
const REPLY = { acknowledged: 1, info: 3, unsupported: 0x8000_0001 };
const COMMAND = { read: 0, write: 1, disconnect: 2, flush: 3 };
// HAS_FLAGS, SEND_FLUSH, SEND_FUA.
const FEATURES = 0b1101;
const FUA = 1;
const INVALID = 22;
const LONGEST_OPTION = 4096;

/** Serves a disk to one virtual machine at a time by the Network Block Device protocol, on a Unix socket. */
export class NbdServer {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly disk: VolatileDisk,
  ) {}

  static async listen(path: string, disk: VolatileDisk): Promise<NbdServer> {
    const server = createServer();
    const nbd = new NbdServer(server, disk);
    server.on('connection', (socket) => nbd.accept(socket));
    server.listen(path);
    await once(server, 'listening');
    return nbd;
  }

  /** Cuts the connection off in the middle of whatever is under way: nothing that comes later reaches the disk. */
  disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.disconnect();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    this.serve(socket).catch((error: unknown) => {
      if (!socket.destroyed) socket.destroy(error as Error);
    });
  }

  private async serve(socket: Socket): Promise<void> {
    const input = new Input(socket);
    socket.write(GREETING);
    const flags = await input.take(4);
    if (!(await this.negotiate(socket, input, (flags.readUInt32BE() & 0b10) === 0))) return;
    for (;;) {
      const header = await input.take(28);
      if (header.readUInt32BE() !== REQUEST_MAGIC) throw new Error('not an NBD request');
      const command = header.readUInt16BE(6);
      const offset = Number(header.readBigUInt64BE(16));
      const length = header.readUInt32BE(24);
      const data = command === COMMAND.write ? await input.take(length) : undefined;
      // Requests received before the power failure must not reach the disk after it.
      if (socket.destroyed) return;
      if (command === COMMAND.disconnect) return void socket.end();
      const forcedToDisk = (header.readUInt16BE(4) & FUA) !== 0;
      const answer = (error: number, content?: Buffer): void => {
        if (socket.destroyed) return;
        const reply = Buffer.alloc(16);
        reply.writeUInt32BE(REPLY_MAGIC);
        reply.writeUInt32BE(error, 4);
        header.copy(reply, 8, 8, 16);
        socket.write(content === undefined ? reply : Buffer.concat([reply, content]));
      };
      if (offset + length > this.disk.size) answer(INVALID);
      else if (command === COMMAND.read) answer(0, this.disk.read(offset, length));
      else if (data !== undefined) {
        this.disk.write(offset, data);
        if (forcedToDisk) void this.disk.flush().then(() => answer(0));
        else answer(0);
      } else if (command === COMMAND.flush) void this.disk.flush().then(() => answer(0));
      else answer(INVALID);
    }
  }

  /** @returns false when the client gives up */
  private async negotiate(socket: Socket, input: Input, zeroes: boolean): Promise<boolean> {
    const size = Buffer.alloc(10);
    size.writeBigUInt64BE(BigInt(this.disk.size));
    size.writeUInt16BE(FEATURES, 8);
    for (;;) {
      const header = await input.take(16);
      if (!header.subarray(0, 8).equals(OPTION_MAGIC)) throw new Error('not an NBD option');
      const option = header.readUInt32BE(8);
      const length = header.readUInt32BE(12);
      if (length > LONGEST_OPTION) throw new Error(`an NBD option of ${length} bytes`);
      await input.take(length);
      const reply = (type: number, content = Buffer.alloc(0)): void => {
        const start = Buffer.alloc(20);
        start.writeBigUInt64BE(OPTION_REPLY_MAGIC);
        start.writeUInt32BE(option, 8);
        start.writeUInt32BE(type, 12);
        start.writeUInt32BE(content.length, 16);
        socket.write(Buffer.concat([start, content]));
      };
      if (option === OPTION.exportName) {
        socket.write(Buffer.concat([size, Buffer.alloc(zeroes ? 124 : 0)]));
        return true;
      }
      if (option === OPTION.go) {
        reply(REPLY.info, Buffer.concat([Buffer.alloc(2), size]));
        reply(REPLY.acknowledged);
        return true;
      }
      reply(option === OPTION.abort ? REPLY.acknowledged : REPLY.unsupported);
      if (option === OPTION.abort) {
        socket.end();
        return false;
      }
    }
  }
}

/** Reads pieces of known lengths from a stream. */
class Input {
  private readonly parts: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.parts = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** @throws Error when the stream ends before */
  async take(length: number): Promise<Buffer> {
    const parts = [this.rest];
    for (let have = this.rest.length; have < length;) {
      const { value, done } = await this.parts.next();
      if (done === true) throw new Error('the connection ended');
      parts.push(value);
      have += value.length;
    }
    const all = parts.length === 1 ? this.rest : Buffer.concat(parts);
    this.rest = all.subarray(length);
    return all.subarray(0, length);
  }
}
