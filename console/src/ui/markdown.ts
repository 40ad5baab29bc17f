import DOMPurify from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';
import { cutText } from '../cut-text.js';
import { t } from '../i18n.js';

const marked = new Marked({
  gfm: true,
  breaks: true,
  async: false,
  renderer: {
    // HTML in the text is shown as it was written.
    html: ({ text }) => escaped(text),
    // A picture of another host would tell it who reads.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === '' ? href : text)}</a>`,
  },
});
const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'em', 'strong', 'del', 'code', 'pre', 'blockquote', 'a', 'ul', 'ol', 'li', 'input'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'sup', 'sub', 'button', 'div'],
];

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Longer texts are shown as they were written: the reader of Markdown would hold the page. */
const MAX_LENGTH = 100_000;

/** Texts such as thousands of nested quotations are beyond the reader of Markdown. */
function parsed(text: string): string {
  if (text.length > MAX_LENGTH) return plain(text);
  try {
    return marked.parse(text) as string;
  } catch {
    return plain(text);
  }
}

/** Of a longer text, lists and titles show the beginning. */
const PLAIN_LENGTH = 2000;

/** The words of Markdown without its marks, in one line: for lists and titles. */
export function plainText(text: string): string {
  const beginning = cutText(text, PLAIN_LENGTH);
  try {
    return marked.lexer(beginning).map(wordsOf).join(' ').replaceAll(/\s+/g, ' ').trim();
  } catch {
    return beginning;
  }
}

function wordsOf(token: Token): string {
  if (token.type === 'br' || token.type === 'hr') return ' ';
  if (token.type === 'list') return (token as Tokens.List).items.map(wordsOf).join(' ');
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((cells) => cells.map(({ tokens }) => tokens.map(wordsOf).join(''))).join(' ');
  }
  if ('tokens' in token && token.tokens) {
    return token.tokens.map(wordsOf).join(token.type === 'list_item' || token.type === 'blockquote' ? ' ' : '');
  }
  return 'text' in token ? String(token.text) : ' ';
}

function plain(text: string): string {
  return `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`;
}

/**
 * Markdown of an agent as HTML that can do nothing but be read: no scripts, styles, frames, forms or pictures of other hosts.
 */
export function renderMarkdown(text: string): string {
  const purify = DOMPurify(window);
  purify.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName === 'A') {
      node.setAttribute('rel', 'noopener noreferrer nofollow');
      node.setAttribute('target', '_blank');
    }
    // Only disabled check boxes, as in task lists.
    if (node.tagName === 'INPUT' && (node.getAttribute('type') !== 'checkbox' || !node.hasAttribute('disabled'))) node.remove();
    if (node.tagName === 'BUTTON') node.remove();
  });
  const safe = purify.sanitize(parsed(text), {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ['href', 'title', 'align', 'type', 'checked', 'disabled', 'start', 'class'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const block of safe.querySelectorAll('pre')) {
    block.tabIndex = 0;
    const frame = document.createElement('div');
    frame.className = 'code-block';
    const copy = document.createElement('button');
    copy.type = 'button';
    copy.className = 'code-copy';
    copy.textContent = t('common.copy');
    block.replaceWith(frame);
    frame.append(block, copy);
  }
  for (const box of safe.querySelectorAll('input')) box.setAttribute('aria-label', '✓');
  const holder = document.createElement('div');
  holder.append(safe);
  return holder.innerHTML;
}
