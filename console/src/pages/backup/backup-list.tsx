import type { BackupView } from 'parley-client';
import type { JSX } from 'preact';
import { useSignal } from '@preact/signals';
import { formatBytes, formatNumber, t } from '../../i18n.js';
import { quoted } from '../../shell.js';
import { Badge, Button, type Tone } from '../../ui/controls.js';
import { CopyButton, Time } from '../../ui/text.js';

const SHOWN = 50;
const TONES: Readonly<Record<BackupView['state'], Tone>> = { running: 'info', complete: 'ok', failed: 'bad' };

/** The command that restores a backup, run in the folder of the server: a clone, a project, or one where the package is installed. */
export function restoreCommand(folder: string): string {
  return `npx parley-server restore ${quoted(folder)}`;
}

interface BackupListProps {
  readonly backups: readonly BackupView[];
  readonly onDelete: (backup: BackupView) => void;
}

export function BackupList({ backups, onDelete }: BackupListProps): JSX.Element {
  const shown = useSignal(SHOWN);
  return (
    <>
      <ul class="card backup-list" aria-label={t('nav.backups')}>
        {backups.slice(0, shown.value).map((backup) => (
          <BackupItem key={backup.name} of={backup} onDelete={() => onDelete(backup)} />
        ))}
      </ul>
      {backups.length > shown.value && (
        <Button
          onClick={() => {
            shown.value += SHOWN;
          }}
        >
          {t('common.more')}
        </Button>
      )}
    </>
  );
}

function BackupItem({ of: backup, onDelete }: { readonly of: BackupView; readonly onDelete: () => void }): JSX.Element {
  const { name, kind, state, createdAt, folder, size, version, error } = backup;
  return (
    <li>
      <div class="row wrap">
        <span class="strong">
          <Time at={createdAt} />
        </span>
        <Badge tone={TONES[state]}>{t(`backups.state.${state}`)}</Badge>
        <span class="soft">{t(`backups.kind.${kind}`)}</span>
        {size !== null && <span class="soft figures">{formatBytes(size)}</span>}
        {version !== null && <span class="faint">Parley {version}</span>}
        <span class="grow" />
        {state === 'complete' && <CopyButton text={restoreCommand(folder)} label={t('backups.copyRestore', { name })} />}
        {state !== 'running' && <Button kind="plain" icon="trash" label={t('backups.deleteTitle', { name })} onClick={onDelete} />}
      </div>
      <code class="small faint break">{folder}</code>
      {state === 'running' && <Progress of={backup} />}
      {error !== null && (
        <p class="notice bad">
          {error.message} {error.details !== error.message && error.details}
        </p>
      )}
    </li>
  );
}

function Progress({ of: { bytesDone, bytesTotal } }: { readonly of: BackupView }): JSX.Element {
  const done = bytesDone ?? 0;
  const total = bytesTotal ?? 0;
  const share = total === 0 ? 0 : done / total;
  return (
    <div class="row wrap">
      <progress class="grow" max={1} value={share} aria-label={t('backups.progress')} />
      <span class="small soft figures">
        {formatNumber(share, { style: 'percent', maximumFractionDigits: 0 })} ·{' '}
        {t('backups.ofTotal', { done: formatBytes(done), total: formatBytes(total) })}
      </span>
    </div>
  );
}
