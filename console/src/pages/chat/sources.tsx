import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { documentPlace } from '../../places.js';
import { Icon } from '../../ui/icon.js';
import { linkTo } from '../../ui/link.js';
import { recordsIn, shortened, textIn } from '../../ui/untrusted.js';

/** The documents that a reply goes by (docs/guides/knowledge.md), each with the words that it used. */
export function Sources({ agentId, sources }: { readonly agentId: string; readonly sources: unknown }): JSX.Element | null {
  const shown = recordsIn(sources);
  if (shown.length === 0) return null;
  return (
    <details class="sources">
      <summary class="small">
        <Icon name="file" /> {t('chat.sources', { count: shown.length })}
      </summary>
      <ol class="source-list">
        {shown.map((source, index) => (
          <li key={index} class="small">
            <SourceView agentId={agentId} source={source} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function SourceView({ agentId, source }: { readonly agentId: string; readonly source: Readonly<Record<string, unknown>> }): JSX.Element {
  const documentId = textIn(source, 'documentId');
  const name = shortened(textIn(source, 'document', 'documentId') ?? t('chat.file'));
  const [place, url, quote] = [textIn(source, 'place'), textIn(source, 'url'), textIn(source, 'quote')];
  return (
    <>
      <span class="strong">
        {typeof source['reference'] === 'number' && `[${source['reference']}] `}
        {/* Replies of former versions do not name the piece. */}
        {documentId === undefined ? name : <a href={documentPlace(agentId, documentId, textIn(source, 'memoryId'))}>{name}</a>}
      </span>
      {place !== undefined && <span class="faint"> · {shortened(place)}</span>}
      {url !== undefined && (
        <a class="block break" href={linkTo(url)} target="_blank" rel="noopener noreferrer">
          {shortened(url)}
        </a>
      )}
      {quote !== undefined && <q class="soft block break">{quote}</q>}
    </>
  );
}
