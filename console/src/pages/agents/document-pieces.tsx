// The pieces of a document: where each stands, and its text when it is opened.
import { useSignal } from '@preact/signals';
import type { DocumentDetailsView, PieceView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { memoryPlace } from '../../places.js';
import { query } from '../../router.js';
import { Button } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Async } from '../../ui/states.js';
import { textIn } from './character.js';

const PAGE = 50;

interface PiecesProps {
  readonly agentId: string;
  readonly documentId: string;
}

export function DocumentPieces({ agentId, documentId }: PiecesProps): JSX.Element {
  const load = (cursor?: string): Promise<DocumentDetailsView> =>
    parley.call('GET /api/agents/{agentId}/knowledge/{documentId}', { path: { agentId, documentId }, query: { limit: PAGE, cursor } });
  const details = useLoad(() => load(), [agentId, documentId]);
  const more = (shown: DocumentDetailsView): Promise<boolean> =>
    attempt(async () => {
      const next = await load(shown.nextCursor);
      details.set({ ...next, places: [...shown.places, ...next.places] });
    });
  const cited = query.value.get('piece');
  return (
    <>
      {cited !== null && (
        <section class="piece-cited" aria-label={t('agents.documents.cited')}>
          <h3>{t('agents.documents.cited')}</h3>
          <PieceText agentId={agentId} memoryId={cited} />
        </section>
      )}
      <Async of={details}>
        {(document) =>
          document.places.length === 0 ? (
            <p class="small soft">{t('agents.documents.noPieces')}</p>
          ) : (
            <>
              <ol class="piece-list">
                {document.places.map((piece) => (
                  <Piece key={piece.id} agentId={agentId} piece={piece} />
                ))}
              </ol>
              {document.nextCursor !== undefined && <Button onClick={() => void more(document)}>{t('common.more')}</Button>}
            </>
          )
        }
      </Async>
    </>
  );
}

function Piece({ agentId, piece }: { readonly agentId: string; readonly piece: PieceView }): JSX.Element {
  const open = useSignal(false);
  const place = [piece.page !== null && t('agents.documents.page', { page: piece.page }), piece.heading].filter(Boolean).join(', ');
  return (
    <li>
      <details onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>
          <span class="faint figures">{piece.position + 1}</span> {place || t('agents.documents.noHeading')}
        </summary>
        {open.value && <PieceText agentId={agentId} memoryId={piece.id} />}
      </details>
    </li>
  );
}

function PieceText({ agentId, memoryId }: { readonly agentId: string; readonly memoryId: string }): JSX.Element {
  const memory = useLoad(() => parley.call('GET /api/agents/{agentId}/memories/{memoryId}', { path: { agentId, memoryId } }), [memoryId]);
  return (
    <Async of={memory}>
      {({ content }) => (
        <div class="piece-text">
          <p>{textIn(content['text'])}</p>
          <a class="small" href={memoryPlace(agentId, memoryId)}>
            {t('agents.documents.asMemory')}
          </a>
        </div>
      )}
    </Async>
  );
}
