// Everything that is known of a user, on all agents: to download, and to forget.
import { useSignal } from '@preact/signals';
import type { ForgetRequestView } from 'parley-client';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { download } from '../../download.js';
import { formatNumber, t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { query, setQuery } from '../../router.js';
import { Badge, Button, Field } from '../../ui/controls.js';
import { attempt, Dialog } from '../../ui/dialogs.js';
import { Async } from '../../ui/states.js';

const INTERVAL_MS = 1000;

interface ForgetProps {
  readonly userId: string;
  readonly onForgotten: () => void;
}

export function Forget({ userId, onForgotten }: ForgetProps): JSX.Element {
  const busy = useSignal(false);
  const asking = useSignal(false);
  const requestId = query.value.get('request');
  const exportData = async (): Promise<void> => {
    busy.value = true;
    await attempt(async () => {
      const data = await parley.call('GET /api/users/{userId}/export', { path: { userId } });
      download(`user-${userId}.json`, `${JSON.stringify(data, null, 2)}\n`);
    });
    busy.value = false;
  };
  return (
    <section class="stack" aria-labelledby="user-data">
      <h2 id="user-data">{t('memories.user.data')}</h2>
      <p class="soft">{t('memories.user.dataHint')}</p>
      <div class="row wrap">
        <Button icon="backup" busy={busy.value} onClick={() => void exportData()}>
          {t('memories.user.export')}
        </Button>
        <Button
          needs="write"
          kind="danger"
          icon="trash"
          onClick={() => {
            asking.value = true;
          }}
        >
          {t('memories.user.forget')}
        </Button>
      </div>
      {requestId !== null && <Progress key={requestId} userId={userId} requestId={requestId} onForgotten={onForgotten} />}
      {asking.value && (
        <AskToForget
          userId={userId}
          onClose={() => {
            asking.value = false;
          }}
        />
      )}
    </section>
  );
}

/** Asks for the beginning of the user's id: it must not be forgotten by a slip of the hand. */
function AskToForget({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }): JSX.Element {
  const typed = useSignal('');
  const busy = useSignal(false);
  const wanted = userId.slice(0, 8);
  const forget = async (): Promise<void> => {
    busy.value = true;
    await attempt(async () => {
      const { requestId } = await parley.call('POST /api/users/{userId}/forget', { path: { userId } });
      setQuery({ request: requestId });
      onClose();
    });
    busy.value = false;
  };
  return (
    <Dialog title={t('memories.user.forgetTitle')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void forget();
        }}
      >
        <p>{t('memories.user.forgetText')}</p>
        <Field label={t('memories.user.forgetType', { id: wanted })}>
          <input
            class="input mono"
            autocomplete="off"
            spellcheck={false}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </Field>
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="danger" type="submit" busy={busy.value} disabled={typed.value.trim() !== wanted}>
            {t('memories.user.forget')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Progress({ userId, requestId, onForgotten }: ForgetProps & { readonly requestId: string }): JSX.Element {
  const request = useLoad(() => parley.call('GET /api/users/{userId}/forget/{requestId}', { path: { userId, requestId } }), [], {
    everyMs: INTERVAL_MS,
    until: ({ status }: ForgetRequestView) => status === 'done',
  });
  const done = request.value.data?.status === 'done';
  useEffect(() => {
    if (done) onForgotten();
  }, [done]);
  return <Async of={request}>{(data) => <Report of={data} />}</Async>;
}

function Report({ of: { status, erased, backups } }: { readonly of: ForgetRequestView }): JSX.Element {
  const touched = erased.filter(({ deleted, redacted }) => deleted + redacted > 0);
  return (
    <div class="card pad stack">
      <div class="row" role="status">
        <Badge tone={status === 'done' ? 'ok' : 'busy'}>{t(`memories.user.status.${status}`)}</Badge>
        <span class="small soft">{t('memories.user.steps', { count: erased.length })}</span>
      </div>
      {touched.length > 0 && (
        <div class="table-scroll" role="region" aria-label={t('memories.user.erased')} tabIndex={0}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{t('memories.user.kind')}</th>
                <th scope="col" class="number">
                  {t('memories.user.deletedRows')}
                </th>
                <th scope="col" class="number">
                  {t('memories.user.redactedRows')}
                </th>
              </tr>
            </thead>
            <tbody>
              {touched.map(({ kind, deleted, redacted }) => (
                <tr key={kind}>
                  <td>{kind}</td>
                  <td class="number">{formatNumber(deleted)}</td>
                  <td class="number">{formatNumber(redacted)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {status === 'done' && touched.length === 0 && <p>{t('memories.user.nothingKnown')}</p>}
      {backups !== null && backups.length > 0 && <p class="notice warn">{t('memories.user.backups', { names: backups.join(', ') })}</p>}
    </div>
  );
}
