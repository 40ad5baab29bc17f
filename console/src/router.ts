// Addresses of the console: a path per page, over the history of the browser.
import { computed, signal } from '@preact/signals';

const address = signal(new URL(location.href));

/** The current path, without a slash at its end. */
export const path = computed(() => address.value.pathname.replace(/(.)\/+$/, '$1'));
export const query = computed(() => address.value.searchParams);

window.addEventListener('popstate', () => {
  address.value = new URL(location.href);
});

/** Opens a page of the console. `replace` leaves no entry in the history. */
export function navigate(to: string, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  if (next.href === address.value.href) return;
  if (replace) history.replaceState(null, '', next);
  else history.pushState(null, '', next);
  address.value = next;
}

/** Changes parameters of the query in place; undefined and '' remove a parameter. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const next = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  navigate(next.href, { replace: true });
}

/** The parameters of `pattern` (`/agents/:id`) in a path, or undefined when it does not match. */
export function match(pattern: string, candidate: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = candidate.split('/');
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) {
      if (value === '') return undefined;
      found[part.slice(1)] = decoded(value);
    } else if (part !== value) return undefined;
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// Links of the console open in place; with a modifier key, as a download or in another frame they are the browser's.
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || /^\/(api|media|socket\.io)(\/|$)/.test(to.pathname)) return;
  if (to.pathname === location.pathname && to.search === location.search && to.hash !== '') return;
  event.preventDefault();
  navigate(to.href);
});
