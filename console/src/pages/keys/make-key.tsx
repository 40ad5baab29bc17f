// The form of a new key, and its text, which the server says only once.
import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { errorText, parley } from '../../api.js';
import { t } from '../../i18n.js';
import { agents } from '../../store/agents.js';
import { Button, Check, Field, Search, Select } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialogs.js';
import { Code } from '../../ui/text.js';
import { atMost } from '../../ui/characters.js';

type Scope = 'read' | 'write' | 'admin';
const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];
const DAYS = ['7', '30', '90', '365'] as const;
/** Empty for a key that never expires. */
type Days = (typeof DAYS)[number] | '';
const DAY_MS = 86_400_000;
/** More agents than these are found by search. */
const AGENTS_SHOWN = 50;

interface MakeKeyProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

export function MakeKey({ onMade, onClose }: MakeKeyProps): JSX.Element {
  const form = useKeyForm(onMade);
  const name = form.name.value.trim();
  // One dialog for both: it stays open when the form gives way to the key.
  return form.token.value === undefined ? (
    <Dialog title={t('keys.make')} onClose={onClose}>
      <KeyForm form={form} onClose={onClose} />
    </Dialog>
  ) : (
    <Dialog title={t('keys.made', { name })} onClose={onClose}>
      <MadeKey token={form.token.value} onClose={onClose} />
    </Dialog>
  );
}

interface KeyFormState {
  readonly name: Signal<string>;
  readonly scope: Signal<Scope>;
  readonly days: Signal<Days>;
  readonly chosen: Signal<readonly string[]>;
  readonly allUsers: Signal<boolean>;
  readonly busy: Signal<boolean>;
  readonly fault: Signal<string | undefined>;
  /** The text of the key, once it is made. */
  readonly token: Signal<string | undefined>;
  readonly submit: () => Promise<void>;
}

function useKeyForm(onMade: () => void): KeyFormState {
  const name = useSignal('');
  const scope = useSignal<Scope>('read');
  const days = useSignal<Days>('90');
  const chosen = useSignal<readonly string[]>([]);
  const allUsers = useSignal(false);
  const busy = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const token = useSignal<string | undefined>(undefined);
  const submit = async (): Promise<void> => {
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
  return { name, scope, days, chosen, allUsers, busy, fault, token, submit };
}

function MadeKey({ token, onClose }: { readonly token: string; readonly onClose: () => void }): JSX.Element {
  return (
    <>
      <p role="status">{t('keys.once')}</p>
      <Code text={token} label={t('keys.text')} wrap />
      <div class="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </>
  );
}

function KeyForm({ form, onClose }: { readonly form: KeyFormState; readonly onClose: () => void }): JSX.Element {
  const { name, chosen, allUsers, busy, fault, submit } = form;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label={t('common.name')} hint={t('keys.nameHint')} fault={fault.value}>
        <input
          class="input"
          required
          {...atMost(255)}
          autocomplete="off"
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </Field>
      <ScopeField scope={form.scope} />
      <ExpiryField days={form.days} />
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
  );
}

function ScopeField({ scope }: { readonly scope: Signal<Scope> }): JSX.Element {
  return (
    <Field label={t('keys.scope')} hint={t(`keys.scopeHints.${scope.value}`)}>
      <Select
        value={scope.value}
        options={SCOPES.map((value) => ({ value, label: t(`keys.scopes.${value}`) }))}
        onSelect={(value) => {
          scope.value = value;
        }}
      />
    </Field>
  );
}

function ExpiryField({ days }: { readonly days: Signal<Days> }): JSX.Element {
  return (
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
