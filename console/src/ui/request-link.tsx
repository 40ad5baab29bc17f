import { ParleyError } from 'parley-client';
import type { JSX } from 'preact';
import { t } from '../i18n.js';

/** Leads from an error to the lines of its request in the log. */
export function RequestLink({ error }: { readonly error: unknown }): JSX.Element | null {
  if (!(error instanceof ParleyError) || error.requestId === undefined) return null;
  return (
    <a class="small" href={`/logs?requestId=${encodeURIComponent(error.requestId)}`}>
      {t('logs.request')}
    </a>
  );
}
