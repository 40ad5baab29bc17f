import { useSignal } from '@preact/signals';
import { ParleyError, type ModelTrialView, type ServerModelView } from 'parley-client';
import type { JSX } from 'preact';
import { errorText, parley } from '../../api.js';
import { formatDuration, t } from '../../i18n.js';
import { Button, Field, Select } from '../../ui/controls.js';
import { notify, notifyError } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';

const FIELDS = ['address', 'model', 'key'] as const;

/** The error of a field. */
interface Fault {
  readonly field: (typeof FIELDS)[number];
  readonly text: string;
}

type Service = 'openai' | 'compatible' | 'anthropic' | 'ollama';
const SERVICES: readonly Service[] = ['openai', 'compatible', 'anthropic', 'ollama'];
/** Of each service: its address when none is given, and a model that it has. */
const EXAMPLES: Readonly<Record<Service, { readonly address: string; readonly model: string }>> = {
  openai: { address: 'https://api.openai.com/v1', model: 'gpt-4o-mini' },
  compatible: { address: 'https://models.example.com/v1', model: 'my-model' },
  anthropic: { address: 'https://api.anthropic.com/v1', model: 'claude-sonnet-4-5' },
  ollama: { address: 'http://127.0.0.1:11434/v1', model: 'llama3.2' },
};

interface ModelFormProps {
  readonly model: ServerModelView;
  readonly onSaved: (model: ServerModelView) => void;
}

export function ModelForm({ model: stored, onSaved }: ModelFormProps): JSX.Element {
  const service = useSignal(serviceOf(stored));
  const model = useSignal(stored.source === 'administrator' ? stored.model : '');
  const address = useSignal(stored.address ?? '');
  const key = useSignal('');
  const busy = useSignal<'trial' | 'save' | undefined>(undefined);
  const trial = useSignal<ModelTrialView | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  const errorAt = (field: Fault['field']): string | undefined => (fault.value?.field === field ? fault.value.text : undefined);
  const example = EXAMPLES[service.value];
  const change = (field: { value: string }, value: string): void => {
    field.value = value;
    trial.value = undefined;
    fault.value = undefined;
  };
  const body = () => ({
    provider: service.value === 'compatible' ? ('openai' as const) : service.value,
    model: model.value.trim(),
    address: service.value === 'openai' || address.value.trim() === '' ? null : address.value.trim(),
    ...(key.value.trim() !== '' && { key: key.value.trim() }),
  });
  const run = async (name: 'trial' | 'save', work: () => Promise<void>): Promise<void> => {
    busy.value = name;
    fault.value = undefined;
    try {
      await work();
    } catch (error) {
      fault.value = errorOf(error);
      if (!fault.value) notifyError(error);
    }
    busy.value = undefined;
  };
  const tryIt = (): Promise<void> =>
    run('trial', async () => {
      trial.value = undefined;
      trial.value = await parley.call('POST /api/server/model/trial', { body: body() });
    });
  const save = (): Promise<void> =>
    run('save', async () => {
      const saved = await parley.call('PUT /api/server/model', { body: body() });
      key.value = '';
      onSaved(saved);
      notify(t('model.saved'));
    });
  const incomplete = model.value.trim() === '' || (service.value === 'compatible' && address.value.trim() === '');
  return (
    <form
      class="card pad stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t('model.service')}>
        <Select<Service>
          value={service.value}
          options={SERVICES.map((value) => ({ value, label: t(`model.services.${value}`) }))}
          onSelect={(value) => change(service, value)}
        />
      </Field>
      {service.value !== 'openai' && (
        <Field
          label={t('model.address')}
          hint={t(stored.localAddresses ? 'model.localAllowed' : 'model.localRefused')}
          fault={errorAt('address')}
        >
          <input
            class="input"
            type="url"
            placeholder={example.address}
            value={address.value}
            onInput={(event) => change(address, event.currentTarget.value)}
          />
        </Field>
      )}
      <Field label={t('model.name')} hint={t('model.nameHint', { example: example.model })} fault={errorAt('model')}>
        <input class="input" required maxLength={255} value={model.value} onInput={(event) => change(model, event.currentTarget.value)} />
      </Field>
      {service.value !== 'ollama' && (
        <Field label={t('model.key')} hint={t(stored.hasKey ? 'model.keyStays' : 'model.keyHint')} fault={errorAt('key')}>
          <input
            class="input"
            type="password"
            autocomplete="off"
            value={key.value}
            onInput={(event) => change(key, event.currentTarget.value)}
          />
        </Field>
      )}
      {trial.value && <Outcome trial={trial.value} />}
      <div class="row wrap">
        <Button icon="play" disabled={incomplete || busy.value !== undefined} busy={busy.value === 'trial'} onClick={() => void tryIt()}>
          {t('model.try')}
        </Button>
        <Button kind="primary" type="submit" disabled={incomplete || busy.value !== undefined} busy={busy.value === 'save'}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

/** What the model said, or why it did not. */
function Outcome({ trial: { text, durationMs, error } }: { readonly trial: ModelTrialView }): JSX.Element {
  return (
    <div class={`notice ${error === null ? '' : 'bad'}`} role="status">
      <Icon name={error === null ? 'check' : 'warning'} />
      <span class="grow break">
        <span class="strong">{error === null ? t('model.answered', { time: formatDuration(durationMs) }) : error.message}</span>{' '}
        {error === null ? text : error.details}
      </span>
    </div>
  );
}

/** The fault of a field that the server names first; undefined for other errors. */
function errorOf(error: unknown): Fault | undefined {
  if (!(error instanceof ParleyError) || error.code !== 'VALIDATION_ERROR') return undefined;
  const field = FIELDS.find((name) => error.message.startsWith(`${name} `));
  return field && { field, text: errorText(error) };
}

function serviceOf({ source, provider, address }: ServerModelView): Service {
  if (source !== 'administrator') return 'openai';
  if (provider === 'openai' && address !== null) return 'compatible';
  return SERVICES.find((service) => service === provider) ?? 'openai';
}
