import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Button, Field } from '../../ui/controls.js';

interface EditTextProps {
  readonly text: string;
  /** @returns whether it was saved, which closes the form */
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
}

/** The text of a memory to change. */
export function EditText({ text, onSave, onClose }: EditTextProps): JSX.Element {
  const draft = useSignal(text);
  const busy = useSignal(false);
  const save = async (): Promise<void> => {
    busy.value = true;
    if (await onSave(draft.value)) onClose();
    busy.value = false;
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t('memories.text')}>
        <textarea
          class="input"
          rows={4}
          value={draft.value}
          onInput={(event) => {
            draft.value = event.currentTarget.value;
          }}
        />
      </Field>
      <div class="row">
        <Button kind="primary" type="submit" busy={busy.value} disabled={draft.value.trim() === ''}>
          {t('common.save')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
