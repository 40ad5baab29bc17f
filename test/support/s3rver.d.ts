declare module 's3rver' {
  import type { Server } from 'node:http';
  import type { AddressInfo } from 'node:net';

  /** The parts of Koa's context that the tests use. */
  export interface S3Context {
    readonly method: string;
    readonly url: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string | string[] | undefined>>;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    status: number;
    type: string;
    body: unknown;
  }

  export default class S3rver {
    constructor(options: { address: string; port: number; silent: boolean; directory: string; vhostBuckets: boolean });
    readonly middleware: ((context: S3Context, next: () => Promise<void>) => Promise<void>)[];
    readonly httpServer: Server | undefined;
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
