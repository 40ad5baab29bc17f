import DOMPurify from 'dompurify';
import { Marked } from 'marked';
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
    // Only check boxes of task lists, which nobody can change.
    if (node.tagName === 'INPUT' && (node.getAttribute('type') !== 'checkbox' || !node.hasAttribute('disabled'))) node.remove();
    if (node.tagName === 'BUTTON') node.remove();
  });
  const safe = purify.sanitize(marked.parse(text) as string, {
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
