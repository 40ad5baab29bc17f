import { sentencesIn } from '../../core/text/index.js';
import { installedDocuments, type InstalledDocument } from './installed-documents.js';

/** A heading, a list, a table, code, a quotation, a picture or a comment. */
const NO_PARAGRAPH = /^(?:#|[-*|>]|\d+\. |```|!\[|<!--)/;

/**
 * The documents for language models, in the form of llmstxt.org: each with its title and its first sentence.
 *
 * @param address where a document is, by its file
 * @param api where the OpenAPI document is
 */
export async function llmsText(address: (file: string) => string, api: string): Promise<string> {
  const lists = await installedDocuments();
  const readme = lists.flatMap(({ documents }) => documents).find(({ file }) => file === 'README.md');
  const sections = lists.map(({ title, documents }) => {
    const entries = documents
      .filter((document) => document !== readme)
      .map((document) => `- [${document.title}](${address(document.file)}): ${firstSentence(document)}\n`);
    if (title === 'Reference') entries.push(`- [OpenAPI document](${api}): The HTTP API, for generators of clients.\n`);
    return `## ${title}\n\n${entries.join('')}`;
  });
  const about = readme === undefined ? '' : `> ${firstSentence(readme)}\n\n`;
  return `# Parley\n\n${about}${sections.join('\n')}`;
}

/** The first sentence of the first paragraph, without markup. */
function firstSentence({ markdown }: InstalledDocument): string {
  const paragraph = markdown.split(/\n{2,}/).find((block) => !NO_PARAGRAPH.test(block.trimStart())) ?? '';
  const text = paragraph
    .replaceAll(/\[([^[\]]+)\]\([^()]+\)/g, '$1')
    .replaceAll(/\*\*|\b_|_\b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const [first] = sentencesIn(text);
  return (first?.segment ?? '').trim().replace(/:$/, '.');
}
