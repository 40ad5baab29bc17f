// XML of office documents and books, with names without their prefixes. Entities that a document declares are not expanded.
import { Parser } from 'htmlparser2';
import { canonicalCharset, decoderOf } from '../../../core/file-types/charsets.js';
import { DocumentFault } from './document-fault.js';

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

/** The text of an XML file, in the charset that it states. */
export function xmlText(bytes) {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const stated = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1] ?? '';
  let charset = canonicalCharset(stated) ?? 'utf-8';
  if (head.startsWith('\u00ff\u00fe') || head.startsWith('<\0')) charset = 'utf-16le';
  else if (head.startsWith('\u00fe\u00ff') || head.startsWith('\0<')) charset = 'utf-16be';
  // A file that states UTF-16 in single bytes was converted since.
  else if (charset.startsWith('utf-16')) charset = 'utf-8';
  const decoder = decoderOf(charset);
  return `${decoder.write(bytes)}${decoder.end()}`.replaceAll('\0', '').toWellFormed();
}

function local(name) {
  return name.substring(name.indexOf(':') + 1);
}
