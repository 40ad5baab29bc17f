// DOCX: Word documents become HTML, which html.js reads.
import JSZip from 'jszip';
import mammoth from 'mammoth';
import { DocumentFault } from './document-fault.js';
import { blocksOf } from './html.js';

const MOST_ENTRIES = 10_000;

export async function read(bytes, limits) {
  await assertExpandsTo(bytes, limits.expandedBytes);
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer) },
    { convertImage: mammoth.images.imgElement(() => ({ src: '' })) },
  );
  return blocksOf(value, { headedByFirstRow: true });
}

/** Expands the archive part by part without keeping any: the sizes that it states may be wrong. */
async function assertExpandsTo(bytes, most) {
  const { files } = await JSZip.loadAsync(bytes);
  const entries = Object.values(files);
  if (entries.length > MOST_ENTRIES) throw new DocumentFault('TOO_MUCH_MEMORY');
  let left = most;
  for (const entry of entries) {
    await new Promise((resolve, reject) => {
      const stream = entry.internalStream('uint8array');
      stream.on('data', (chunk) => {
        left -= chunk.length;
        if (left >= 0) return;
        stream.pause();
        reject(new DocumentFault('TOO_MUCH_MEMORY'));
      });
      stream.on('error', reject);
      stream.on('end', resolve);
      stream.resume();
    });
  }
}
