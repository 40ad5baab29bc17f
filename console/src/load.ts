// Data of a page: loaded when the page opens, again on request or at an interval while the page is visible.
import { signal, useComputed, useSignal, type ReadonlySignal } from '@preact/signals';
import { ParleyError } from 'parley-client';
import { useEffect, useRef } from 'preact/hooks';
import { notifyError } from './ui/dialogs.js';

export type Loading<T> =
  | { readonly state: 'loading'; readonly data?: undefined; readonly error?: undefined }
  | { readonly state: 'ready'; readonly data: T; readonly error?: undefined }
  /** `data` is what was loaded before the failure. */
  | { readonly state: 'failed'; readonly error: unknown; readonly data?: T };

export interface Loaded<T> {
  readonly value: Loading<T>;
  /** Loads again; what is shown stays until the response comes. */
  readonly reload: () => void;
  /** Shows a change at once that the server has confirmed. */
  readonly set: (data: T) => void;
}

/** Whether the tab can be seen: nothing is asked for at an interval while it can't. */
export const visible = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => {
  visible.value = document.visibilityState === 'visible';
});

/**
 * Loads with `load` when the component is mounted and when `inputs` change.
 *
 * @param options.everyMs loads again at this interval while the tab is visible
 * @param options.until  ends that when it holds; a 404 ends it too
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  options: { readonly everyMs?: number; readonly until?: (data: T) => boolean } = {},
): Loaded<T> {
  const value = useSignal<Loading<T>>({ state: 'loading' });
  const again = useSignal(0);
  const current = useRef(load);
  current.current = load;
  const shown: ReadonlySignal<boolean> = useComputed(() => options.everyMs === undefined || visible.value);
  const key = JSON.stringify(inputs);
  useEffect(() => {
    value.value = { state: 'loading' };
  }, [key]);
  useEffect(() => {
    if (!shown.value) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      try {
        const data = await current.current(abort.signal);
        if (!abort.signal.aborted) value.value = { state: 'ready', data };
      } catch (error) {
        const { data } = value.peek();
        if (!abort.signal.aborted) value.value = { state: 'failed', error, ...(data !== undefined && { data }) };
      }
      const { data, error } = value.peek();
      const isGone = error instanceof ParleyError && error.status === 404;
      const ended = isGone || (data !== undefined && options.until?.(data) === true);
      if (options.everyMs !== undefined && !ended && !abort.signal.aborted) timer = setTimeout(() => void run(), options.everyMs);
    };
    void run();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [key, again.value, shown.value]);
  return {
    get value() {
      return value.value;
    },
    reload: () => {
      again.value += 1;
    },
    set: (data) => {
      value.value = { state: 'ready', data };
    },
  };
}

/** The loaded part of a long list. */
export interface Pages<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null on the last. */
  readonly next: string | null;
}

/** Loads a list page by page: the first as `useLoad` does, the next ones when `more` is called. */
export function usePages<T>(
  load: (cursor?: string) => Promise<Pages<T>>,
  inputs: readonly unknown[],
): { readonly pages: Loaded<Pages<T>>; readonly more: () => void } {
  const pages = useLoad(() => load(), inputs);
  const loading = useRef<Pages<T> | undefined>(undefined);
  const next = async (shown: Pages<T>, cursor: string): Promise<void> => {
    loading.current = shown;
    try {
      const page = await load(cursor);
      if (pages.value.data === shown) pages.set({ items: [...shown.items, ...page.items], next: page.next });
    } catch (error) {
      notifyError(error);
    }
    loading.current = undefined;
  };
  return {
    pages,
    more: () => {
      const { data } = pages.value;
      if (data && data.next !== null && data !== loading.current) void next(data, data.next);
    },
  };
}
