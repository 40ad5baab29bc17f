// The form of a new key, and its text, which the server says only once.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { errorText, parley } from '../../api.js';
import { t } from '../../i18n.js';
import { agents } from '../../store/agents.js';
import { Button, Check, Field, Search, Select } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialogs.js';
import { Code } from '../../ui/text.js';

type Scope = 'read' | 'write' | 'admin';
const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];
const DAYS = ['7', '30', '90', '365'] as const;
const DAY_MS = 86_400_000;
/** More agents than these are found by search. */
const AGENTS_SHOWN = 50;

interface MakeKeyProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

export function MakeKey({ onMade, onClose }: MakeKeyProps): JSX.Element {
  const name = useSignal('');
  const scope = useSignal<Scope>('read');
  const days = useSignal<(typeof DAYS)[number] | ''>('90');
  const chosen = useSignal<readonly string[]>([]);
  const allUsers = useSignal(false);
  const busy = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const token = useSignal<string | undefined>(undefined);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    fault.value = undefined;
    try {
      const made = await parley.call('POST /api/keys', {
        body: {
          name: name.value.trim(),
          scope: scope.value,
          ...(chosen.value.length > 0 && { agents: [...chosen.value] }),
          ...(allUsers.value && { users: 'all' as const }),
          ...(days.value !== '' && { expiresAt: new Date(Date.now() + Number(days.value) * DAY_MS).toISOString() }),
        },
      });
      token.value = made.token;
      onMade();
    } catch (error) {
      fault.value = errorText(error);
    }
    busy.value = false;
  };
  if (token.value !== undefined) {
    return (
      <Dialog title={t('keys.made', { name: name.value.trim() })} onClose={onClose}>
        <p role="status">{t('keys.once')}</p>
        <Code text={token.value} label={t('keys.text')} wrap />
        <div class="dialog-actions">
          <Button kind="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('keys.make')} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <Field label={t('common.name')} hint={t('keys.nameHint')} fault={fault.value}>
          <input
            class="input"
            required
            maxLength={255}
            autocomplete="off"
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </Field>
        <Field label={t('keys.scope')} hint={t(`keys.scopeHints.${scope.value}`)}>
          <Select
            value={scope.value}
            options={SCOPES.map((value) => ({ value, label: t(`keys.scopes.${value}`) }))}
            onSelect={(value) => {
              scope.value = value;
            }}
          />
        </Field>
        <Field label={t('keys.expiresAt')}>
          <Select
            value={days.value}
            options={[
              ...DAYS.map((value) => ({ value, label: t('keys.days', { count: Number(value) }) })),
              { value: '', label: t('keys.never') },
            ]}
            onSelect={(value) => {
              days.value = value;
            }}
          />
        </Field>
        <AgentChoice
          chosen={chosen.value}
          onChange={(ids) => {
            chosen.value = ids;
          }}
        />
        <Check
          label={t('keys.allUsers')}
          hint={t('keys.allUsersHint')}
          checked={allUsers.value}
          onChange={(checked) => {
            allUsers.value = checked;
          }}
        />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" busy={busy.value} disabled={name.value.trim() === ''}>
            {t('common.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface AgentChoiceProps {
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

function AgentChoice({ chosen, onChange }: AgentChoiceProps): JSX.Element {
  const words = useSignal('');
  const all = agents.value ?? [];
  const found = all.filter(({ id, name }) => chosen.includes(id) || name.toLowerCase().includes(words.value.toLowerCase()));
  return (
    <fieldset class="key-agents">
      <legend>{t('keys.agents')}</legend>
      <span class="soft">{t('keys.agentsHint')}</span>
      {all.length > AGENTS_SHOWN && (
        <Search
          value={words.value}
          onInput={(value) => {
            words.value = value;
          }}
        />
      )}
      <div class="key-agent-list">
        {found.slice(0, AGENTS_SHOWN + chosen.length).map(({ id, name }) => (
          <Check
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={(checked) => onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
          />
        ))}
      </div>
    </fieldset>
  );
}
