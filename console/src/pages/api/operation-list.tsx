// All operations by subject, found by words.
import { signal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n.js';
import { Search } from '../../ui/controls.js';
import { Empty } from '../../ui/states.js';
import { VirtualList, type ListControls } from '../../ui/virtual-list.js';
import type { Description, Operation } from './description.js';
import { Sentence } from './schema-view.js';

const ROW_PX = 56;

// Kept while the person looks at one operation after the other.
const words = signal('');

type Row = { readonly group: Description['groups'][number] } | { readonly operation: Operation };

interface OperationListProps {
  readonly groups: Description['groups'];
  readonly selected: string | undefined;
}

export function OperationList({ groups, selected }: OperationListProps): JSX.Element {
  const wanted = words.value.trim().toLowerCase().split(/\s+/);
  const rows: Row[] = [];
  let count = 0;
  for (const group of groups) {
    const found = group.operations.filter((operation) => matches(operation, wanted));
    if (found.length > 0) rows.push({ group }, ...found.map((operation) => ({ operation })));
    count += found.length;
  }
  const list = useRef<ListControls>(null);
  useEffect(() => {
    const index = rows.findIndex((row) => keyOf(row) === selected);
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'center' });
  }, []);
  return (
    <>
      <div class="list-pane-head">
        <Search value={words.value} onInput={(text) => (words.value = text)} label={t('api.find')} />
        <p class="small faint figures" role="status">
          {t('api.count', { count })}
        </p>
      </div>
      <div class="list-pane-rows">
        {rows.length === 0 ? (
          <Empty icon="search" title={t('api.noneFound')} />
        ) : (
          <VirtualList items={rows} keyOf={keyOf} estimate={ROW_PX} label={t('nav.api')} controls={list}>
            {(row) =>
              'group' in row ? (
                <p class="operation-group">
                  <span class="strong">{row.group.name}</span> <span class="small soft">{row.group.about}</span>
                </p>
              ) : (
                <OperationRow operation={row.operation} selected={row.operation.operationId === selected} />
              )
            }
          </VirtualList>
        )}
      </div>
    </>
  );
}

function keyOf(row: Row): string {
  return 'group' in row ? `group ${row.group.name}` : row.operation.operationId;
}

function matches({ method, path, summary, operationId }: Operation, wanted: readonly string[]): boolean {
  const text = `${method} ${path} ${summary} ${operationId}`.toLowerCase();
  return wanted.every((word) => text.includes(word));
}

function OperationRow({ operation, selected }: { readonly operation: Operation; readonly selected: boolean }): JSX.Element {
  const { operationId, method, path, summary, deprecated = false } = operation;
  return (
    <a class="list-item operation-row" href={`/operations/${operationId}`} aria-current={selected ? 'page' : undefined}>
      <span class="operation-path break">
        <Method name={method} /> <Path text={path} />
      </span>
      <span class="small soft operation-summary">
        {deprecated && `${t('api.deprecated')} · `}
        <Sentence text={summary} />
      </span>
    </a>
  );
}

export function Method({ name }: { readonly name: string }): JSX.Element {
  return <span class={`method ${name === 'GET' ? '' : name === 'DELETE' ? 'deletes' : 'writes'}`}>{name}</span>;
}

/** A path that wraps before its slashes. */
export function Path({ text }: { readonly text: string }): JSX.Element {
  return (
    <code>
      {text.split(/(?=\/)/).map((part, index) => (
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </code>
  );
}
