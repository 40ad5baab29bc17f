import type { ComponentChildren, JSX } from 'preact';
import { t } from '../../i18n.js';
import { Badge } from '../../ui/controls.js';
import { Icon } from '../../ui/icon.js';
import { Json, Time } from '../../ui/text.js';
import { levelName, levelTone } from './log-lines.js';

const PRECISE: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
};
const PRECISE_WITH_DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', ...PRECISE };

interface LogRowProps {
  readonly level: number;
  /** Epoch ms. */
  readonly at: number;
  /** What wrote the line. */
  readonly source: string | undefined;
  readonly text: string;
  /** Further fields, in short. */
  readonly fields?: string;
  readonly links: ComponentChildren;
  /** The whole line. */
  readonly value: unknown;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** A line of a log; opened, all its fields. */
export function LogRow({ level, at, source, text, fields, links, value, open, onToggle }: LogRowProps): JSX.Element {
  const today = new Date(at).toDateString() === new Date().toDateString();
  return (
    <div class="log-row">
      <div class="log-line">
        <button type="button" class="log-open" aria-expanded={open} onClick={onToggle}>
          <Icon name={open ? 'down' : 'right'} />
          <span class="log-time faint">
            <Time at={at} options={today ? PRECISE : PRECISE_WITH_DAY} />
          </span>
          <span class="log-level">
            <Badge tone={levelTone(level)}>{t(`logs.level.${levelName(level)}`)}</Badge>
          </span>
          {source !== undefined && <span class="log-source soft truncate">{source}</span>}
          <span class={`log-text ${open ? 'break' : 'truncate'}`}>
            {text}
            {fields !== undefined && <span class="log-fields faint"> {fields}</span>}
          </span>
        </button>
        <span class="log-links">{links}</span>
      </div>
      {open && <Json value={value} label={t('logs.details')} />}
    </div>
  );
}

export function RequestId({ id }: { readonly id: string }): JSX.Element {
  return (
    <a class="mono" href={`/logs?requestId=${encodeURIComponent(id)}`} title={t('logs.requestOf', { id })}>
      {id.slice(0, 8)}
    </a>
  );
}
