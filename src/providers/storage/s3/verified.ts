import { createHash } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';

/**
 * A content that is compared with its hash while it is read. The last bytes come only after the comparison, so that a damaged or truncated
 * content never looks complete. Destroying the stream destroys the content.
 *
 * @param hash    SHA-256, hexadecimal; undefined compares nothing, for a part of a content
 * @param failure makes the error with which the stream ends, from that of the content; from undefined when the hash differs
 */
export function verified(content: Readable, hash: string | undefined, failure: (cause: unknown) => Error): Readable {
  const digest = createHash('sha256');
  let held: Uint8Array | undefined;
  const check = new Transform({
    transform(chunk: Uint8Array, _encoding, next) {
      if (hash === undefined) return next(null, chunk);
      digest.update(chunk);
      const ready = held;
      held = chunk;
      next(null, ready);
    },
    flush(next) {
      if (hash !== undefined && digest.digest('hex') !== hash) return next(failure(undefined));
      next(null, held);
    },
    destroy(error, done) {
      done(error !== null && error === broken ? failure(error) : error);
    },
  });
  let broken: unknown;
  content.once('error', (error) => (broken = error));
  pipeline(content, check, () => undefined);
  return check;
}
