// What a character knows: facts in every prompt, and files that are read as documents.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Button, Select } from '../../ui/controls.js';
import { isFields, textIn } from './character.js';
import type { CharacterEditor } from './editor.js';
import { ListField } from './text-list.js';

const SHOWN = 50;

type Kind = 'fact' | 'path' | 'directory';
const KINDS: readonly Kind[] = ['fact', 'path', 'directory'];

function kindOf(entry: unknown): Kind {
  if (!isFields(entry)) return 'fact';
  return 'directory' in entry ? 'directory' : 'path';
}

function textOf(entry: unknown): string {
  return textIn(isFields(entry) ? entry[kindOf(entry)] : entry);
}

/** The entry with another kind or text; other fields of a file or folder stay. */
function entryOf(kind: Kind, text: string, before: unknown): unknown {
  if (kind === 'fact') return text;
  const { path: _path, directory: _directory, ...others } = isFields(before) ? before : {};
  return { [kind]: text, ...others };
}

export function KnowledgeList({ editor }: { readonly editor: CharacterEditor }): JSX.Element {
  const shown = useSignal(SHOWN);
  const { knowledge } = editor.character.value;
  const entries: readonly unknown[] = Array.isArray(knowledge) ? knowledge : [];
  const label = t('agents.fields.knowledge');
  const fault = editor.errorAt('knowledge');
  const put = (index: number, entry: unknown): void =>
    editor.set(
      'knowledge',
      entries.map((old, at) => (at === index ? entry : old)),
    );
  return (
    <ListField label={label} hint={t('agents.hints.knowledge')} fault={fault}>
      {entries.slice(0, shown.value).map((entry, index) => {
        const kind = kindOf(entry);
        return (
          <div key={index} class="text-row kinded">
            <Select<Kind>
              label={t('agents.entryKind', { number: index + 1 })}
              value={kind}
              options={KINDS.map((value) => ({ value, label: t(`agents.kinds.${value}`) }))}
              onSelect={(next) => put(index, entryOf(next, textOf(entry), entry))}
            />
            <textarea
              class="input growing"
              rows={1}
              aria-label={`${label} ${index + 1}`}
              aria-invalid={fault?.includes(`[${index}]`) || undefined}
              placeholder={kind === 'fact' ? undefined : t(`agents.placeholders.${kind}`)}
              value={textOf(entry)}
              onInput={(event) => put(index, entryOf(kind, event.currentTarget.value, entry))}
            />
            <Button
              kind="plain"
              icon="close"
              label={t('agents.removeEntry', { number: index + 1, list: label })}
              onClick={() =>
                editor.set(
                  'knowledge',
                  entries.filter((_, at) => at !== index),
                )
              }
            />
          </div>
        );
      })}
      <div class="row wrap">
        <Button
          kind="plain"
          icon="plus"
          aria-label={t('agents.addTo', { list: label })}
          onClick={() => {
            editor.set('knowledge', [...entries, '']);
            shown.value = Math.max(shown.value, entries.length + 1);
          }}
        >
          {t('common.add')}
        </Button>
        {entries.length > shown.value && (
          <Button kind="plain" onClick={() => (shown.value += SHOWN)}>
            {t('agents.showMore', { count: entries.length - shown.value })}
          </Button>
        )}
      </div>
    </ListField>
  );
}
