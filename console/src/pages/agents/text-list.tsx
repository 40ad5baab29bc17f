// Lists of texts, an entry a line: Enter adds one, Backspace in an empty one removes it.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n.js';
import { Button } from '../../ui/controls.js';

/** Entries that are shown at first, and more at each request. */
const SHOWN = 50;

interface ListFieldProps {
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly fault?: string | undefined;
  readonly children: ComponentChildren;
}

/** A group of controls with its label, hint and fault. */
export function ListField({ label, hint, fault, children }: ListFieldProps): JSX.Element {
  const id = useId();
  return (
    <fieldset class="list-field" aria-describedby={fault === undefined ? `${id}-hint` : `${id}-hint ${id}-fault`}>
      <legend>{label}</legend>
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
      {children}
      {fault !== undefined && (
        <span class="fault" id={`${id}-fault`} role="alert" data-fault tabIndex={-1}>
          {fault}
        </span>
      )}
    </fieldset>
  );
}

interface ListToolsProps {
  /** Label of the list. */
  readonly list: string;
  /** How many entries are not shown. */
  readonly hidden: number;
  readonly onAdd: () => void;
  readonly onMore: () => void;
}

/** The buttons below a list: one adds an entry, one shows more of them. */
export function ListTools({ list, hidden, onAdd, onMore }: ListToolsProps): JSX.Element {
  return (
    <div class="row wrap">
      <Button kind="plain" icon="plus" aria-label={t('agents.addTo', { list })} onClick={onAdd}>
        {t('common.add')}
      </Button>
      {hidden > 0 && (
        <Button kind="plain" onClick={onMore}>
          {t('agents.showMore', { count: hidden })}
        </Button>
      )}
    </div>
  );
}

interface TextListProps {
  readonly label: string;
  readonly hint: string;
  readonly fault?: string | undefined;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Short entries, several beside one another. */
  readonly short?: boolean;
}

export function TextList({ label, hint, fault, values, onChange, short = false }: TextListProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const shown = useSignal(SHOWN);
  const focus = useSignal<number | undefined>(undefined);
  // Before the next key, which belongs to the new entry.
  useLayoutEffect(() => {
    if (focus.value === undefined) return;
    root.current?.querySelectorAll('textarea')[focus.value]?.focus();
    focus.value = undefined;
  });
  const change = (index: number, text: string): void => onChange(values.map((value, at) => (at === index ? text : value)));
  const insert = (index: number): void => {
    onChange([...values.slice(0, index), '', ...values.slice(index)]);
    shown.value = Math.max(shown.value, index + 1);
    focus.value = index;
  };
  const remove = (index: number): void => {
    onChange(values.filter((_, at) => at !== index));
    focus.value = Math.max(0, index - 1);
  };
  const key = (event: KeyboardEvent, index: number): void => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      insert(index + 1);
    } else if (event.key === 'Backspace' && values[index] === '') {
      event.preventDefault();
      remove(index);
    }
  };
  return (
    <ListField label={label} hint={hint} fault={fault}>
      <div ref={root} class={short ? 'text-list short' : 'text-list'}>
        {values.slice(0, shown.value).map((value, index) => (
          <TextRow
            key={index}
            list={label}
            index={index}
            invalid={fault?.includes(`[${index}]`)}
            value={value}
            onInput={(text) => change(index, text)}
            onKeyDown={(event) => key(event, index)}
            onRemove={() => remove(index)}
          />
        ))}
      </div>
      <ListTools
        list={label}
        hidden={values.length - shown.value}
        onAdd={() => insert(values.length)}
        onMore={() => (shown.value += SHOWN)}
      />
    </ListField>
  );
}

interface TextRowProps {
  /** Label of the list. */
  readonly list: string;
  readonly index: number;
  readonly invalid: boolean | undefined;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onRemove: () => void;
}

function TextRow({ list, index, invalid, value, onInput, onKeyDown, onRemove }: TextRowProps): JSX.Element {
  return (
    <div class="text-row">
      <textarea
        class="input growing"
        rows={1}
        aria-label={`${list} ${index + 1}`}
        aria-invalid={invalid || undefined}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button kind="plain" icon="close" label={t('agents.removeEntry', { number: index + 1, list })} onClick={onRemove} />
    </div>
  );
}

interface TextMapProps {
  readonly label: string;
  readonly hint: string;
  readonly fault?: string | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

/** Texts by name. */
export function TextMap({ label, hint, fault, values, onChange }: TextMapProps): JSX.Element {
  // Kept as a list, because a name that is being typed may equal another for a moment.
  const rows = useSignal(Object.entries(values));
  const sent = useRef(values);
  useEffect(() => {
    if (sent.current !== values) rows.value = Object.entries(values);
    sent.current = values;
  }, [values]);
  const change = (next: [string, string][]): void => {
    rows.value = next;
    sent.current = Object.fromEntries(next.filter(([name]) => name !== ''));
    onChange(sent.current);
  };
  const put = (index: number, row: [string, string]): void => change(rows.value.map((old, at) => (at === index ? row : old)));
  return (
    <ListField label={label} hint={hint} fault={fault}>
      {rows.value.map(([name, text], index) => (
        <div key={index} class="text-row named">
          <input
            class="input"
            aria-label={`${label} ${index + 1}: ${t('common.name')}`}
            placeholder={t('common.name')}
            value={name}
            onInput={(event) => put(index, [event.currentTarget.value, text])}
          />
          <textarea
            class="input growing"
            rows={1}
            aria-label={`${label} ${index + 1}: ${t('agents.text')}`}
            value={text}
            onInput={(event) => put(index, [name, event.currentTarget.value])}
          />
          <Button
            kind="plain"
            icon="close"
            label={t('agents.removeEntry', { number: index + 1, list: label })}
            onClick={() => change(rows.value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          kind="plain"
          icon="plus"
          aria-label={t('agents.addTo', { list: label })}
          onClick={() => {
            rows.value = [...rows.value, ['', '']];
          }}
        >
          {t('common.add')}
        </Button>
      </div>
    </ListField>
  );
}
