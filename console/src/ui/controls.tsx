import { cloneElement, type ComponentChildren, type JSX, type VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../i18n.js';
import { refusal, type Scope } from '../permissions.js';
import { Icon, type IconName } from './icon.js';

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'icon' | 'label' | 'class'> & {
  readonly class?: string | undefined;
  readonly kind?: 'primary' | 'danger' | 'plain';
  readonly icon?: IconName;
  /** The name of a button that shows an icon only. */
  readonly label?: string;
  readonly busy?: boolean;
  /** The scope without which it is disabled, and says why. */
  readonly needs?: Scope;
};

/** A button; with `label` instead of children it shows its icon only. */
export function Button({ kind, icon, label, busy = false, needs, children, class: extra, disabled, ...rest }: ButtonProps): JSX.Element {
  const refused = refusal(needs);
  const names = ['button', kind, label !== undefined && 'icon-only', extra].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      class={names}
      aria-label={label}
      title={refused ?? label}
      aria-busy={busy}
      disabled={disabled === true || busy || refused !== undefined}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type LinkButtonProps = Pick<ButtonProps, 'kind' | 'icon' | 'label' | 'needs' | 'children'> & { readonly href: string };

/** A link that looks like a button, and is a disabled one when its page is of no use to the key. */
export function LinkButton({ href, ...props }: LinkButtonProps): JSX.Element {
  const { kind, icon, label, needs, children } = props;
  if (refusal(needs) !== undefined) return <Button {...props} />;
  return (
    <a class={['button', kind, label !== undefined && 'icon-only'].filter(Boolean).join(' ')} href={href} aria-label={label} title={label}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The error of the value, from the server or the form. */
  readonly fault?: string | undefined;
  readonly hideLabel?: boolean;
  /** One control: `input`, `textarea`, `select` or a component that takes their attributes. */
  readonly children: VNode;
}

/** A control with its label, its hint and its fault, tied together for screen readers. */
export function Field({ label, hint, fault, hideLabel = false, children }: FieldProps): JSX.Element {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id} class={hideLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {cloneElement(children, { id, 'aria-describedby': described || undefined, 'aria-invalid': fault !== undefined || undefined })}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fault !== undefined && (
        <span class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly needs?: Scope;
  readonly onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, disabled, needs, onChange }: SwitchProps): JSX.Element {
  const refused = refusal(needs);
  return (
    <input
      type="checkbox"
      role="switch"
      class="switch"
      aria-label={label}
      title={refused ?? label}
      checked={checked}
      disabled={disabled === true || refused !== undefined}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export function Check({ label, checked, onChange, hint }: SwitchProps & { readonly hint?: string }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint !== undefined && <span class="faint"> {hint}</span>}
      </span>
    </label>
  );
}

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'busy';

export function Badge({ tone, children }: { readonly tone?: Tone; readonly children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${tone ?? ''}`}>{children}</span>;
}

/** A state as a coloured point; its text is read, and shown by what stands beside it. */
export function Dot({ tone, label }: { readonly tone?: Tone; readonly label?: string }): JSX.Element {
  return <span class={`dot ${tone ?? ''}`} role={label === undefined ? undefined : 'img'} aria-label={label} title={label} />;
}

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly label: string }[];
  readonly selected: T;
  readonly onSelect: (id: T) => void;
  /** Id of the element that the tabs change. */
  readonly panel: string;
}

/** Tabs with the arrow keys of their pattern (WAI-ARIA APG). */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, panel }: TabsProps<T>): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex(({ id }) => id === selected);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.id);
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <div ref={root} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, label: text }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === selected}
          aria-controls={panel}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

interface SelectProps<T extends string> {
  readonly label?: string;
  readonly id?: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onSelect: (value: T) => void;
}

/** A choice of one; inside a Field it needs no label of its own. */
export function Select<T extends string>({ value, options, onSelect, label, ...rest }: SelectProps<T>): JSX.Element {
  return (
    <select
      class="input inline"
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onSelect(event.currentTarget.value as T)}
      {...rest}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

/** A field for search; Escape empties it. */
export function Search({
  value,
  onInput,
  label,
}: {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly label?: string;
}): JSX.Element {
  const name = label ?? t('common.search');
  return (
    <input
      type="search"
      class="input inline"
      aria-label={name}
      placeholder={name}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}
