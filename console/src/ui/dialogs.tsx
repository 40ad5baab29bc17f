// Dialogs, menus and short messages.
import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { errorText } from '../api.js';
import { t } from '../i18n.js';
import { refusal, type Scope } from '../permissions.js';
import { Button } from './controls.js';
import { Icon, type IconName } from './icon.js';
import { RequestLink } from './request-link.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog: the browser keeps the focus inside, Escape closes it. Mounted means open. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} class={`dialog ${wide ? 'wide' : ''}`} aria-labelledby={id} onClose={onClose}>
      <div class="dialog-body">
        <div class="row">
          <h2 id={id} class="grow">
            {title}
          </h2>
          <Button kind="plain" icon="close" label={t('common.close')} onClick={() => element.current?.close()} />
        </div>
        {children}
      </div>
    </dialog>
  );
}

interface Question {
  readonly title: string;
  readonly text: string;
  /** Name of the button that goes ahead. */
  readonly action: string;
  readonly danger?: boolean;
}

const question = signal<(Question & { readonly answer: (yes: boolean) => void }) | undefined>(undefined);

/** Asks before something that cannot be undone. */
export function confirm(asked: Question): Promise<boolean> {
  return new Promise((answer) => {
    question.value = { ...asked, answer };
  });
}

interface Toast {
  readonly id: number;
  readonly text: string;
  /** What failed. */
  readonly error?: unknown;
}

const TOAST_MS = 6000;
const toasts = signal<readonly Toast[]>([]);
let lastToast = 0;

/** Says shortly that something was done. */
export function notify(text: string): void {
  show({ text });
}

/** Says that something failed; stays until it is closed. */
export function notifyError(error: unknown): void {
  show({ text: errorText(error), error });
}

/** Runs what a control asked for, and says when it fails. Returns whether it succeeded. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) notify(done);
    return true;
  } catch (error) {
    notifyError(error);
    return false;
  }
}

function show(toast: Omit<Toast, 'id'>): void {
  lastToast += 1;
  const id = lastToast;
  toasts.value = [...toasts.value.slice(-3), { id, ...toast }];
  if (toast.error === undefined) setTimeout(() => dismiss(id), TOAST_MS);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Where confirmations and messages appear; mounted once. */
export function Overlays(): JSX.Element {
  const asked = question.value;
  const close = (yes: boolean): void => {
    question.value = undefined;
    asked?.answer(yes);
  };
  return (
    <>
      {asked && (
        <Dialog title={asked.title} onClose={() => close(false)}>
          <p>{asked.text}</p>
          <div class="dialog-actions">
            <Button onClick={() => close(false)}>{t('common.cancel')}</Button>
            <Button kind={asked.danger === true ? 'danger' : 'primary'} onClick={() => close(true)}>
              {asked.action}
            </Button>
          </div>
        </Dialog>
      )}
      <div class="toasts" role="status" aria-live="polite">
        {toasts.value.map(({ id, text, error }) => (
          <div key={id} class="toast">
            <Icon name={error === undefined ? 'check' : 'warning'} />
            <span class="grow">
              {text} <RequestLink error={error} />
            </span>
            <Button kind="plain" icon="close" label={t('common.close')} onClick={() => dismiss(id)} />
          </div>
        ))}
      </div>
    </>
  );
}

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  /** The scope without which it is disabled, and says why. */
  readonly needs?: Scope;
  readonly onSelect: () => void;
}

/** A button that opens a list of commands (arrow keys, Escape). */
export function Menu({
  label,
  icon = 'more',
  items,
}: {
  readonly label: string;
  readonly icon?: IconName;
  readonly items: readonly MenuItem[];
}): JSX.Element {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const open = useSignal(false);
  const toggled = (state: string): void => {
    open.value = state === 'open';
    if (!open.value || !list.current || !button.current) return;
    placeAt(button.current, list.current);
    list.current.querySelector('button')?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button plain icon-only"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open.value}
        popovertarget={id}
      >
        <Icon name={icon} />
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onToggle={(event) => toggled(event.newState)}
        onKeyDown={moveFocus}
      >
        {items.map((item) => (
          <MenuButton
            key={item.label}
            item={item}
            onClick={() => {
              list.current?.hidePopover();
              item.onSelect();
            }}
          />
        ))}
      </div>
    </>
  );
}

function MenuButton({ item, onClick }: { readonly item: MenuItem; readonly onClick: () => void }): JSX.Element {
  return (
    <button type="button" role="menuitem" disabled={refusal(item.needs) !== undefined} title={refusal(item.needs)} onClick={onClick}>
      {item.icon && <Icon name={item.icon} />}
      {item.label}
    </button>
  );
}

/** Places an open list below its button, or above it where the window ends, and keeps it inside the window. */
function placeAt(button: HTMLElement, list: HTMLElement): void {
  const box = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = list;
  const below = box.bottom + offsetHeight < window.innerHeight;
  list.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - offsetWidth - 8))}px`;
  list.style.top = `${below ? box.bottom + 4 : box.top - offsetHeight - 4}px`;
}

function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(index + step + buttons.length) % buttons.length]?.focus();
}
