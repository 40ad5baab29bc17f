import { filledTextAt, listAt, objectAt, refuseField, textAt, type SentFile } from '../../modules/protocols/index.js';

export type Sent = Readonly<Record<string, unknown>>;

/** What blocks contain, in their order. */
export interface Content {
  readonly texts: string[];
  readonly files: SentFile[];
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const SEND_IT = 'This server does not load files from addresses that a caller names. Send the content itself.';

/** The blocks of a content, which may be a text. @throws AppError VALIDATION_ERROR */
export function contentOf(content: unknown, path: string): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(content, path);
}

/** The texts that have something, a blank line between them. */
export function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Reads a block with text or a file. @param into gets what it contains @throws AppError VALIDATION_ERROR naming the field */
export function readPart(block: Sent, path: string, into: Content): void {
  switch (block['type']) {
    case 'text':
      into.texts.push(textAt(block['text'], `${path}.text`));
      return;
    case 'image':
      into.files.push({ url: imageUrlAt(block['source'], `${path}.source`) });
      return;
    case 'document':
      readDocument(block, path, into);
      return;
    case 'search_result':
      into.texts.push(readSearchResult(block, path));
      return;
    default:
      refuseField(`${path}.type`, 'must be text, image, document, search_result or, in a message of the user, tool_result');
  }
}

function imageUrlAt(value: unknown, path: string): string {
  const { type, media_type: mediaType, data } = objectAt(value, path);
  if (type !== 'base64') return refuseField(`${path}.type`, 'must be base64', SEND_IT);
  if (!IMAGE_TYPES.includes(String(mediaType))) return refuseField(`${path}.media_type`, `must be ${IMAGE_TYPES.join(', ')}`);
  return `data:${String(mediaType)};base64,${filledTextAt(data, `${path}.data`)}`;
}

function readDocument(block: Sent, path: string, into: Content): void {
  const { title, context, citations } = block;
  if (citations !== undefined && citations !== null && objectAt(citations, `${path}.citations`)['enabled'] === true) {
    refuseField(`${path}.citations.enabled`, 'must be false: replies have no citations of documents in a message');
  }
  const named = typeof title === 'string' && title !== '' ? { name: textAt(title, `${path}.title`) } : {};
  if (context !== undefined && context !== null) into.texts.push(textAt(context, `${path}.context`));
  const source = objectAt(block['source'], `${path}.source`);
  switch (source['type']) {
    case 'base64':
      if (source['media_type'] !== 'application/pdf') refuseField(`${path}.source.media_type`, 'must be application/pdf');
      into.files.push({ url: `data:application/pdf;base64,${filledTextAt(source['data'], `${path}.source.data`)}`, ...named });
      return;
    case 'text': {
      const text = Buffer.from(filledTextAt(source['data'], `${path}.source.data`));
      into.files.push({ url: `data:text/plain;base64,${text.toString('base64')}`, ...named });
      return;
    }
    case 'content':
      for (const [index, value] of contentOf(source['content'], `${path}.source.content`).entries()) {
        const at = `${path}.source.content[${index}]`;
        const part = objectAt(value, at);
        if (part['type'] !== 'text' && part['type'] !== 'image') refuseField(`${at}.type`, 'must be text or image');
        readPart(part, at, into);
      }
      return;
    default:
      refuseField(`${path}.source.type`, 'must be base64, text or content', SEND_IT);
  }
}

function readSearchResult({ title, source, content }: Sent, path: string): string {
  const texts = listAt(content, `${path}.content`).map((value, index) => {
    const at = `${path}.content[${index}]`;
    return textAt(objectAt(value, at)['text'], `${at}.text`);
  });
  return [`${textAt(title, `${path}.title`)} (${textAt(source, `${path}.source`)})`, ...texts].join('\n');
}
