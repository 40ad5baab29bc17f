// XML of office documents and books, with names without their prefixes. Entities that a document declares are not expanded.
import { Parser } from 'htmlparser2';
import { DocumentFault } from './document-fault.js';
import { decodedIn } from './code-pages.js';

// The parser looks through all open elements at each end tag that matches none.
const MOST_OPEN = 1000;

/**
 * Calls `open(name, attributes)`, `text(text)` and `close(name)` in the order of the document. Attributes have their prefixes, except where
 * `valueOf` is asked for them.
 */
export function parseXml(text, { open, text: onText, close }) {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MOST_OPEN) throw new DocumentFault('TOO_DEEP');
        open?.(local(name), attributes);
      },
      ontext: (part) => onText?.(part),
      onclosetag(name) {
        depth -= 1;
        close?.(local(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
}

/** The value of an attribute, whatever its prefix is. */
export function valueOf(attributes, name) {
  const key = Object.keys(attributes).find((each) => local(each) === name);
  return key === undefined ? undefined : attributes[key];
}

/** The relationship that an element names: `r:id`, `r:embed`. Its prefix tells it apart from an `id` of its own. */
export function relationOf(attributes) {
  const key = Object.keys(attributes).find((each) => /:(id|embed|dm)$/.test(each));
  return key === undefined ? undefined : attributes[key];
}

/** The text of an XML file, in the encoding that it states. */
export function xmlText(bytes) {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  let encoding = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1] ?? 'utf-8';
  if (head.startsWith('\u00ff\u00fe') || head.startsWith('<\0')) encoding = 'utf-16le';
  else if (head.startsWith('\u00fe\u00ff') || head.startsWith('\0<')) encoding = 'utf-16be';
  // A file that states UTF-16 in single bytes was converted since.
  else if (/^utf-?16/i.test(encoding)) encoding = 'utf-8';
  const decoder = decoderOf(encoding);
  const text = decoder.encoding === 'windows-1252' ? decodedIn(1252, bytes) : decoder.decode(bytes);
  return text.replaceAll('\0', '').toWellFormed();
}

function decoderOf(encoding) {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder();
  }
}

function local(name) {
  return name.substring(name.indexOf(':') + 1);
}
