// What a character knows: facts in every prompt, and files that are read as documents.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Button, Select } from '../../ui/controls.js';
import { isFields, textIn } from './character.js';
import type { CharacterEditor } from './editor.js';
import { ListField, ListTools } from './text-list.js';

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
      {entries.slice(0, shown.value).map((entry, index) => (
        <KnowledgeRow
          key={index}
          list={label}
          index={index}
          invalid={fault?.includes(`[${index}]`)}
          entry={entry}
          onChange={(next) => put(index, next)}
          onRemove={() =>
            editor.set(
              'knowledge',
              entries.filter((_, at) => at !== index),
            )
          }
        />
      ))}
      <ListTools
        list={label}
        hidden={entries.length - shown.value}
        onAdd={() => {
          editor.set('knowledge', [...entries, '']);
          shown.value = Math.max(shown.value, entries.length + 1);
        }}
        onMore={() => (shown.value += SHOWN)}
      />
    </ListField>
  );
}

interface KnowledgeRowProps {
  /** Label of the list. */
  readonly list: string;
  readonly index: number;
  readonly invalid: boolean | undefined;
  readonly entry: unknown;
  readonly onChange: (entry: unknown) => void;
  readonly onRemove: () => void;
}

function KnowledgeRow({ list, index, invalid, entry, onChange, onRemove }: KnowledgeRowProps): JSX.Element {
  const kind = kindOf(entry);
  return (
    <div class="text-row kinded">
      <Select<Kind>
        label={t('agents.entryKind', { number: index + 1 })}
        value={kind}
        options={KINDS.map((value) => ({ value, label: t(`agents.kinds.${value}`) }))}
        onSelect={(next) => onChange(entryOf(next, textOf(entry), entry))}
      />
      <textarea
        class="input growing"
        rows={1}
        aria-label={`${list} ${index + 1}`}
        aria-invalid={invalid || undefined}
        placeholder={kind === 'fact' ? undefined : t(`agents.placeholders.${kind}`)}
        value={textOf(entry)}
        onInput={(event) => onChange(entryOf(kind, event.currentTarget.value, entry))}
      />
      <Button kind="plain" icon="close" label={t('agents.removeEntry', { number: index + 1, list })} onClick={onRemove} />
    </div>
  );
}
