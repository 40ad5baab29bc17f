import { useSignal } from '@preact/signals';
import type { ModelServiceView, StatusView } from '@parley/client';
import type { JSX } from 'preact';
import { parley } from './api.js';
import { formatDuration, t } from './i18n.js';
import { useLoad } from './load.js';
import { Problems } from './problems.js';
import { Button, Dot } from './ui/controls.js';
import { Dialog } from './ui/dialogs.js';
import { Code, Time } from './ui/text.js';

const INTERVAL_MS = 15_000;
const OFFLINE_LINE = 'OPENAI_API_KEY=sk-… npm start';

/** The state of the server in one line: model, recall, speech, data folder, version. */
export function StatusLine(): JSX.Element {
  const status = useLoad((signal) => parley.call('GET /api/server/status', { signal }), [], { everyMs: INTERVAL_MS });
  const { data, state } = status.value;
  return (
    <footer class="status-line" aria-label={t('status.label')}>
      {state === 'failed' && (
        <span class="row" role="alert">
          <Dot tone="bad" /> {t('status.unreachable')}
        </span>
      )}
      {data && <Facts status={data} />}
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
        <FailingService key={`${service.kind}${service.provider}${service.model}`} service={service} />
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
  const open = useSignal(false);
  const { provider, model } = status.models.chat;
  if (provider !== 'offline') {
    return (
      <span>
        {t('status.model')}: <span class="strong">{model}</span> ({provider})
      </span>
    );
  }
  return (
    <>
      <Button kind="plain" class="status-button" onClick={() => (open.value = true)}>
        <Dot tone="warn" /> {t('status.offline')}
      </Button>
      {open.value && (
        <Dialog title={t('status.offline')} onClose={() => (open.value = false)}>
          <p>{t('status.offlineHint')}</p>
          <Code text={OFFLINE_LINE} />
        </Dialog>
      )}
    </>
  );
}

function FailingService({ service }: { readonly service: ModelServiceView }): JSX.Element {
  const open = useSignal(false);
  const { lastFailure, model, provider } = service;
  return (
    <>
      <Button kind="plain" class="status-button" onClick={() => (open.value = true)}>
        <Dot tone="bad" /> {model}: {t('status.failing')}
      </Button>
      {open.value && (
        <Dialog title={`${model} (${provider})`} onClose={() => (open.value = false)}>
          {lastFailure && (
            <>
              <p class="small faint">
                <Time at={lastFailure.at} /> · {lastFailure.code}
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
