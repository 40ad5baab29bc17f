// SVG: the texts and descriptions of a drawing.
import { decoded } from './plain-text.js';
import { parseXml } from './xml.js';

const TEXTS = new Set(['title', 'desc', 'text']);

export function read(bytes, limits, losses) {
  const blocks = [];
  let [text, open, pictures] = ['', 0, 0];
  parseXml(decoded(bytes), {
    open: (name) => {
      if (TEXTS.has(name)) open += 1;
      else if (open > 0 && name === 'tspan') text += ' ';
      if (name === 'image') pictures += 1;
    },
    text: (part) => {
      if (open > 0) text += part;
    },
    close: (name) => {
      if (!TEXTS.has(name)) return;
      open -= 1;
      const clean = text.replaceAll(/\s+/g, ' ').trim();
      text = '';
      if (clean !== '') blocks.push({ kind: 'text', text: clean });
    },
  });
  if (pictures > 0) losses.add('pictures', pictures);
  return blocks;
}
