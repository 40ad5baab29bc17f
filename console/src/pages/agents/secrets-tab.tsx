// Secrets: their names are shown, their values can only be replaced.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Badge, Button, Field } from '../../ui/controls.js';
import { Empty } from '../../ui/states.js';
import type { CharacterEditor } from './editor.js';

export function SecretsTab({ editor }: { readonly editor: CharacterEditor }): JSX.Element {
  const { own, settings } = editor.storedSecrets.value;
  const names = [...new Set([...own, ...settings, ...Object.keys(editor.secrets.value)])].sort();
  return (
    <section class="form-section" aria-labelledby="section-secrets">
      <h2 id="section-secrets">{t('agents.sections.secrets')}</h2>
      <p class="soft">{t('agents.about.secrets')}</p>
      {names.length === 0 ? (
        <Empty icon="key" title={t('agents.noSecrets')} />
      ) : (
        <ul class="secret-list">
          {names.map((name) => (
            <Secret key={name} editor={editor} name={name} isStored={own.includes(name) || settings.includes(name)} />
          ))}
        </ul>
      )}
      <NewSecret editor={editor} />
    </section>
  );
}

interface SecretProps {
  readonly editor: CharacterEditor;
  readonly name: string;
  readonly isStored: boolean;
}

function Secret({ editor, name, isStored }: SecretProps): JSX.Element {
  const replacing = useSignal(false);
  const change = editor.secrets.value[name];
  const fault = editor.errorAt(`secrets.${name}`) ?? editor.errorAt(`settings.secrets.${name}`);
  return (
    <li class="secret">
      <code class="grow break">{name}</code>
      <State change={change} isStored={isStored} />
      {replacing.value && (
        <Field label={t('agents.newValue', { name })} hideLabel fault={fault}>
          <input
            class="input"
            type="password"
            autocomplete="new-password"
            placeholder={t('agents.newValue', { name })}
            value={change ?? ''}
            onInput={(event) => editor.setSecret(name, event.currentTarget.value || undefined)}
          />
        </Field>
      )}
      {!replacing.value && change === undefined && (
        <Button aria-label={t('agents.replaceSecret', { name })} onClick={() => (replacing.value = true)}>
          {t('agents.replace')}
        </Button>
      )}
      {change === undefined && !replacing.value ? (
        <Button kind="danger" aria-label={t('agents.removeSecret', { name })} onClick={() => editor.setSecret(name, null)}>
          {t('common.remove')}
        </Button>
      ) : (
        <Button
          aria-label={t('agents.keepSecret', { name })}
          onClick={() => {
            replacing.value = false;
            editor.setSecret(name, undefined);
          }}
        >
          {t('agents.undo')}
        </Button>
      )}
    </li>
  );
}

function State({ change, isStored }: { readonly change: string | null | undefined; readonly isStored: boolean }): JSX.Element {
  if (change === null) return <Badge tone="bad">{t('agents.willBeRemoved')}</Badge>;
  if (change !== undefined) return <Badge tone="info">{t('agents.willBeSet')}</Badge>;
  return isStored ? <Badge tone="ok">{t('agents.isSet')}</Badge> : <Badge>{t('agents.secretNone')}</Badge>;
}

function NewSecret({ editor }: { readonly editor: CharacterEditor }): JSX.Element {
  const name = useSignal('');
  const value = useSignal('');
  const add = (event: Event): void => {
    event.preventDefault();
    editor.setSecret(name.value.trim(), value.value);
    name.value = '';
    value.value = '';
  };
  return (
    <form class="new-secret" autocomplete="off" onSubmit={add}>
      <Field label={t('agents.secretName')}>
        <input
          class="input mono"
          autocomplete="off"
          spellcheck={false}
          placeholder="OPENAI_API_KEY"
          value={name.value}
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
      </Field>
      <Field label={t('agents.secretValue')}>
        <input
          class="input"
          type="password"
          autocomplete="new-password"
          value={value.value}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      </Field>
      <Button type="submit" icon="plus" disabled={name.value.trim() === '' || value.value === ''}>
        {t('agents.addSecret')}
      </Button>
    </form>
  );
}
