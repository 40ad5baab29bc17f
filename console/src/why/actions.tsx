import type { RunContextView } from 'parley-client';
import type { JSX } from 'preact';
import { formatNumber, t } from '../i18n.js';
import { Badge } from '../ui/controls.js';

/** The actions and tools that the model could call, and those that it could not, with the reason. */
export function Actions({ actions }: { readonly actions: NonNullable<RunContextView['actions']> }): JSX.Element {
  const { offered, refused } = actions;
  return (
    <section class="stack tight">
      <h3>
        {t('why.actions')} <span class="faint figures">{formatNumber(offered.length)}</span>
      </h3>
      {offered.length > 0 && (
        <p class="small break">
          {offered.map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <code>{name}</code>
            </span>
          ))}
        </p>
      )}
      {refused.length > 0 && (
        <details class="used">
          <summary>{t('why.notOffered', { count: refused.length })}</summary>
          <ul class="used-list">
            {refused.map(({ name, plugin, reason, details }, index) => (
              <li key={index} class="used-entry small">
                <span class="row wrap">
                  <code class="strong">{name}</code>
                  <span class="faint">{plugin}</span>
                  <Badge tone="warn">{t(`agents.actions.reason.${reason}`)}</Badge>
                </span>
                <p class="soft break">{details}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
