// Backups: made while the server runs, followed, deleted, and how one is restored.
import './backup.css';
import type { BackupView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { Button } from '../../ui/controls.js';
import { attempt, confirm } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { Code } from '../../ui/text.js';
import { BackupList, restoreCommand } from './backup-list.js';

const INTERVAL_MS = 1500;

export default function BackupPage(): JSX.Element {
  const list = useLoad((signal) => parley.call('GET /api/server/backups', { signal }), [], {
    everyMs: INTERVAL_MS,
    until: ({ backups }) => !isRunning(backups),
  });
  const start = async (): Promise<void> => {
    await attempt(() => parley.call('POST /api/server/backups'), t('backups.started'));
    list.reload();
  };
  const remove = async ({ name, state }: BackupView): Promise<void> => {
    const asked = {
      title: t('backups.deleteTitle', { name }),
      text: t(state === 'failed' ? 'backups.deleteFailedText' : 'backups.deleteText'),
      action: t('common.delete'),
      danger: true,
    };
    if (!(await confirm(asked))) return;
    await attempt(() => parley.call('DELETE /api/server/backups/{name}', { path: { name } }), t('backups.deleted'));
    list.reload();
  };
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('nav.backups')}</h1>
      </header>
      <Async of={list}>
        {({ backups, advice }) => (
          <>
            <div class="row wrap">
              <p class="soft grow backup-about">{t('backups.about')}</p>
              {advice === null && (
                <Button kind="primary" icon="backup" disabled={isRunning(backups)} onClick={() => void start()}>
                  {t('backups.start')}
                </Button>
              )}
            </div>
            {advice !== null && (
              <p class="notice warn">
                {t('backups.notHere')} {advice}
              </p>
            )}
            {backups.length === 0 ? (
              <Empty icon="backup" title={t('backups.none')}>
                {advice === null && <p>{t('backups.noneHint')}</p>}
              </Empty>
            ) : (
              <BackupList backups={backups} onDelete={(backup) => void remove(backup)} />
            )}
            <Restore newest={backups.find(({ state }) => state === 'complete')} />
          </>
        )}
      </Async>
    </div>
  );
}

function isRunning(backups: readonly BackupView[]): boolean {
  return backups.some(({ state }) => state === 'running');
}

function Restore({ newest }: { readonly newest: BackupView | undefined }): JSX.Element {
  return (
    <section class="stack tight">
      <h2>{t('backups.restore')}</h2>
      <p class="soft">{t('backups.restoreText')}</p>
      <Code text={restoreCommand(newest?.folder ?? 'latest')} label={t('backups.restoreCommand')} wrap />
      <p class="small faint">{t('backups.secrets')}</p>
    </section>
  );
}
