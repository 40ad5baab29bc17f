// ZIP archives, the containers of office documents and books. Only parts that a reader asks for are expanded, each after its stated size was
// found to be within the limit; the library fails when a part has another size. Nothing is written, so paths are only names.
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { DocumentFault } from './document-fault.js';
import { parseXml, xmlText } from './xml.js';

const MOST_ENTRIES = 10_000;

/** @param limits.expandedBytes of all parts that are read, together */
export async function openArchive(bytes, limits) {
  const file = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { decodeStrings: false });
  if (file.entryCount > MOST_ENTRIES) throw new DocumentFault('TOO_MANY_PARTS');
  const entries = new Map();
  await new Promise((resolve, reject) => {
    file.on('error', (error) => reject(/encryption/.test(error.message) ? new DocumentFault('ENCRYPTED') : error));
    file.on('end', resolve);
    file.on('entry', (entry) => {
      const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
      if (!name.endsWith('/')) entries.set(keyOf(name), entry);
      file.readEntry();
    });
    file.readEntry();
  });
  return new Archive(file, entries, limits.expandedBytes);
}

class Archive {
  constructor(file, entries, left) {
    this.entries = entries;
    this.left = left;
    this.openStream = promisify(file.openReadStream.bind(file));
  }

  has(path) {
    return this.entries.has(keyOf(path));
  }

  /** Number of parts whose path matches. */
  count(pattern) {
    return [...this.entries.keys()].filter((path) => pattern.test(path)).length;
  }

  /** The content of a part; undefined when there is none. */
  async bytes(path) {
    const entry = this.entries.get(keyOf(path));
    if (entry === undefined) return undefined;
    if (entry.isEncrypted()) throw new DocumentFault('ENCRYPTED');
    this.left -= entry.uncompressedSize;
    if (this.left < 0) throw new DocumentFault('TOO_MUCH_MEMORY');
    return buffer(await this.openStream(entry));
  }

  /** The text of an XML part; empty when there is none. */
  async xml(path) {
    const bytes = await this.bytes(path);
    return bytes === undefined ? '' : xmlText(bytes);
  }

  /** Expands every part without keeping any, to find out whether all are within the limit. */
  async assertExpands() {
    for (const [path] of this.entries) await this.bytes(path);
  }

  /** The relationships of a part of an Office Open XML document, by id, as `{ type, path }`; `path` is undefined for external ones. */
  async relations(part) {
    const found = new Map();
    const folder = part.substring(0, part.lastIndexOf('/') + 1);
    parseXml(await this.xml(`${folder}_rels/${part.substring(folder.length)}.rels`), {
      open: (name, { Id, Type = '', Target = '', TargetMode }) => {
        if (name !== 'Relationship') return;
        const type = Type.substring(Type.lastIndexOf('/') + 1);
        found.set(Id, { type, path: TargetMode === 'External' ? undefined : resolved(part, Target) });
      },
    });
    return found;
  }

  /** The main part of an Office Open XML document. */
  async mainPart(usual) {
    const main = [...(await this.relations('')).values()].find(({ type }) => type === 'officeDocument');
    const part = main?.path !== undefined && this.has(main.path) ? main.path : usual;
    if (!this.has(part)) throw new Error(`the part ${part} is missing`);
    return part;
  }
}

/** The path of a part that another part names: relative to it, or absolute from the root of the archive. */
export function resolved(part, target) {
  const [path] = target.split(/[?#]/);
  const segments = path.startsWith('/') ? [] : part.split('/').toSpliced(-1);
  for (const segment of percentDecoded(path).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

function percentDecoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Names of parts do not depend on case, and some programs write them with backslashes. */
function keyOf(path) {
  return path
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '')
    .toLowerCase()
    .normalize();
}
