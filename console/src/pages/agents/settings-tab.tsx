// Settings of a character: model, services of its own, speech, sessions, and whatever else plugins read.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Field, Select } from '../../ui/controls.js';
import { parseCharacter, same, textIn, type Fields } from './character.js';
import type { CharacterEditor } from './editor.js';

type Range = readonly [min: number, max: number, step: number | 'any'];

const CHOICES = {
  modelProvider: ['openai', 'anthropic', 'ollama', 'offline'],
  speechProvider: ['embedded', 'openai', 'elevenlabs', 'sherpa', 'none'],
  transcriptionProvider: ['embedded', 'openai', 'elevenlabs', 'sherpa', 'none'],
} as const;
const NUMBERS = {
  temperature: [0, 2, 'any'],
  maxTokens: [1, 1_000_000, 1],
  maxToolRounds: [0, 100, 1],
  actionTimeoutMs: [1, 86_400_000, 1],
  SESSION_TIMEOUT_MINUTES: [5, 1440, 1],
  SESSION_MAX_DURATION_MINUTES: [5, 2880, 1],
  SESSION_WARNING_THRESHOLD_MINUTES: [1, 1440, 1],
} as const satisfies Record<string, Range>;
const FLAGS = ['supportsImages', 'supportsDocuments', 'SESSION_AUTO_RENEW'] as const;
/** Addresses of services, with the name of the secret that goes to each. */
const SERVICES = [
  ['OPENAI_BASE_URL', 'OPENAI_API_KEY'],
  ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'],
  ['OLLAMA_BASE_URL', undefined],
  ['OPENAI_AUDIO_BASE_URL', undefined],
  ['ELEVENLABS_BASE_URL', 'ELEVENLABS_API_KEY'],
] as const;

type ChoiceName = keyof typeof CHOICES;
type NumberName = keyof typeof NUMBERS;
type FlagName = (typeof FLAGS)[number];

const SHOWN: ReadonlySet<string> = new Set([
  ...[...Object.keys(CHOICES), ...Object.keys(NUMBERS), ...FLAGS, ...SERVICES.map(([address]) => address)],
  ...['model', 'voice', 'MEMORY_EXTRACTION'],
]);

interface TabProps {
  readonly editor: CharacterEditor;
}

export function SettingsTab({ editor }: TabProps): JSX.Element {
  return (
    <>
      <Group title="model">
        <Choice editor={editor} name="modelProvider" />
        <TextSetting editor={editor} name="model" />
        <NumberSetting editor={editor} name="temperature" />
        <NumberSetting editor={editor} name="maxTokens" />
        <NumberSetting editor={editor} name="maxToolRounds" />
        <NumberSetting editor={editor} name="actionTimeoutMs" />
        <Flag editor={editor} name="supportsImages" />
        <Flag editor={editor} name="supportsDocuments" />
      </Group>
      <Group title="services" about>
        {SERVICES.map(([address, key]) => (
          <Service key={address} editor={editor} address={address} secret={key} />
        ))}
      </Group>
      <Group title="memory">
        <Extraction editor={editor} />
        <Choice editor={editor} name="speechProvider" />
        <Choice editor={editor} name="transcriptionProvider" />
      </Group>
      <Group title="sessions" about>
        <NumberSetting editor={editor} name="SESSION_TIMEOUT_MINUTES" />
        <NumberSetting editor={editor} name="SESSION_MAX_DURATION_MINUTES" />
        <NumberSetting editor={editor} name="SESSION_WARNING_THRESHOLD_MINUTES" />
        <Flag editor={editor} name="SESSION_AUTO_RENEW" />
      </Group>
      <section class="form-section" aria-label={t('agents.sections.others')}>
        <h2>{t('agents.sections.others')}</h2>
        <Others editor={editor} />
      </section>
    </>
  );
}

interface GroupProps {
  readonly title: 'model' | 'services' | 'memory' | 'sessions';
  readonly about?: boolean;
  readonly children: JSX.Element | readonly JSX.Element[];
}

function Group({ title, about = false, children }: GroupProps): JSX.Element {
  return (
    <section class="form-section" aria-label={t(`agents.sections.${title}`)}>
      <h2>{t(`agents.sections.${title}`)}</h2>
      {about && <p class="soft">{t(`agents.about.${title as 'services' | 'sessions'}`)}</p>}
      <div class="columns">{children}</div>
    </section>
  );
}

function TextSetting({ editor, name }: TabProps & { readonly name: 'model' }): JSX.Element {
  const value = editor.settings[name];
  return (
    <Field label={t(`agents.settings.${name}`)} hint={t(`agents.settingHints.${name}`)} fault={editor.errorAt(`settings.${name}`)}>
      <input
        class="input"
        autocomplete="off"
        placeholder={t('agents.asServer')}
        value={typeof value === 'string' ? value : ''}
        onInput={(event) => editor.setSetting(name, event.currentTarget.value || undefined)}
      />
    </Field>
  );
}

function NumberSetting({ editor, name }: TabProps & { readonly name: NumberName }): JSX.Element {
  const value = editor.settings[name];
  const [min, max, step] = NUMBERS[name];
  const wrong = typeof value === 'number' && (value < min || value > max || (step === 1 && !Number.isInteger(value)));
  const fault = editor.errorAt(`settings.${name}`) ?? (wrong ? t('agents.outOfRange', { min, max }) : undefined);
  return (
    <Field label={t(`agents.settings.${name}`)} hint={t(`agents.settingHints.${name}`)} fault={fault}>
      <input
        class="input"
        type="number"
        {...{ min, max, step }}
        placeholder={t('agents.asServer')}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        onInput={({ currentTarget }) => editor.setSetting(name, currentTarget.value === '' ? undefined : currentTarget.valueAsNumber)}
      />
    </Field>
  );
}

function Choice({ editor, name }: TabProps & { readonly name: ChoiceName }): JSX.Element {
  const value = editor.settings[name];
  const known: readonly string[] = CHOICES[name];
  const current = typeof value === 'string' ? value : '';
  const options = ['', ...known, ...(known.includes(current) || current === '' ? [] : [current])];
  return (
    <Field label={t(`agents.settings.${name}`)} hint={t(`agents.settingHints.${name}`)} fault={editor.errorAt(`settings.${name}`)}>
      <Select
        value={current}
        options={options.map((option) => ({ value: option, label: option === '' ? t('agents.asServer') : option }))}
        onSelect={(chosen) => editor.setSetting(name, chosen || undefined)}
      />
    </Field>
  );
}

function Flag({ editor, name }: TabProps & { readonly name: FlagName }): JSX.Element {
  const value = editor.settings[name];
  return (
    <Field label={t(`agents.settings.${name}`)} hint={t(`agents.settingHints.${name}`)} fault={editor.errorAt(`settings.${name}`)}>
      <Select
        value={typeof value === 'boolean' ? String(value) : textIn(value)}
        options={[
          { value: '', label: t(name === 'SESSION_AUTO_RENEW' ? 'agents.asServer' : 'agents.asModel') },
          { value: 'true', label: t('common.yes') },
          { value: 'false', label: t('common.no') },
        ]}
        onSelect={(chosen) => editor.setSetting(name, chosen === '' ? undefined : chosen === 'true')}
      />
    </Field>
  );
}

function Extraction({ editor }: TabProps): JSX.Element {
  return (
    <Field label={t('agents.settings.MEMORY_EXTRACTION')} hint={t('agents.settingHints.MEMORY_EXTRACTION')}>
      <Select
        value={editor.settings['MEMORY_EXTRACTION'] === 'none' ? 'none' : ''}
        options={[
          { value: '', label: t('agents.asServer') },
          { value: 'none', label: t('common.no') },
        ]}
        onSelect={(chosen) => editor.setSetting('MEMORY_EXTRACTION', chosen || undefined)}
      />
    </Field>
  );
}

interface ServiceProps extends TabProps {
  readonly address: (typeof SERVICES)[number][0];
  readonly secret: string | undefined;
}

/** The address of a service and its key, which have to be changed together. */
function Service({ editor, address, secret }: ServiceProps): JSX.Element {
  const value = editor.settings[address];
  const { own, settings } = editor.storedSecrets.value;
  const isStored = secret !== undefined && [...own, ...settings].includes(secret);
  return (
    <div class="service">
      <Field label={t(`agents.settings.${address}`)} fault={editor.errorAt(`settings.${address}`)}>
        <input
          class="input"
          type="url"
          autocomplete="off"
          placeholder={t('agents.asServer')}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => editor.setSetting(address, event.currentTarget.value.trim() || undefined)}
        />
      </Field>
      {secret !== undefined && (
        <Field label={secret} fault={editor.errorAt(`secrets.${secret}`)}>
          <input
            class="input"
            type="password"
            autocomplete="new-password"
            placeholder={t(isStored ? 'agents.secretStored' : 'agents.secretNone')}
            value={editor.secrets.value[secret] ?? ''}
            onInput={(event) => editor.setSecret(secret, event.currentTarget.value || undefined)}
          />
        </Field>
      )}
    </div>
  );
}

/** Settings without a control of their own, as JSON. */
function Others({ editor }: TabProps): JSX.Element {
  const all = Object.entries(editor.settings);
  const others: Fields = Object.fromEntries(all.filter(([name]) => !SHOWN.has(name)));
  const typed = useSignal<{ readonly text: string; readonly value?: Fields; readonly fault?: string } | undefined>(undefined);
  // What another control or the server changed replaces what was typed.
  const { value: current } = typed;
  const isCurrent = current !== undefined && (current.value === undefined || same(current.value, others));
  const change = (text: string): void => {
    const value = text.trim() === '' ? {} : parseCharacter(text);
    if (value instanceof SyntaxError) {
      typed.value = { text, fault: value.message };
      return;
    }
    typed.value = { text, value };
    editor.set('settings', { ...Object.fromEntries(all.filter(([name]) => SHOWN.has(name))), ...value });
  };
  const text = Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2);
  return (
    <Field
      label={t('agents.settings.others')}
      hint={t('agents.settingHints.others')}
      fault={isCurrent && current.fault !== undefined ? t('agents.noJson', { fault: current.fault }) : undefined}
    >
      <textarea
        class="input growing mono"
        spellcheck={false}
        placeholder="{ }"
        value={isCurrent ? current.text : text}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </Field>
  );
}
