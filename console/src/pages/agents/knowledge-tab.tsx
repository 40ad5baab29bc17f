// The documents of an agent: added by file, address and text, read before one's eyes, opened to their pieces.
import type { DocumentView } from 'parley-client';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { errorText } from '../../api.js';
import { formatBytes, formatNumber, t } from '../../i18n.js';
import { query, setQuery } from '../../router.js';
import { Badge, Button, type Tone } from '../../ui/controls.js';
import { attempt, confirm, Menu, type MenuItem } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { linkTo } from '../../ui/link.js';
import { Empty, Failure, Skeletons } from '../../ui/states.js';
import { Time } from '../../ui/text.js';
import { AddDocument, DOCUMENT_TYPES } from './add-document.js';
import { DocumentPieces } from './document-pieces.js';
import { Documents } from './documents.js';

const TONES: Readonly<Record<DocumentView['status'], Tone>> = { pending: 'info', processing: 'info', ready: 'ok', failed: 'bad' };

export function KnowledgeTab({ agentId }: { readonly agentId: string }): JSX.Element {
  const documents = useMemo(() => new Documents(agentId), [agentId]);
  useEffect(() => {
    const stop = new AbortController();
    void documents.follow(stop.signal);
    return () => stop.abort();
  }, [documents]);
  const fault = documents.fault.value;
  return (
    <section class="form-section" aria-labelledby="section-documents">
      <h2 id="section-documents">{t('agents.documents.title')}</h2>
      <p class="soft">{t('agents.documents.about')}</p>
      <AddDocument documents={documents} />
      {fault !== undefined && documents.list.value !== undefined && (
        <p class="notice warn" role="status">
          <Icon name="warning" />
          {errorText(fault)}
        </p>
      )}
      <List documents={documents} agentId={agentId} />
    </section>
  );
}

interface ListProps {
  readonly documents: Documents;
  readonly agentId: string;
}

function List({ documents, agentId }: ListProps): JSX.Element {
  const list = documents.list.value;
  const opened = query.value.get('document');
  if (list === undefined) {
    if (documents.fault.value === undefined) return <Skeletons />;
    return <Failure error={documents.fault.value} onRetry={() => void attempt(() => documents.load())} />;
  }
  if (list.length === 0 && documents.uploading.value.length === 0) {
    return (
      <Empty icon="file" title={t('agents.documents.none')}>
        <p>{t('agents.documents.noneHint')}</p>
      </Empty>
    );
  }
  return (
    <>
      <p class="small faint figures" role="status">
        {t('agents.documents.count', { count: documents.total.value })}
      </p>
      <ul class="document-list">
        {documents.uploading.value.map((name) => (
          <li key={`upload ${name}`} class="document">
            <div class="document-line">
              <Icon name="file" />
              <span class="grow break strong">{name}</span>
              <Badge tone="info">{t('agents.documents.sending')}</Badge>
            </div>
          </li>
        ))}
        {list.map((document) => (
          <Document key={document.id} of={document} documents={documents} agentId={agentId} isOpen={document.id === opened} />
        ))}
      </ul>
      {documents.cursor.value !== undefined && (
        <div>
          <Button onClick={() => void attempt(() => documents.more())}>{t('common.more')}</Button>
        </div>
      )}
    </>
  );
}

interface DocumentProps extends ListProps {
  readonly of: DocumentView;
  readonly isOpen: boolean;
}

function Document({ of: document, documents, agentId, isOpen }: DocumentProps): JSX.Element {
  const { id, name, status, source, error } = document;
  const details = `pieces-${id}`;
  return (
    <li class="document">
      <div class="document-line">
        <Icon name={source === 'url' ? 'link' : 'file'} />
        <button
          type="button"
          class="document-name grow break strong"
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={() => setQuery({ document: isOpen ? undefined : id, piece: undefined })}
        >
          {name}
        </button>
        <Badge tone={TONES[status]}>{t(`agents.documents.status.${status}`)}</Badge>
        {source !== 'character' && <Commands of={document} documents={documents} />}
      </div>
      <div class="document-facts small faint figures">
        <span>{t(`agents.documents.source.${source}`)}</span>
        {document.size !== null && <span>{formatBytes(document.size)}</span>}
        <span>{t('agents.documents.pieces', { count: document.pieces })}</span>
        <Time at={document.updatedAt} />
        {document.url !== null && (
          <a class="break" href={linkTo(document.url)} target="_blank" rel="noreferrer">
            {document.url}
          </a>
        )}
      </div>
      <Progress of={document} />
      {document.losses.length > 0 && (
        <p class="small soft">
          {t('agents.documents.losses', {
            losses: document.losses.map(({ what, count }) => `${formatNumber(count)} × ${what}`).join(', '),
          })}
        </p>
      )}
      {error !== null && (
        <p class="notice bad">
          <Icon name="warning" />
          <span>
            {error.message} {error.details}
          </span>
        </p>
      )}
      <div id={details}>{isOpen && <DocumentPieces key={`${status} ${document.updatedAt}`} agentId={agentId} documentId={id} />}</div>
    </li>
  );
}

function Progress({ of: { name, status, progress } }: { readonly of: DocumentView }): JSX.Element | null {
  if (status !== 'pending' && status !== 'processing') return null;
  const { done, total } = progress;
  return (
    <div class="row small soft figures">
      <progress
        class="progress grow"
        aria-label={t('agents.documents.progressOf', { name })}
        {...(total > 0 && { max: total, value: done })}
      />
      {total > 0 && <span>{`${formatNumber(done)} / ${formatNumber(total)}`}</span>}
    </div>
  );
}

/** Replaces and deletes a document. */
function Commands({ of: { id, name, source }, documents }: { readonly of: DocumentView; readonly documents: Documents }): JSX.Element {
  const input = useMemo(() => {
    const element = document.createElement('input');
    element.type = 'file';
    element.accept = DOCUMENT_TYPES;
    element.addEventListener('change', () => {
      const [file] = element.files ?? [];
      if (file) void attempt(() => documents.upload(file, id));
      element.value = '';
    });
    return element;
  }, [id]);
  const remove = async (): Promise<void> => {
    const asked = {
      title: t('agents.deleteTitle', { name }),
      text: t('agents.documents.deleteText'),
      action: t('common.delete'),
      danger: true,
    };
    if (await confirm(asked)) await attempt(() => documents.delete(id), t('agents.deleted', { name }));
  };
  const again: MenuItem = {
    label: t('agents.documents.downloadAgain'),
    icon: 'again',
    onSelect: () => void attempt(() => documents.send({}, id)),
  };
  const replace: MenuItem = { label: t('agents.documents.replace'), icon: 'file', needs: 'write', onSelect: () => input.click() };
  return (
    <Menu
      label={t('agents.actionsFor', { name })}
      items={[
        ...(source === 'url' ? [again] : [replace]),
        { label: t('common.delete'), icon: 'trash', needs: 'write', onSelect: () => void remove() },
      ]}
    />
  );
}
