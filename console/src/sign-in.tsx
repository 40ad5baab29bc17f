// The sign-in that stands before everything else when the server has an API key.
import { useSignal } from '@preact/signals';
import { ParleyError } from 'parley-client';
import type { JSX } from 'preact';
import { access, credential, errorText, parley, signIn } from './api.js';
import { t } from './i18n.js';
import { Button, Check, Field } from './ui/controls.js';
import { notifyError } from './ui/dialogs.js';

async function checkAccess(): Promise<void> {
  try {
    await parley.call('GET /api/agents', { query: { limit: 1 } });
    access.value = 'granted';
  } catch (error) {
    const refused = error instanceof ParleyError && (error.status === 401 || error.status === 403);
    access.value = refused ? 'needs-key' : 'granted';
    if (!refused) notifyError(error);
  }
}
void checkAccess();

export function SignInPage(): JSX.Element {
  const key = useSignal('');
  const remember = useSignal(false);
  const fault = useSignal<string | undefined>(credential.value === undefined ? undefined : t('signIn.refused'));
  const busy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    try {
      await signIn(key.value.trim(), remember.value);
      access.value = 'granted';
    } catch (error) {
      fault.value = error instanceof ParleyError && error.status === 401 ? t('signIn.refused') : errorText(error);
    }
    busy.value = false;
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <h1>{t('signIn.title')}</h1>
        <p class="soft">{t('signIn.about')}</p>
        <Field label={t('signIn.key')} fault={fault.value}>
          <input
            class="input mono"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            value={key.value}
            onInput={(event) => {
              key.value = event.currentTarget.value;
            }}
          />
        </Field>
        <Check
          label={t('signIn.remember')}
          hint={t('signIn.rememberHint')}
          checked={remember.value}
          onChange={(checked) => {
            remember.value = checked;
          }}
        />
        <Button kind="primary" type="submit" busy={busy.value} disabled={key.value.trim() === ''}>
          {t('signIn.submit')}
        </Button>
      </form>
    </main>
  );
}
