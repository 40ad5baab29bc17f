// A character from a file or from pasted text. It is filled into the form, so that it can be looked at before it is created.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { errorText } from '../../api.js';
import { t } from '../../i18n.js';
import { navigate } from '../../router.js';
import { agents } from '../../store/agents.js';
import { Button, Field } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialogs.js';
import { parseCharacter } from './character.js';
import { FileDrop } from './file-drop.js';
import { newEditor } from './editor.js';

export function ImportDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const text = useSignal('');
  const fault = useSignal<string | undefined>(undefined);
  const take = (given: string): void => {
    const character = parseCharacter(given);
    if (character instanceof SyntaxError) {
      text.value = given;
      fault.value = t('agents.noJson', { fault: character.message });
      return;
    }
    const { id, ...others } = character;
    // An agent of this server with the same id is another agent once the person gives the new one another name.
    const isKnown = agents.value?.some((agent) => agent.id === String(id).toLowerCase()) === true;
    newEditor().fill(isKnown ? others : character);
    onClose();
    navigate('/agents/new');
  };
  const read = async ([file]: readonly File[]): Promise<void> => {
    if (!file) return;
    try {
      take(await file.text());
    } catch (error) {
      fault.value = errorText(error);
    }
  };
  return (
    <Dialog title={t('agents.import')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          take(text.value);
        }}
      >
        <p class="soft">{t('agents.importHint')}</p>
        <FileDrop label={t('agents.chooseFile')} accept=".json,application/json" onFiles={(files) => void read(files)} />
        <Field label={t('agents.pasteJson')} fault={fault.value}>
          <textarea
            class="input json short"
            spellcheck={false}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
              fault.value = undefined;
            }}
          />
        </Field>
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={text.value.trim() === ''}>
            {t('agents.continue')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
