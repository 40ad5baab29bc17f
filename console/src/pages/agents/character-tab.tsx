// The form of a character: who the agent is and how it speaks.
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Field } from '../../ui/controls.js';
import { isFields, type Fields } from './character.js';
import type { CharacterEditor } from './editor.js';
import { ExampleList } from './example-list.js';
import { KnowledgeList } from './knowledge-list.js';
import { TextList, TextMap } from './text-list.js';

type TextListName = 'bio' | 'lore' | 'topics' | 'adjectives' | 'postExamples';

const STYLES = ['all', 'chat', 'post'] as const;

export function CharacterTab({ editor }: { readonly editor: CharacterEditor }): JSX.Element {
  return (
    <>
      <section class="form-section" aria-labelledby="section-identity">
        <h2 id="section-identity">{t('agents.sections.identity')}</h2>
        <div class="columns">
          <OneText editor={editor} field="name" />
          <OneText editor={editor} field="username" />
        </div>
        <Texts editor={editor} field="bio" />
        <OneText editor={editor} field="system" long />
      </section>
      <section class="form-section" aria-labelledby="section-knowledge">
        <h2 id="section-knowledge">{t('agents.sections.knowledge')}</h2>
        <KnowledgeList editor={editor} />
        <Texts editor={editor} field="lore" />
        <Texts editor={editor} field="topics" short />
      </section>
      <section class="form-section" aria-labelledby="section-voice">
        <h2 id="section-voice">{t('agents.sections.style')}</h2>
        <Texts editor={editor} field="adjectives" short />
        {STYLES.map((name) => (
          <Style key={name} editor={editor} name={name} />
        ))}
        <ExampleList editor={editor} />
        <Texts editor={editor} field="postExamples" />
        <Templates editor={editor} />
      </section>
    </>
  );
}

interface TextProps {
  readonly editor: CharacterEditor;
  readonly field: 'name' | 'username' | 'system';
  readonly long?: boolean;
}

function OneText({ editor, field, long = false }: TextProps): JSX.Element {
  const value = editor.character.value[field];
  const attributes = {
    value: typeof value === 'string' ? value : '',
    autocomplete: 'off',
    onInput: (event: { currentTarget: { value: string } }): void => editor.set(field, event.currentTarget.value),
  };
  return (
    <Field label={t(`agents.fields.${field}`)} hint={t(`agents.hints.${field}`)} fault={editor.errorAt(field)}>
      {long ? <textarea class="input growing tall" {...attributes} /> : <input class="input" {...attributes} />}
    </Field>
  );
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(String) : [];
}

function Texts({ editor, field, short }: { editor: CharacterEditor; field: TextListName; short?: boolean }): JSX.Element {
  const value = editor.character.value[field];
  const texts = textsOf(value);
  // A text that is no list stays one, so that a file is not changed by opening it.
  const change = (texts: readonly string[]): void => editor.set(field, typeof value === 'string' && texts.length === 1 ? texts[0] : texts);
  return (
    <TextList
      label={t(`agents.fields.${field}`)}
      hint={t(`agents.hints.${field}`)}
      fault={editor.errorAt(field)}
      // A required list always shows an input.
      values={field === 'bio' && texts.length === 0 ? ONE : texts}
      onChange={change}
      {...(short !== undefined && { short })}
    />
  );
}

function Style({ editor, name }: { readonly editor: CharacterEditor; readonly name: (typeof STYLES)[number] }): JSX.Element {
  const { style } = editor.character.value;
  const lists: Fields = isFields(style) ? style : {};
  return (
    <TextList
      label={t(`agents.fields.style.${name}`)}
      hint={t(`agents.hints.style.${name}`)}
      fault={editor.errorAt(`style.${name}`)}
      values={textsOf(lists[name])}
      onChange={(texts) => editor.set('style', { ...lists, [name]: texts })}
    />
  );
}

function Templates({ editor }: { readonly editor: CharacterEditor }): JSX.Element {
  const { templates } = editor.character.value;
  return (
    <TextMap
      label={t('agents.fields.templates')}
      hint={t('agents.hints.templates')}
      fault={editor.errorAt('templates')}
      values={isFields(templates) ? (templates as Record<string, string>) : NONE}
      onChange={(texts) => editor.set('templates', texts)}
    />
  );
}

const NONE = {};
const ONE = [''];
