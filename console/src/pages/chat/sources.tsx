import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Icon } from '../../ui/icon.js';

interface Source {
  readonly documentId: string;
  readonly document: string;
  readonly place?: string | null;
  readonly url?: string | null;
  readonly quote?: string;
  readonly reference?: number;
}

/** The documents that an answer goes by (docs/guides/knowledge.md), each with the words that it used. */
export function Sources({ sources }: { readonly sources: unknown }): JSX.Element | null {
  if (!Array.isArray(sources) || sources.length === 0) return null;
  return (
    <details class="sources">
      <summary class="small">
        <Icon name="file" /> {t('chat.sources', { count: sources.length })}
      </summary>
      <ol class="source-list">
        {(sources as readonly Source[]).map((source, index) => (
          <li key={index} class="small">
            <span class="strong">
              {source.reference !== undefined && `[${source.reference}] `}
              {source.url ? (
                <a href={source.url} target="_blank" rel="noopener noreferrer">
                  {source.document}
                </a>
              ) : (
                source.document
              )}
            </span>
            {source.place && <span class="faint"> · {source.place}</span>}
            {source.quote && <q class="soft block break">{source.quote}</q>}
          </li>
        ))}
      </ol>
    </details>
  );
}
