// The language model of the server: what has chosen it, and the form in which an administrator chooses another.
import type { ServerModelView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { hostOf, serviceName } from '../../service-name.js';
import { serverStatus } from '../../store/server-status.js';
import { Button } from '../../ui/controls.js';
import { attempt, confirm } from '../../ui/dialogs.js';
import { Async } from '../../ui/states.js';
import { ModelForm } from './model-form.js';

export default function ModelPage(): JSX.Element {
  const model = useLoad((signal) => parley.call('GET /api/server/model', { signal }), []);
  const remove = async (): Promise<void> => {
    if (!(await confirm({ title: t('model.removeTitle'), text: t('model.removeText'), action: t('common.remove'), danger: true }))) return;
    await attempt(async () => model.set(await parley.call('DELETE /api/server/model')), t('model.removed'));
  };
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="grow">{t('nav.model')}</h1>
      </header>
      <Async of={model}>
        {(current) => (
          <>
            <p class="soft">{t('model.about')}</p>
            <InUse model={current} />
            {current.source === 'environment' ? (
              <p class="notice">{t('model.byEnvironment', { variables: current.variables.join(', ') })}</p>
            ) : (
              <ModelForm key={current.source} model={current} onSaved={model.set} />
            )}
            {current.source === 'administrator' && (
              <div>
                <Button icon="trash" onClick={() => void remove()}>
                  {t('model.remove')}
                </Button>
              </div>
            )}
          </>
        )}
      </Async>
    </div>
  );
}

function InUse({ model: { source, provider, model, address } }: { readonly model: ServerModelView }): JSX.Element {
  const host = source === 'administrator' ? hostOf(address) : (serverStatus.value?.modelHost ?? null);
  return (
    <dl class="facts">
      <dt>{t('model.inUse')}</dt>
      <dd>{provider === 'offline' ? t('status.offline') : `${model} (${serviceName(provider, host)})`}</dd>
      <dt>{t('model.chosenBy')}</dt>
      <dd>{t(`model.source.${source}`)}</dd>
    </dl>
  );
}
