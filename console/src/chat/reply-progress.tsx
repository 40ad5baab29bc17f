import type { PendingReply } from 'parley-client';
import type { JSX } from 'preact';
import { t } from '../i18n.js';
import { Icon } from '../ui/icon.js';

interface ReplyProgressProps {
  readonly reply: PendingReply;
  /** Whether the page tells screen readers elsewhere that the reply is being made. */
  readonly isTold?: boolean;
}

/** What a reply that is being made does, or waits for. */
export function ReplyProgress({ reply: { text, waitsFor }, isTold = false }: ReplyProgressProps): JSX.Element {
  if (waitsFor) {
    return (
      <span class="small soft row">
        <Icon name="tool" />
        <span class="break">{t('chat.waitsFor', { tools: waitsFor.join(', ') })}</span>
      </span>
    );
  }
  return (
    <span class="small faint row" aria-hidden={isTold}>
      <span class="dot busy" /> {text === '' ? t('chat.thinking') : t('chat.writing')}
    </span>
  );
}
