import type { Page } from 'playwright-core';

// A source, because the document of the page is not known here.
const FIND = `(() => {
  const MIN_PX = 4;
  const visible = (rect, parent) => {
    let { left, top, right, bottom } = rect;
    for (let element = parent; element; element = element.parentElement) {
      const { overflowX, overflowY, clipPath, display } = getComputedStyle(element);
      if (display === 'inline' || (overflowX === 'visible' && overflowY === 'visible' && clipPath === 'none')) continue;
      const box = element.getBoundingClientRect();
      left = Math.max(left, box.left);
      top = Math.max(top, box.top);
      right = Math.min(right, box.right);
      bottom = Math.min(bottom, box.bottom);
    }
    return { left, top, right, bottom };
  };
  const boxes = [];
  const root = document.querySelector('dialog[open]') ?? document.querySelector('main');
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const parent = node.parentElement;
    if (node.data.trim() === '' || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    // The button on a block of code lies over it.
    if (parent.closest('.code-copy, select, datalist')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) boxes.push({ node, text: node.data.trim().slice(0, 40), ...visible(rect, parent) });
  }
  const found = new Set();
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (a.node !== b.node && width > MIN_PX && height > MIN_PX) found.add('"' + a.text + '" lies over "' + b.text + '"');
    }
  }
  return [...found];
})()`;

/** Texts of a page, or of its open dialog, that lie over each other; empty when none do. */
export async function overlaps(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FIND);
}
