// The whole character as JSON.
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Button, Field } from '../../ui/controls.js';
import { CopyButton } from '../../ui/text.js';
import { tidied } from './character.js';
import type { CharacterEditor } from './editor.js';

export function JsonTab({ editor }: { readonly editor: CharacterEditor }): JSX.Element {
  const { value: typed } = editor.json;
  const text = typed?.text ?? JSON.stringify(tidied(editor.character.value), null, 2);
  const syntax = typed?.fault === undefined ? undefined : t('agents.noJson', { fault: typed.fault });
  return (
    <section class="form-section" aria-label="JSON">
      <div class="row wrap">
        <h2 class="grow">JSON</h2>
        <CopyButton text={text} label={t('agents.copyJson')} />
        <Button disabled={typed?.fault !== undefined} onClick={() => editor.setJson(JSON.stringify(JSON.parse(text), null, 2), true)}>
          {t('agents.format')}
        </Button>
      </div>
      <Field label={t('agents.json')} hint={t('agents.jsonHint')} hideLabel fault={syntax ?? editor.errorAt('') ?? allErrors(editor)}>
        <textarea
          class="input json"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={(event) => editor.setJson(event.currentTarget.value, false)}
          onBlur={(event) => {
            if (editor.json.peek()) editor.setJson(event.currentTarget.value, true);
          }}
        />
      </Field>
    </section>
  );
}

function allErrors(editor: CharacterEditor): string | undefined {
  const { value } = editor.faults;
  return value.length === 0 ? undefined : value.map((fault) => fault.text).join('; ');
}
