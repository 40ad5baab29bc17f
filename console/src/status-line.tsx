import { useSignal } from '@preact/signals';
import type { ModelServiceView, StatusView } from 'parley-client';
import type { JSX } from 'preact';
import { credential, parley, reachable } from './api.js';
import { formatDuration, t } from './i18n.js';
import { useLoad } from './load.js';
import { serverStatus } from './store/server-status.js';
import { Problems } from './problems.js';
import { serviceName } from './service-name.js';
import { Button, Dot } from './ui/controls.js';
import { Dialog } from './ui/dialogs.js';
import { Time } from './ui/text.js';
import { reasonName } from './why/reasons.js';

const INTERVAL_MS = 15_000;
/** While the server does not respond. */
const RETRY_MS = 3000;

/** The state of the server in one line: model, recall, speech, data folder, version. */
export function StatusLine(): JSX.Element {
  const load = async (signal: AbortSignal): Promise<StatusView> => {
    const loaded = await parley.call('GET /api/server/status', { signal });
    serverStatus.value = loaded;
    return loaded;
  };
  const status = useLoad(load, [reachable.value, credential.value], { everyMs: reachable.value ? INTERVAL_MS : RETRY_MS });
  const { data, state } = status.value;
  const lost = !reachable.value || state === 'failed';
  return (
    <footer class="status-line" aria-label={t('status.label')}>
      {lost && (
        <span class="row" role="alert">
          <Dot tone="bad" /> {t('status.unreachable')}
        </span>
      )}
      {data && !lost && <Facts status={data} />}
    </footer>
  );
}

function Facts({ status }: { readonly status: StatusView }): JSX.Element {
  const { models, speech } = status;
  const engines = [...new Set([speech.synthesis?.engine, speech.transcription?.engine].filter((engine) => engine !== undefined))];
  const isAdministrator = status.dataFolder !== null;
  const failing = models.services.filter((service) => service.failing);
  return (
    <>
      {isAdministrator && <Problems />}
      <Model status={status} />
      {failing.map((service) => (
        <FailingService
          key={`${service.kind}${service.provider}${service.model}`}
          service={service}
          host={service.ofAgent ? null : status.modelHost}
        />
      ))}
      <span class="facultative">
        {t('status.recall')}: {models.embeddings?.model ?? t('status.wordsOnly')}
      </span>
      <span class="facultative">
        {t('status.speech')}: {engines.length > 0 ? engines.join(', ') : t('status.off')}
      </span>
      <span class="grow" />
      {isAdministrator && (
        <span class="facultative truncate" title={status.dataFolder ?? ''}>
          {t('status.data')}: {status.dataFolder}
        </span>
      )}
      <span class="facultative figures">
        {t('status.uptime')} {formatDuration(status.uptime * 1000)}
      </span>
      <span class="facultative">Parley {status.version}</span>
    </>
  );
}

function Model({ status }: { readonly status: StatusView }): JSX.Element {
  const { provider, model } = status.models.chat;
  const isOffline = provider === 'offline';
  return (
    <a class="status-button row" href="/model" title={isOffline ? t('status.offlineHint') : undefined}>
      {isOffline ? (
        <>
          <Dot tone="warn" /> {t('status.offline')}
        </>
      ) : (
        <span>
          {t('status.model')}: <span class="strong">{model}</span> ({serviceName(provider, status.modelHost)})
        </span>
      )}
    </a>
  );
}

interface FailingServiceProps {
  readonly service: ModelServiceView;
  /** Of a compatible service of the server. */
  readonly host: string | null;
}

function FailingService({ service, host }: FailingServiceProps): JSX.Element {
  const open = useSignal(false);
  const { lastFailure, model, provider } = service;
  return (
    <>
      <Button kind="plain" class="status-button" onClick={() => (open.value = true)}>
        <Dot tone="bad" /> {model}: {t('status.failing')}
      </Button>
      {open.value && (
        <Dialog title={`${model} (${serviceName(provider, host)})`} onClose={() => (open.value = false)}>
          {lastFailure && (
            <>
              <p class="small faint">
                <Time at={lastFailure.at} /> · {reasonName(lastFailure.code)}
              </p>
              <p class="strong">{lastFailure.message}</p>
              <p>{lastFailure.details}</p>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}
