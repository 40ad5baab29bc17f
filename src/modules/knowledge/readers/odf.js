// OpenDocument: texts (ODT), spreadsheets (ODS) and presentations (ODP) have one content.xml of the same elements.
import { openArchive } from './archive.js';
import { DocumentFault } from './document-fault.js';
import { OdfTable } from './odf-table.js';
import { parseXml, valueOf } from './xml.js';

const SKIPPED = new Set([
  ...['tracked-changes', 'annotation', 'forms', 'scripts', 'styles', 'automatic-styles', 'ruby-text', 'event-listeners', 'title', 'desc'],
]);
const MOST_SPACES = 100;

export async function read(bytes, limits, losses) {
  const archive = await openArchive(bytes, limits);
  const manifest = await archive.xml('META-INF/manifest.xml');
  if (/<(?:\w+:)?encryption-data[\s/>]/.test(manifest)) throw new DocumentFault('ENCRYPTED');
  if (!archive.has('content.xml')) throw new Error('the part content.xml is missing');
  const content = new Content(typesOf(manifest), limits.characters);
  parseXml(await archive.xml('content.xml'), content);
  for (const [what, count] of content.lost) losses.add(what, count);
  return content.end();
}

/** The media types of parts, by their paths. */
function typesOf(manifest) {
  const types = new Map();
  parseXml(manifest, {
    open: (name, attributes) => {
      if (name === 'file-entry') {
        types.set((valueOf(attributes, 'full-path') ?? '').replace(/\/$/, ''), valueOf(attributes, 'media-type') ?? '');
      }
    },
  });
  return types;
}

class Content {
  blocks = [];
  lost = new Map();
  /** Texts of the open paragraphs: a note, or the text of a frame, is a paragraph within another one. */
  paragraphs = [];
  notes = [];
  skipped = 0;
  lists = 0;
  items = [];
  tables = [];
  slide = undefined;
  slides = 0;
  characters = 0;
  frames = [];

  constructor(types, most) {
    Object.assign(this, { types, most });
  }

  open = (name, attributes) => {
    if (this.skipped > 0 || SKIPPED.has(name)) {
      this.skipped += 1;
      if (name === 'annotation') this.lose('comments');
      if (name === 'deletion') this.lose('tracked deletions');
      return;
    }
    if (name === 'p' || name === 'h') {
      this.paragraphs.push({ text: '', level: name === 'h' ? Number(valueOf(attributes, 'outline-level') ?? 1) || 1 : 0 });
    } else if (name === 's') this.add(' '.repeat(Math.min(Math.max(Number(valueOf(attributes, 'c') ?? 1) || 1, 1), MOST_SPACES)));
    else if (name === 'tab' || name === 'line-break') this.add(' ');
    else if (name === 'note-citation') this.citation = '';
    else if (name === 'note-body') this.note = this.mark ?? '';
    else if (name === 'list') this.lists += 1;
    else if (name === 'frame') this.frames.push({ isTitle: valueOf(attributes, 'class') === 'title', hasObject: false });
    else if (name === 'notes') this.remark = 'Speaker notes: ';
    else if (name === 'page') this.startSlide();
    else this.openOther(name, attributes);
  };

  openOther(name, attributes) {
    if (name === 'spreadsheet') this.isSpreadsheet = true;
    else if (name === 'table') {
      this.endList();
      this.tables.push(new OdfTable(valueOf(attributes, 'name') ?? '', (what, count) => this.lose(what, count)));
    } else if (name === 'table-row') this.tables.at(-1)?.startRow(attributes);
    else if (name === 'table-cell' || name === 'covered-table-cell') this.tables.at(-1)?.startCell(name, attributes);
    else if (name === 'object' || name === 'object-ole') {
      const type = this.types.get((valueOf(attributes, 'href') ?? '').replace(/^\.\//, '')) ?? '';
      if (this.frames.length > 0) this.frames.at(-1).hasObject = true;
      this.lose(/chart/.test(type) ? 'charts' : /formula/.test(type) ? 'formulas' : 'embedded objects');
      // An object is followed by its picture.
    } else if (name === 'image' && this.frames.at(-1)?.hasObject !== true) this.lose('pictures');
  }

  text = (text) => {
    if (this.skipped > 0) return;
    if (this.citation !== undefined) this.citation += text.substring(0, 20);
    else if (this.paragraphs.length > 0) this.add(text.replaceAll(/\s+/g, ' '));
  };

  close = (name) => {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (name === 'p' || name === 'h') this.endParagraph();
    else if (name === 'note-citation') this.endCitation();
    else if (name === 'note-body') this.note = undefined;
    else if (name === 'list') {
      this.lists = Math.max(0, this.lists - 1);
      if (this.lists === 0) this.endList();
    } else if (name === 'frame') this.frames.pop();
    else if (name === 'notes') this.remark = '';
    else if (name === 'page') this.endSlide();
    else if (name === 'table-cell' || name === 'covered-table-cell') this.tables.at(-1)?.endCell();
    else if (name === 'table-row') this.tables.at(-1)?.endRow();
    else if (name === 'table') this.endTable();
  };

  end() {
    this.endList();
    this.endSlide();
    if (this.notes.length > 0) this.blocks.push({ kind: 'lines', lines: this.notes });
    return this.blocks;
  }

  add(text) {
    this.characters += text.length;
    if (this.characters > this.most) throw new DocumentFault('TOO_MUCH_TEXT');
    const paragraph = this.paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
  }

  /** Leaves the mark of a note in the text. */
  endCitation() {
    this.mark = `[${(this.citation ?? '').trim()}]`;
    this.citation = undefined;
    this.add(this.mark);
  }

  endParagraph() {
    const { text: written, level } = this.paragraphs.pop() ?? { text: '', level: 0 };
    const text = written.replaceAll(/\s+/g, ' ').trim().toWellFormed();
    if (text === '') return;
    if (this.note !== undefined) {
      this.notes.push(`${this.note} ${text}`.trim());
      // Further paragraphs of the note.
      this.note = '';
    } else if (this.tables.length > 0) this.tables.at(-1).addText(text);
    else if (this.slide && this.frames.at(-1)?.isTitle && this.slide.title === '') this.slide.title = text;
    else if (level > 0) {
      this.endList();
      this.blocks.push({ kind: 'heading', level, text });
    } else if (this.lists > 0) this.items.push(`${'  '.repeat(Math.min(this.lists - 1, 8))}- ${text}`);
    else {
      this.blocks.push({ kind: 'text', text: `${this.remark ?? ''}${text}` });
      this.remark = '';
    }
  }

  endList() {
    if (this.items.length > 0) this.blocks.push({ kind: 'lines', lines: this.items.splice(0) });
  }

  endTable() {
    const table = this.tables.pop();
    if (table === undefined) return;
    const outer = this.tables.at(-1);
    if (outer) outer.addText(table.plainText());
    else {
      if (this.isSpreadsheet) this.blocks.push({ kind: 'heading', level: 1, text: table.name });
      for (const block of table.blocks()) this.blocks.push(block);
    }
  }

  startSlide() {
    this.endSlide();
    this.slides += 1;
    this.slide = { title: '', at: this.blocks.length };
  }

  endSlide() {
    if (this.slide === undefined) return;
    this.endList();
    const text = this.slide.title === '' ? `Slide ${this.slides}` : this.slide.title;
    this.blocks.splice(this.slide.at, 0, { kind: 'heading', level: 1, text });
    this.slide = undefined;
  }

  lose(what, count = 1) {
    this.lost.set(what, (this.lost.get(what) ?? 0) + count);
  }
}
