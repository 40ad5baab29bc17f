import { useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { ParleyError, type ModelTrialView, type ServerModelView } from 'parley-client';
import type { JSX } from 'preact';
import { errorText, parley } from '../../api.js';
import { formatDuration, t } from '../../i18n.js';
import { Button, Field, Select } from '../../ui/controls.js';
import { notify, notifyError } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { atMost } from '../../ui/characters.js';

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
  const form = useModelForm(stored, onSaved);
  const { service, model, address, busy, trial, fault, change } = form;
  const errorAt = (field: Fault['field']): string | undefined => (fault.value?.field === field ? fault.value.text : undefined);
  const example = EXAMPLES[service.value];
  const incomplete = model.value.trim() === '' || (service.value === 'compatible' && address.value.trim() === '');
  return (
    <form
      class="card pad stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      <Field label={t('model.service')}>
        <Select<Service>
          value={service.value}
          options={SERVICES.map((value) => ({ value, label: t(`model.services.${value}`) }))}
          onSelect={(value) => change(service, value)}
        />
      </Field>
      {service.value !== 'openai' && <AddressField form={form} localAllowed={stored.localAddresses} fault={errorAt('address')} />}
      <Field label={t('model.name')} hint={t('model.nameHint', { example: example.model })} fault={errorAt('model')}>
        <input class="input" required {...atMost(255)} value={model.value} onInput={(event) => change(model, event.currentTarget.value)} />
      </Field>
      {service.value !== 'ollama' && <KeyField form={form} hasKey={stored.hasKey} fault={errorAt('key')} />}
      {trial.value && <Outcome trial={trial.value} />}
      <div class="row wrap">
        <Button
          icon="play"
          disabled={incomplete || busy.value !== undefined}
          busy={busy.value === 'trial'}
          onClick={() => void form.tryIt()}
        >
          {t('model.try')}
        </Button>
        <Button kind="primary" type="submit" disabled={incomplete || busy.value !== undefined} busy={busy.value === 'save'}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  );
}

interface ModelFormState {
  readonly service: Signal<Service>;
  readonly model: Signal<string>;
  readonly address: Signal<string>;
  readonly key: Signal<string>;
  readonly busy: ReadonlySignal<'trial' | 'save' | undefined>;
  readonly trial: ReadonlySignal<ModelTrialView | undefined>;
  readonly fault: ReadonlySignal<Fault | undefined>;
  /** Sets a field; the trial and the fault were of the values before. */
  readonly change: <T extends string>(field: Signal<T>, value: T) => void;
  readonly tryIt: () => Promise<void>;
  readonly save: () => Promise<void>;
}

function useModelForm(stored: ServerModelView, onSaved: ModelFormProps['onSaved']): ModelFormState {
  const service = useSignal(serviceOf(stored));
  const model = useSignal(stored.source === 'administrator' ? stored.model : '');
  const address = useSignal(stored.address ?? '');
  const key = useSignal('');
  const busy = useSignal<'trial' | 'save' | undefined>(undefined);
  const trial = useSignal<ModelTrialView | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  const change: ModelFormState['change'] = (field, value) => {
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
  return { service, model, address, key, busy, trial, fault, change, tryIt, save };
}

interface FieldProps {
  readonly form: ModelFormState;
  readonly fault: string | undefined;
}

function AddressField({ form, localAllowed, fault }: FieldProps & { readonly localAllowed: boolean }): JSX.Element {
  const { service, address, change } = form;
  return (
    <Field label={t('model.address')} hint={t(localAllowed ? 'model.localAllowed' : 'model.localRefused')} fault={fault}>
      <input
        class="input"
        type="url"
        placeholder={EXAMPLES[service.value].address}
        value={address.value}
        onInput={(event) => change(address, event.currentTarget.value)}
      />
    </Field>
  );
}

function KeyField({ form, hasKey, fault }: FieldProps & { readonly hasKey: boolean }): JSX.Element {
  const { key, change } = form;
  return (
    <Field label={t('model.key')} hint={t(hasKey ? 'model.keyStays' : 'model.keyHint')} fault={fault}>
      <input
        class="input"
        type="password"
        autocomplete="off"
        value={key.value}
        onInput={(event) => change(key, event.currentTarget.value)}
      />
    </Field>
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
