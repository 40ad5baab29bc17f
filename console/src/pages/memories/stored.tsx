// The memories of an agent, by kind, author, room and words; several are deleted at once.
import { useSignal } from '@preact/signals';
import type { MemoryView } from 'parley-client';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { cutText } from '../../cut-text.js';
import { errorText, parley } from '../../api.js';
import { t } from '../../i18n.js';
import { usePages } from '../../load.js';
import { memoryPlace, userPlace } from '../../places.js';
import { query, setQuery } from '../../router.js';
import { Search, Select } from '../../ui/controls.js';
import { plainText } from '../../ui/markdown.js';
import { Async, Empty } from '../../ui/states.js';
import { Time } from '../../ui/text.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { authorOf, MEMORY_TYPES, memoryText, typeName } from './memory-text.js';
import { peopleIn, useRooms } from './people.js';
import { SelectionBar, type Failures } from './selection-bar.js';

const PAGE = 100;
const ROW_PX = 56;
const TYPING_MS = 250;

export function Stored({ agentId }: { readonly agentId: string }): JSX.Element {
  const filter = {
    agentId,
    type: query.value.get('type') ?? MEMORY_TYPES[0],
    search: query.value.get('search') ?? '',
    user: query.value.get('user') ?? undefined,
    room: query.value.get('room') ?? undefined,
  };
  const rooms = useRooms(agentId);
  const people = peopleIn(rooms.value.data ?? []);
  const typed = useSignal(filter.search);
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ search: typed.value }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const types = MEMORY_TYPES.some((name) => name === filter.type) ? MEMORY_TYPES : [...MEMORY_TYPES, filter.type];
  const names = (rooms.value.data ?? []).map(({ id, name }) => [id, name || id.slice(0, 8)] as const);
  return (
    <>
      <div class="toolbar" role="search">
        <Select
          label={t('memories.type')}
          value={filter.type}
          options={types.map((value) => ({ value, label: typeName(value) }))}
          onSelect={(type) => setQuery({ type })}
        />
        <Choice label={t('memories.author')} all={t('memories.allAuthors')} of={people} value={filter.user} name="user" />
        <Choice label={t('memories.room')} all={t('memories.allRooms')} of={new Map(names)} value={filter.room} name="room" />
        <Search
          value={typed.value}
          onInput={(text) => {
            typed.value = text;
          }}
        />
        {filter.user !== undefined && filter.user !== agentId && <a href={userPlace(agentId, filter.user)}>{t('memories.user.open')}</a>}
      </div>
      {rooms.value.state === 'failed' && (
        <p class="notice warn" role="status">
          {errorText(rooms.value.error)}
        </p>
      )}
      <List key={JSON.stringify(filter)} {...filter} />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** Name of the choice of all. */
  readonly all: string;
  /** Names by id. */
  readonly of: ReadonlyMap<string, string>;
  readonly value: string | undefined;
  /** Name in the address. */
  readonly name: string;
}

function Choice({ label, all, of, value, name }: ChoiceProps): JSX.Element {
  const options = [...of].map(([id, text]) => ({ value: id, label: text }));
  if (value !== undefined && !of.has(value)) options.push({ value, label: value.slice(0, 8) });
  return (
    <Select
      label={label}
      value={value ?? ''}
      options={[{ value: '', label: all }, ...options]}
      onSelect={(chosen) => setQuery({ [name]: chosen })}
    />
  );
}

interface ListProps {
  readonly agentId: string;
  readonly type: string;
  readonly search: string;
  readonly user: string | undefined;
  readonly room: string | undefined;
}

function List({ agentId, type, search, user, room }: ListProps): JSX.Element {
  const { pages, more } = usePages(async (before) => {
    const page = await parley.call('GET /api/agents/{agentId}/memories', {
      path: { agentId },
      query: { tableName: type, search: search.trim() || undefined, entityId: user, roomId: room, before, limit: String(PAGE) },
    });
    return { items: page.memories, next: page.nextCursor };
  }, []);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const failures = useSignal<Failures>(new Map());
  const toggle = (id: string): void => {
    const next = new Set(chosen.value);
    if (!next.delete(id)) next.add(id);
    chosen.value = next;
  };
  return (
    <Async of={pages}>
      {({ items, next }) => {
        if (items.length === 0 && next === null) return <Empty icon="memory" title={t('memories.none')} />;
        return (
          <>
            <SelectionBar
              agentId={agentId}
              shown={items}
              chosen={chosen.value}
              failures={failures.value}
              onChoose={(ids) => {
                chosen.value = ids;
              }}
              onDeleted={(deleted, failed) => {
                failures.value = failed;
                chosen.value = new Set(failed.keys());
                pages.set({ items: items.filter(({ id }) => !deleted.has(id)), next });
              }}
            />
            <VirtualList
              items={items}
              keyOf={({ id }) => id}
              label={t('nav.memories')}
              estimate={ROW_PX}
              class="card memories-list"
              onNearEnd={more}
            >
              {(memory) => <Row memory={memory} chosen={chosen.value.has(memory.id)} onToggle={() => toggle(memory.id)} />}
            </VirtualList>
          </>
        );
      }}
    </Async>
  );
}

interface RowProps {
  readonly memory: MemoryView;
  readonly chosen: boolean;
  readonly onToggle: () => void;
}

function Row({ memory, chosen, onToggle }: RowProps): JSX.Element {
  const { id, agentId, content, createdAt } = memory;
  const text = plainText(memoryText(content));
  const author = authorOf(memory);
  return (
    <div class="memory-row">
      <input type="checkbox" checked={chosen} aria-label={t('memories.choose', { text: cutText(text, 80) })} onChange={onToggle} />
      <a class="list-item grow" href={memoryPlace(agentId, id)}>
        <span class="memory-excerpt break">{text}</span>
        <span class="faint small">
          {author !== undefined && `${author} · `}
          <Time at={createdAt} />
        </span>
      </a>
    </div>
  );
}
