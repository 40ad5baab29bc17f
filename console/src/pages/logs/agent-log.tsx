import { useSignal } from '@preact/signals';
import type { AgentLogView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { query, setQuery } from '../../router.js';
import { agents, agentsError, loadAgents } from '../../store/agents.js';
import { Button, Select } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Async, Empty, Failure, Skeletons } from '../../ui/states.js';
import { LOWEST } from './log-lines.js';
import { LogRow, RequestId } from './log-row.js';

const INTERVAL_MS = 3000;
const PAGE = 100;
const TYPES = ['run_event', 'useModel:TEXT_LARGE', 'action', 'evaluator', 'log'] as const;

/** What an agent did and logged, the newest first. */
export function AgentLog(): JSX.Element {
  const agentId = query.value.get('agent') ?? agents.value?.[0]?.id;
  if (agentId === undefined) {
    if (agentsError.value !== undefined) return <Failure error={agentsError.value} onRetry={() => void loadAgents()} />;
    return agents.value === undefined ? <Skeletons /> : <Empty icon="agent" title={t('chat.noAgents')} />;
  }
  const type = query.value.get('type') ?? '';
  const level = LOWEST.find((name) => name === query.value.get('level'));
  const search = query.value.get('search') ?? undefined;
  return (
    <>
      <div class="row wrap log-state">
        <Select
          label={t('logs.type')}
          value={type}
          options={[
            { value: '', label: t('logs.allTypes') },
            ...TYPES.map((name) => ({ value: name, label: t(`logs.types.${keyOf(name)}`) })),
          ]}
          onSelect={(wanted) => setQuery({ type: wanted })}
        />
      </div>
      <Entries key={`${agentId} ${type} ${level} ${search}`} agentId={agentId} filter={{ type, level, search }} />
    </>
  );
}

interface EntriesProps {
  readonly agentId: string;
  readonly filter: { readonly type: string; readonly level: (typeof LOWEST)[number] | undefined; readonly search: string | undefined };
}

function Entries({ agentId, filter: { type, level, search } }: EntriesProps): JSX.Element {
  const load = (before?: string): Promise<readonly AgentLogView[]> =>
    parley.call('GET /api/agents/{agentId}/logs', { path: { agentId }, query: { type, level, search, before, limit: PAGE } });
  const newest = useLoad(() => load(), [], { everyMs: INTERVAL_MS });
  const older = useSignal<readonly AgentLogView[]>([]);
  const ended = useSignal(false);
  const open = useSignal<ReadonlySet<string>>(new Set());
  const more = (before: string): Promise<boolean> =>
    attempt(async () => {
      const page = await load(before);
      older.value = [...older.value, ...page];
      ended.value = page.length < PAGE;
    });
  const toggle = (id: string): void => {
    const next = new Set(open.value);
    if (!next.delete(id)) next.add(id);
    open.value = next;
  };
  return (
    <Async of={newest}>
      {(page) => {
        const shown = [...new Map([...page, ...older.value].map((entry) => [entry.id, entry])).values()];
        const last = shown.at(-1);
        if (last === undefined) return <Empty icon="log" title={t('logs.none')} />;
        return (
          <div class="scroll log-entries" role="region" aria-label={t('logs.view.agents')} tabIndex={0}>
            {shown.map((entry) => (
              <Entry key={entry.id} entry={entry} open={open.value.has(entry.id)} onToggle={() => toggle(entry.id)} />
            ))}
            {!ended.value && page.length === PAGE && (
              <p class="log-more">
                <Button onClick={() => void more(last.cursor)}>{t('common.more')}</Button>
              </p>
            )}
          </div>
        );
      }}
    </Async>
  );
}

interface EntryProps {
  readonly entry: AgentLogView;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function Entry({ entry, open, onToggle }: EntryProps): JSX.Element {
  const { agentId, body, level, createdAt, type } = entry;
  const [runId, requestId] = [body['runId'], body['requestId']];
  const known = TYPES.find((name) => name === type);
  return (
    <LogRow
      level={level}
      at={createdAt}
      source={known ? t(`logs.types.${keyOf(known)}`) : type}
      text={summaryOf(body)}
      links={
        <>
          {typeof runId === 'string' && <a href={`/runs/${agentId}/${runId}`}>{t('logs.run')}</a>}
          {typeof requestId === 'string' && <RequestId id={requestId} />}
        </>
      }
      value={body}
      open={open}
      onToggle={onToggle}
    />
  );
}

function keyOf(type: (typeof TYPES)[number]): 'run_event' | 'useModel' | 'action' | 'evaluator' | 'log' {
  return type === 'useModel:TEXT_LARGE' ? 'useModel' : type;
}

/** The fields that tell most, for the line. */
function summaryOf(body: Readonly<Record<string, unknown>>): string {
  const { error, result } = body as { error?: { message?: unknown } | string | null; result?: { text?: unknown; error?: unknown } };
  const names = ['message', 'action', 'evaluator', 'model', 'status'].map((name) => body[name]);
  const told = [...names, typeof error === 'string' ? error : error?.message, result?.text, result?.error];
  const texts = told.filter((value): value is string => typeof value === 'string' && value !== '');
  return texts.length > 0 ? texts.join(' · ') : JSON.stringify(body);
}
