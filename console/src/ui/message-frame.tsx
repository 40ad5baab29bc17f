import type { ComponentChildren, JSX } from 'preact';
import { t } from '../i18n.js';
import { Time } from './text.js';

interface MessageFrameProps {
  readonly author: string;
  readonly isAgent: boolean;
  readonly selected?: boolean;
  readonly at?: number;
  /** Address of the message. */
  readonly href?: string;
  readonly edited?: boolean;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A message with its author and time; its tools appear when it is pointed at or holds the focus. */
export function MessageFrame({
  author,
  isAgent,
  selected = false,
  at,
  href,
  edited = false,
  tools,
  children,
}: MessageFrameProps): JSX.Element {
  return (
    <article class={`message ${isAgent ? 'of-agent' : 'of-user'}`} data-selected={selected}>
      <header class="message-head">
        <span class="strong truncate">{author}</span>
        {at !== undefined && (
          <span class="small faint">
            {href === undefined ? (
              <Time at={at} />
            ) : (
              <a class="message-time" href={href}>
                <Time at={at} />
              </a>
            )}{' '}
            {edited && t('chat.edited')}
          </span>
        )}
        <span class="message-tools row">{tools}</span>
      </header>
      {children}
    </article>
  );
}
