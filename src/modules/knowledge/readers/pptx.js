// PPTX: slides in their order, each below its title, with the texts of its shapes, tables and diagrams and the speaker notes.
import { openArchive } from './archive.js';
import { rowOf, tableBlocks } from './tables.js';
import { parseXml, relationOf } from './xml.js';

// Numbers, dates and footers that repeat on slides.
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);

export async function read(bytes, limits, losses) {
  const archive = await openArchive(bytes, limits);
  const main = await archive.mainPart('ppt/presentation.xml');
  const relations = await archive.relations(main);
  const blocks = [];
  for (const [index, id] of slideIds(await archive.xml(main)).entries()) {
    const { path } = relations.get(id) ?? {};
    if (path === undefined || !archive.has(path)) {
      losses.add('slides');
      continue;
    }
    const { title, body } = await slideOf(archive, path, losses);
    blocks.push({ kind: 'heading', level: 1, text: title === '' ? `Slide ${index + 1}` : title }, ...body);
  }
  return blocks;
}

function slideIds(xml) {
  const ids = [];
  parseXml(xml, {
    open: (name, attributes) => {
      if (name === 'sldId') ids.push(relationOf(attributes));
    },
  });
  return ids;
}

async function slideOf(archive, path, losses) {
  const slide = new Shapes();
  parseXml(await archive.xml(path), slide);
  for (const [what, count] of slide.lost) losses.add(what, count);
  const body = slide.blocks;
  for (const { type, path: part } of (await archive.relations(path)).values()) {
    if (part === undefined) continue;
    if (type === 'diagramData') body.push(...textsOf(await archive.xml(part)));
    if (type === 'notesSlide') {
      const notes = new Shapes();
      parseXml(await archive.xml(part), notes);
      const [first, ...others] = notes.blocks.flatMap(({ lines = [] }) => lines);
      if (first !== undefined) body.push({ kind: 'lines', lines: [`Speaker notes: ${first}`, ...others] });
    }
    if (type === 'comments') losses.add('comments');
  }
  return { title: slide.title, body };
}

/** The texts of a diagram (SmartArt). */
function textsOf(xml) {
  const diagram = new Shapes();
  parseXml(xml, diagram);
  diagram.endShape();
  return diagram.blocks;
}

/** The shapes of a slide, of its notes or of a diagram. */
class Shapes {
  title = '';
  blocks = [];
  lost = new Map();
  lines = [];
  line = '';
  isText = false;
  /** Depth within an alternative for programs that do not know the element before it. */
  fallbacks = 0;
  table = undefined;
  placeholder = undefined;

  open = (name, attributes) => {
    if (name === 'Fallback') this.fallbacks += 1;
    if (this.fallbacks > 0) return;
    if (name === 'sp' || name === 'pt') this.startShape();
    else if (name === 'ph') this.placeholder = attributes.type ?? 'body';
    else if (name === 'p') this.line = '';
    else if (name === 'pPr') this.line = '  '.repeat(Math.min(Number(attributes.lvl ?? 0) || 0, 8));
    else if (name === 't') this.isText = true;
    else if (name === 'br') this.line += ' ';
    else if (name === 'pic') this.lose('pictures');
    else if (name === 'graphicData') this.graphic(attributes.uri ?? '');
    else if (name === 'tbl') this.table = { rows: [] };
    else if (name === 'tr') this.table?.rows.push([]);
    else if (name === 'tc' && this.table) {
      this.lines = [];
      this.table.merged = { left: isOn(attributes.hMerge), above: isOn(attributes.vMerge) };
    }
  };

  text = (part) => {
    if (this.isText && this.fallbacks === 0) this.line += part;
  };

  close = (name) => {
    if (name === 'Fallback') this.fallbacks -= 1;
    if (this.fallbacks > 0) return;
    if (name === 't') this.isText = false;
    else if (name === 'p') {
      if (this.line.trim() !== '') this.lines.push(this.line.trimEnd());
      this.line = '';
    } else if (name === 'tc') this.endCell();
    else if (name === 'tbl') {
      this.blocks.push(...tableBlocks((this.table?.rows ?? []).map(rowOf)));
      this.table = undefined;
    } else if (name === 'sp' || name === 'pt') this.endShape();
  };

  startShape() {
    this.placeholder = undefined;
    this.lines = [];
  }

  endShape() {
    const lines = this.lines.splice(0);
    if (lines.length === 0 || REPEATED.has(this.placeholder)) return;
    if (TITLES.has(this.placeholder) && this.title === '') this.title = lines.join(' ').trim();
    else this.blocks.push({ kind: 'lines', lines });
  }

  endCell() {
    const row = this.table?.rows.at(-1);
    if (row === undefined) return;
    const { left, above } = this.table.merged ?? {};
    const own = this.lines.splice(0).join(' ');
    // A cell that spans others has its value in each of them.
    const spanned = left ? row.at(-1) : above ? this.table.rows.at(-2)?.[row.length] : undefined;
    row.push(own === '' ? (spanned ?? '') : own);
  }

  graphic(uri) {
    if (/chart/.test(uri)) this.lose('charts');
    else if (/\/ole$/.test(uri)) this.lose('embedded objects');
  }

  lose(what) {
    this.lost.set(what, (this.lost.get(what) ?? 0) + 1);
  }
}

function isOn(value) {
  return value === '1' || value === 'true';
}
