import type { JSX } from 'preact';
import { formatDuration, t } from '../../i18n.js';
import { setQuery } from '../../router.js';
import { agents } from '../../store/agents.js';
import { Button, Select } from '../../ui/controls.js';
import { WithinSelect, withinMs } from '../../ui/within.js';

const STATUSES = ['all', 'started', 'completed', 'timeout', 'error'] as const;
type Status = (typeof STATUSES)[number];

const SLOWER_MS = [1000, 5000, 15_000, 60_000] as const;

/** What the list is limited to, as its address says. */
export interface RunFilter {
  readonly agentId: string | undefined;
  readonly channelId: string | undefined;
  readonly status: Status;
  readonly withinMs: number | undefined;
  readonly minDurationMs: number | undefined;
}

export function filterOf(parameters: URLSearchParams): RunFilter {
  return {
    agentId: parameters.get('agent') ?? undefined,
    channelId: parameters.get('channel') ?? undefined,
    status: STATUSES.find((name) => name === parameters.get('status')) ?? 'all',
    withinMs: withinMs(),
    minDurationMs: SLOWER_MS.find((ms) => String(ms) === parameters.get('slower')),
  };
}

export function RunFilters({ filter }: { readonly filter: RunFilter }): JSX.Element {
  const { agentId, channelId, status, minDurationMs } = filter;
  return (
    <div class="toolbar" role="search">
      <Select
        label={t('common.agent')}
        value={agentId ?? ''}
        options={[{ value: '', label: t('common.allAgents') }, ...(agents.value ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        onSelect={(agent) => setQuery({ agent })}
      />
      <Select<Status>
        label={t('common.status')}
        value={status}
        options={STATUSES.map((name) => ({ value: name, label: name === 'all' ? t('runs.every') : t(`why.status.${name}`) }))}
        onSelect={(wanted) => setQuery({ status: wanted === 'all' ? undefined : wanted })}
      />
      <WithinSelect />
      <Select
        label={t('common.duration')}
        value={String(minDurationMs ?? '')}
        options={[
          { value: '', label: t('runs.anyDuration') },
          ...SLOWER_MS.map((ms) => ({ value: String(ms), label: t('runs.slower', { duration: formatDuration(ms) }) })),
        ]}
        onSelect={(slower) => setQuery({ slower })}
      />
      {channelId !== undefined && (
        <span class="badge run-channel">
          {t('common.channel')} <code>{channelId.slice(0, 8)}</code>
          <Button kind="plain" icon="close" label={t('runs.allChannels')} onClick={() => setQuery({ channel: undefined })} />
        </span>
      )}
    </div>
  );
}
