// Texts with a form of their own: code, Markdown, ids, times.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { formatTime, t } from '../i18n.js';
import { Button } from './controls.js';
import { notifyError } from './dialogs.js';
import { renderMarkdown } from './markdown.js';

const COPIED_MS = 1600;

export function CopyButton({
  text,
  label,
  class: extra,
}: {
  readonly text: string;
  readonly label?: string;
  readonly class?: string;
}): JSX.Element {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      copied.value = true;
      setTimeout(() => {
        copied.value = false;
      }, COPIED_MS);
    } catch (error) {
      notifyError(error);
    }
  };
  return (
    <Button
      kind="plain"
      icon={copied.value ? 'check' : 'copy'}
      label={copied.value ? t('common.copied') : (label ?? t('common.copy'))}
      class={extra}
      onClick={() => void copy()}
    />
  );
}

/** Text of a program or a record, with a button that copies it. */
export function Code({
  text,
  wrap = false,
  label,
}: {
  readonly text: string;
  readonly wrap?: boolean;
  readonly label?: string;
}): JSX.Element {
  return (
    <div class="code">
      <pre class={wrap ? 'wrap' : undefined} tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} class="copy" />
    </div>
  );
}

export function Json({ value, label }: { readonly value: unknown; readonly label?: string }): JSX.Element {
  return <Code text={JSON.stringify(value, null, 2) ?? ''} label={label} wrap />;
}

/** An id in short, copied as a whole. */
export function Id({ id, href }: { readonly id: string; readonly href?: string }): JSX.Element {
  const short = id.slice(0, 8);
  return (
    <span class="row id" title={id}>
      {href === undefined ? (
        <code>{short}</code>
      ) : (
        <a href={href}>
          <code>{short}</code>
        </a>
      )}
      <CopyButton text={id} label={t('common.copyId')} />
    </span>
  );
}

export function Time({ at, options }: { readonly at: string | number; readonly options?: Intl.DateTimeFormatOptions }): JSX.Element {
  const date = new Date(at);
  const valid = !Number.isNaN(date.getTime());
  return (
    <time class="figures" dateTime={valid ? date.toISOString() : undefined} title={valid ? date.toLocaleString() : undefined}>
      {formatTime(date, options)}
    </time>
  );
}

/** Markdown as safe HTML. Links of other hosts open in a tab of their own; blocks of code can be copied. */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const html = useMemo(() => renderMarkdown(text), [text]);
  const root = useRef<HTMLDivElement>(null);
  const copyCode = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest('button.code-copy') : null;
    if (!button) return;
    const code = button.parentElement?.querySelector('code')?.textContent ?? '';
    navigator.clipboard.writeText(code).then(() => {
      button.textContent = t('common.copied');
      setTimeout(() => {
        button.textContent = t('common.copy');
      }, COPIED_MS);
    }, notifyError);
  };
  return <div ref={root} class="markdown" onClick={copyCode} dangerouslySetInnerHTML={{ __html: html }} />;
}
