// Reads documents in a thread of its own and cuts them into pieces. Plain JavaScript, because a worker thread starts this very file both from
// the sources (tests) and from dist. A session reads one document: a message `{ bytes, mediaType, charset, limits }` is answered with the number
// of its pieces and with what could not be read, and then `{ from, count }` with these pieces, because the main thread stands still while it receives an answer.
import { decoderOf } from '../../../core/file-types/charsets.js';
import { characterCount } from '../../../core/text/characters.js';
import { lowerPriority, serve } from '../../../core/workers/serve.js';
import { DocumentFault } from './document-fault.js';
import { Losses } from './losses.js';
import { piecesOf } from './pieces.js';

/** Each exports `read(bytes, limits, losses)`, which returns blocks (pieces.js). They load their libraries on the first document of their type. */
const READERS = {
  'text/plain': () => import('./plain-text.js'),
  'text/markdown': () => import('./markdown.js'),
  'text/html': () => import('./html.js'),
  'application/pdf': () => import('./pdf.js'),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': () => import('./docx.js'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': () => import('./xlsx.js'),
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': () => import('./pptx.js'),
  'application/vnd.oasis.opendocument.text': () => import('./odf.js'),
  'application/vnd.oasis.opendocument.spreadsheet': () => import('./odf.js'),
  'application/vnd.oasis.opendocument.presentation': () => import('./odf.js'),
  'application/rtf': () => import('./rtf.js'),
  'application/epub+zip': () => import('./epub.js'),
  'text/csv': () => import('./csv.js'),
  'text/tab-separated-values': () => import('./csv.js'),
  'application/json': () => import('./json.js'),
  'application/x-ndjson': () => import('./json.js'),
  'image/svg+xml': () => import('./svg.js'),
};
/** Of kinds of text that have no reader of their own: XML, YAML, source code, logs. */
const LINES = () => import('./lines.js');

// Of one buffer. The heap limit of the thread does not count buffers, and parts of a small document may expand to gigabytes.
const MOST_BYTES = 64 * 1024 * 1024;
let hasExceeded = false;

// A library may leave a promise behind that fails, which would end the thread. What was asked of it fails too.
process.on('unhandledRejection', () => undefined);
lowerPriority();
boundBuffers();

serve(() => {
  let pieces = [];
  return {
    async call({ bytes, mediaType, charset, limits, from, count }) {
      if (bytes === undefined) return pieces.slice(from, from + count);
      hasExceeded = false;
      try {
        const losses = new Losses();
        pieces = await piecesOfDocument({ bytes, mediaType, charset, limits }, losses);
        return { pieces: pieces.length, losses: losses.list };
      } catch (error) {
        // The libraries replace errors by their own.
        throw hasExceeded ? new DocumentFault('TOO_MUCH_MEMORY') : error;
      }
    },
  };
});

async function piecesOfDocument({ bytes, mediaType, charset, limits }, losses) {
  const { read } = await (READERS[mediaType] ?? LINES)();
  const blocks = await read(charset === null ? bytes : utf8Of(bytes, charset, losses), limits, losses);
  const characters = blocks.reduce((sum, block) => sum + lengthOf(block), 0);
  if (characters > limits.characters) throw new DocumentFault('TOO_MUCH_TEXT');
  const pieces = piecesOf(blocks, limits.pieces);
  if (hasExceeded) throw new DocumentFault('TOO_MUCH_MEMORY');
  if (pieces.length === 0) throw new DocumentFault('NO_TEXT');
  return pieces;
}

/** A text in UTF-8, which is what the readers of texts expect. */
function utf8Of(bytes, charset, losses) {
  const decoder = decoderOf(charset);
  const text = decoder.write(bytes) + decoder.end();
  losses.add('characters that are not valid in the charset', text.split('\uFFFD').length - 1);
  return new TextEncoder().encode(text);
}

function lengthOf({ text = '', lines = [], header = '', rows = [] }) {
  return [text, header, ...lines, ...rows].reduce((sum, line) => sum + characterCount(line), 0);
}

function boundBuffers() {
  const exceeded = () => {
    hasExceeded = true;
    return new DocumentFault('TOO_MUCH_MEMORY');
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args, newTarget) {
      // A library that tries again in another way gets no further.
      if (typeof args[0] === 'number' && args[0] > (hasExceeded ? 0 : MOST_BYTES)) throw exceeded();
      return Reflect.construct(target, args, newTarget === globalThis.Uint8Array ? target : newTarget);
    },
  });
  // It makes its buffers elsewhere.
  const Unbounded = globalThis.DecompressionStream;
  globalThis.DecompressionStream = class {
    constructor(format) {
      const { readable, writable } = new Unbounded(format);
      let left = MOST_BYTES;
      const transform = (chunk, controller) => {
        left -= chunk.byteLength;
        if (left < 0) controller.error(exceeded());
        else controller.enqueue(chunk);
      };
      this.writable = writable;
      this.readable = readable.pipeThrough(new globalThis.TransformStream({ transform }));
    }
  };
}
