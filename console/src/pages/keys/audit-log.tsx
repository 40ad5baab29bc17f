// The audit log: who changed what and when.
import type { AuditEntryView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { usePages } from '../../load.js';
import { documentPlace, memoryPlace } from '../../places.js';
import { query, setQuery } from '../../router.js';
import { agents } from '../../store/agents.js';
import { Badge, Select } from '../../ui/controls.js';
import { Async, Empty } from '../../ui/states.js';
import { Id, Time } from '../../ui/text.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { WithinSelect, withinMs } from '../../ui/within.js';

const PAGE = 100;
const ROW_PX = 72;
const ACTIONS = [
  ...(['key.created', 'key.revoked'] as const),
  ...(['memory.updated', 'memory.restored', 'memory.deleted', 'memories.deleted', 'room.deleted'] as const),
  ...(['agent.created', 'agent.updated', 'agent.started', 'agent.stopped', 'agent.deleted'] as const),
  ...(['document.added', 'document.replaced', 'document.deleted'] as const),
  ...(['channel.deleted', 'message-server.deleted', 'log.deleted', 'logs.cleared'] as const),
  ...([
    'environment.updated',
    'server-model.updated',
    'server-model.removed',
    'server.stopped',
    'delivery.replayed',
    'user.forgotten',
  ] as const),
  ...(['backup.started', 'backup.deleted'] as const),
];
type Action = (typeof ACTIONS)[number];
/** Kinds of actors that are one actor. */
const SINGLE = ['administrator', 'everybody', 'nobody', 'server'] as const;

/** Entries by action, actor, agent and time, which are in the address. */
export function AuditLog(): JSX.Element {
  const filter = {
    action: query.value.get('action') ?? undefined,
    actor: query.value.get('actor') ?? undefined,
    agentId: query.value.get('agent') ?? undefined,
    withinMs: withinMs(),
  };
  return <Entries key={JSON.stringify(filter)} {...filter} />;
}

interface Filter {
  readonly action: string | undefined;
  readonly actor: string | undefined;
  readonly agentId: string | undefined;
  readonly withinMs: number | undefined;
}

function Entries({ action, actor, agentId, withinMs: within }: Filter): JSX.Element {
  const from = within === undefined ? undefined : String(Date.now() - within);
  const { pages, more } = usePages(async (cursor) => {
    const page = await parley.call('GET /api/audit', { query: { action, actor, agentId, from, cursor, limit: PAGE } });
    return { items: page.entries, next: page.nextCursor };
  }, []);
  const actors = new Map<string, string>(SINGLE.map((name) => [name, t(`audit.actor.${name}`)]));
  if (actor !== undefined) actors.set(actor, actors.get(actor) ?? actor);
  for (const entry of pages.value.data?.items ?? []) actors.set(entry.actor.id, actorName(entry));
  return (
    <>
      <div class="toolbar" role="search">
        <Select
          label={t('audit.action')}
          value={action ?? ''}
          options={[{ value: '', label: t('audit.allActions') }, ...ACTIONS.map((name) => ({ value: name, label: actionName(name) }))]}
          onSelect={(wanted) => setQuery({ action: wanted })}
        />
        <Select
          label={t('audit.actorLabel')}
          value={actor ?? ''}
          options={[{ value: '', label: t('audit.allActors') }, ...[...actors].map(([value, label]) => ({ value, label }))]}
          onSelect={(wanted) => setQuery({ actor: wanted })}
        />
        <Select
          label={t('common.agent')}
          value={agentId ?? ''}
          options={[
            { value: '', label: t('common.allAgents') },
            ...(agents.value ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onSelect={(agent) => setQuery({ agent })}
        />
        <WithinSelect />
      </div>
      <Async of={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="log" title={t('audit.none')} />
          ) : (
            <VirtualList
              items={items}
              keyOf={({ id }) => id}
              label={t('audit.title')}
              estimate={ROW_PX}
              class="card audit-list"
              onNearEnd={more}
            >
              {(entry) => <Entry entry={entry} />}
            </VirtualList>
          )
        }
      </Async>
    </>
  );
}

function Entry({ entry }: { readonly entry: AuditEntryView }): JSX.Element {
  const { at, action, summary, address, target, fields, requestId } = entry;
  const href = placeOf(entry);
  return (
    <div class="audit-entry">
      <p>
        <span class="strong">{actionName(action)}</span> <span class="soft break">{summary}</span>
      </p>
      {fields.length > 0 && (
        <p class="row wrap">
          {fields.map((field) => (
            <Badge key={field}>{field}</Badge>
          ))}
        </p>
      )}
      <p class="row wrap small faint">
        <Time at={at} />
        <a href={`/keys/audit?actor=${encodeURIComponent(entry.actor.id)}`}>{actorName(entry)}</a>
        {address !== null && <span>{address}</span>}
        <span class="row">
          {target.kind} {href === undefined ? <Id id={target.id} /> : <Id id={target.id} href={href} />}
        </span>
        {requestId !== null && <a href={`/logs?requestId=${encodeURIComponent(requestId)}`}>{t('logs.request')}</a>}
      </p>
    </div>
  );
}

function actionName(action: string): string {
  return ACTIONS.some((known) => known === action) ? t(`audit.actions.${action as Action}`) : action;
}

function actorName({ actor: { id, kind, name } }: AuditEntryView): string {
  const single = SINGLE.find((known) => known === kind);
  if (single) return t(`audit.actor.${single}`);
  return name ?? (id.length > kind.length + 9 ? `${id.slice(0, kind.length + 9)}…` : id);
}

/** The page of what was changed, when it is still there and has one. */
function placeOf({ action, target: { kind, id }, agentId }: AuditEntryView): string | undefined {
  if (kind === 'key') return '/keys';
  if (kind === 'backup') return '/backup';
  if (kind === 'log' && agentId !== null) return `/logs?view=agents&agent=${agentId}`;
  if (action.endsWith('.deleted') && action !== 'memories.deleted') return undefined;
  if (kind === 'agent') return `/agents/${id}`;
  if (kind === 'memory' && agentId !== null) return memoryPlace(agentId, id);
  if (kind === 'room' && agentId !== null) return `/memories?agent=${agentId}&room=${id}`;
  if (kind === 'document' && agentId !== null) return documentPlace(agentId, id);
  return undefined;
}
