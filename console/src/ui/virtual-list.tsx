// A list of which only the visible rows are in the document.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer, type VirtualizerOptions } from '@tanstack/virtual-core';
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

export type ListControls = Virtualizer<HTMLDivElement, HTMLDivElement>;

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly children: (item: T, index: number) => ComponentChildren;
  readonly label: string;
  /** Expected height of a row, px; the true one is measured. */
  readonly estimate: number;
  /** A conversation: begins at its end, stays there while it grows, and keeps its place when older rows are put before. */
  readonly fromEnd?: boolean;
  readonly role?: 'list' | 'log' | 'feed';
  readonly class?: string;
  /** Called when the first or the last row is near. */
  readonly onNearStart?: () => void;
  readonly onNearEnd?: () => void;
  readonly controls?: { current: ListControls | null };
}

export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { items, keyOf, children, label, estimate, fromEnd = false, role = 'list', controls } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const version = useSignal(0);
  const instance = useRef<ListControls | null>(null);
  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => keyOf(items[index] as T),
    overscan: 6,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => {
      version.value += 1;
    },
    ...(fromEnd && { anchorTo: 'end', followOnAppend: true, scrollEndThreshold: 80 }),
  };
  instance.current ??= new Virtualizer(options);
  const list = instance.current;
  list.setOptions(options);
  if (controls) controls.current = list;
  useLayoutEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  useLayoutEffect(() => {
    if (fromEnd && items.length > 0) list.scrollToEnd();
  }, [fromEnd, items.length > 0]);

  void version.value;
  const rows = list.getVirtualItems();
  const first = rows[0]?.index;
  const last = rows.at(-1)?.index;
  useEffect(() => {
    if (first !== undefined && first < 3) props.onNearStart?.();
    if (last !== undefined && last > items.length - 4) props.onNearEnd?.();
  }, [first, last, items.length]);

  return (
    <div ref={scroller} class={`virtual-list scroll ${props.class ?? ''}`} tabIndex={0} role={role} aria-label={label}>
      <div class="virtual-space" style={{ height: `${list.getTotalSize()}px` }}>
        {rows.map((row) => (
          <div
            key={row.key}
            ref={list.measureElement}
            data-index={row.index}
            class="virtual-row"
            role={role === 'list' ? 'listitem' : undefined}
            style={{ transform: `translateY(${row.start}px)` }}
          >
            {children(items[row.index] as T, row.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
