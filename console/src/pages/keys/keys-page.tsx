// API keys: made with limits, shown once, revoked. The audit log, which says who changed what, stands beside them.
import { useSignal } from '@preact/signals';
import type { KeyView } from 'parley-client';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import type { PageProps } from '../../page-props.js';
import { navigate } from '../../router.js';
import { agentName, watchAgents } from '../../store/agents.js';
import { Badge, Button, Tabs } from '../../ui/controls.js';
import { attempt, confirm } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { Id, Time } from '../../ui/text.js';
import { AuditLog } from './audit-log.js';
import { MakeKey } from './make-key.js';
import './keys.css';

const SHOWN = 100;

type View = 'keys' | 'audit';

export default function KeysPage({ params }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  const view: View = params['view'] === 'audit' ? 'audit' : 'keys';
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('nav.keys')}</h1>
      </header>
      <Tabs<View>
        label={t('nav.keys')}
        tabs={[
          { id: 'keys', label: t('nav.keys') },
          { id: 'audit', label: t('audit.title') },
        ]}
        selected={view}
        panel="keys-panel"
        onSelect={(wanted) => navigate(wanted === 'audit' ? '/keys/audit' : '/keys')}
      />
      <div id="keys-panel" class="stack" role="tabpanel" aria-label={view === 'audit' ? t('audit.title') : t('nav.keys')}>
        {view === 'audit' ? <AuditLog /> : <Keys />}
      </div>
    </div>
  );
}

function Keys(): JSX.Element {
  const keys = useLoad(async (signal) => (await parley.call('GET /api/keys', { signal })).keys, []);
  const making = useSignal(false);
  const revoke = async (key: KeyView): Promise<void> => {
    const asked = {
      title: t('keys.revokeTitle', { name: key.name }),
      text: t('keys.revokeText'),
      action: t('keys.revoke'),
      danger: true,
    };
    if (!(await confirm(asked))) return;
    await attempt(() => parley.call('DELETE /api/keys/{keyId}', { path: { keyId: key.id } }), t('keys.revoked', { name: key.name }));
    keys.reload();
  };
  return (
    <>
      <div class="row wrap">
        <p class="soft grow">{t('keys.about')}</p>
        <Button
          kind="primary"
          needs="admin"
          icon="plus"
          onClick={() => {
            making.value = true;
          }}
        >
          {t('keys.make')}
        </Button>
      </div>
      <Async of={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="key" title={t('keys.empty')}>
              <p>{t('keys.emptyHint')}</p>
            </Empty>
          ) : (
            <KeyTable keys={list} onRevoke={(key) => void revoke(key)} />
          )
        }
      </Async>
      {making.value && (
        <MakeKey
          onMade={keys.reload}
          onClose={() => {
            making.value = false;
          }}
        />
      )}
    </>
  );
}

function KeyTable({ keys, onRevoke }: { readonly keys: readonly KeyView[]; readonly onRevoke: (key: KeyView) => void }): JSX.Element {
  const shown = useSignal(SHOWN);
  return (
    <>
      <div class="card table-scroll" role="region" aria-label={t('nav.keys')} tabIndex={0}>
        <table class="table keys-table">
          <thead>
            <tr>
              <th scope="col">{t('common.name')}</th>
              <th scope="col">{t('common.status')}</th>
              <th scope="col">{t('keys.scope')}</th>
              <th scope="col">{t('keys.limits')}</th>
              <th scope="col">{t('keys.lastUse')}</th>
              <th scope="col">{t('keys.createdAt')}</th>
              <th scope="col">{t('keys.expiresAt')}</th>
              <th scope="col">
                <span class="visually-hidden">{t('keys.revoke')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.slice(0, shown.value).map((key) => (
              <KeyRow key={key.id} of={key} onRevoke={() => onRevoke(key)} />
            ))}
          </tbody>
        </table>
      </div>
      {keys.length > shown.value && (
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

function KeyRow({ of: key, onRevoke }: { readonly of: KeyView; readonly onRevoke: () => void }): JSX.Element {
  return (
    <tr>
      <td>
        <span class="strong">{key.name}</span>
        <Id id={key.id} />
      </td>
      <td>
        <State of={key} />
      </td>
      <td>{t(`keys.scopes.${key.scope as 'read' | 'write' | 'admin'}`)}</td>
      <td class="soft">
        <Limits of={key} />
      </td>
      <td class="soft">{key.lastUsedAt === null ? t('keys.neverUsed') : <Time at={key.lastUsedAt} />}</td>
      <td class="soft">
        <Time at={key.createdAt} />
      </td>
      <td class="soft">{key.expiresAt === null ? t('keys.never') : <Time at={key.expiresAt} />}</td>
      <td>
        {key.revokedAt === null && (
          <Button kind="plain" aria-label={t('keys.revokeTitle', { name: key.name })} onClick={onRevoke}>
            {t('keys.revoke')}
          </Button>
        )}
      </td>
    </tr>
  );
}

function State({ of: key }: { readonly of: KeyView }): JSX.Element {
  if (key.revokedAt !== null) return <Badge tone="bad">{t('keys.stateRevoked')}</Badge>;
  const expired = key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now();
  return expired ? <Badge tone="warn">{t('keys.stateExpired')}</Badge> : <Badge tone="ok">{t('keys.stateValid')}</Badge>;
}

function Limits({ of: key }: { readonly of: KeyView }): JSX.Element {
  const users = Array.isArray(key.users) ? key.users.length : 0;
  return (
    <span class="stack tight">
      <span>{key.agents === null ? t('common.allAgents') : key.agents.map(agentName).join(', ')}</span>
      {key.users === 'all' && <span>{t('keys.allUsers')}</span>}
      {users > 0 && <span>{t('keys.someUsers', { count: users })}</span>}
    </span>
  );
}
