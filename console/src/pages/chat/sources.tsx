import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { documentPlace } from '../../places.js';
import { Icon } from '../../ui/icon.js';

interface Source {
  readonly documentId: string;
  /** Absent in answers of former versions. */
  readonly memoryId?: string;
  readonly document: string;
  readonly place?: string | null;
  readonly url?: string | null;
  readonly quote?: string;
  readonly reference?: number;
}

/** The documents that an answer goes by (docs/guides/knowledge.md), each with the words that it used. */
export function Sources({ agentId, sources }: { readonly agentId: string; readonly sources: unknown }): JSX.Element | null {
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
              <a href={documentPlace(agentId, source.documentId, source.memoryId)}>{source.document}</a>
            </span>
            {source.place && <span class="faint"> · {source.place}</span>}
            {source.url && (
              <a class="block break" href={source.url} target="_blank" rel="noopener noreferrer">
                {source.url}
              </a>
            )}
            {source.quote && <q class="soft block break">{source.quote}</q>}
          </li>
        ))}
      </ol>
    </details>
  );
}
