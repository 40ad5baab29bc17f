// The operations of the server by subject, and the one in the address.
import './api.css';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import type { PageProps } from '../../page-props.js';
import { watchAgents } from '../../store/agents.js';
import { Async, Empty } from '../../ui/states.js';
import { loadDescription, type Description } from './description.js';
import { OperationList } from './operation-list.js';
import { OperationPage } from './operation-page.js';

export default function ApiPage({ params: { operation } }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  const description = useLoad(loadDescription, []);
  const Heading = operation === undefined ? 'h1' : 'h2';
  return (
    <div class={`split ${operation === undefined ? '' : 'detail-open'}`}>
      <div class="list-pane">
        <div class="list-pane-title">
          <Heading class="page-title">{t('nav.api')}</Heading>
        </div>
        <Async of={description}>{({ groups }) => <OperationList groups={groups} selected={operation} />}</Async>
      </div>
      <section class="detail-pane" aria-label={t('api.operation')}>
        {operation === undefined ? (
          <Empty icon="api" title={t('api.choose')}>
            <p>{t('api.chooseHint')}</p>
            <a href="/api/openapi.json" download="openapi.json">
              {t('api.download')}
            </a>
          </Empty>
        ) : (
          <Async of={description}>{(data) => <Selected id={operation} description={data} />}</Async>
        )}
      </section>
    </div>
  );
}

function Selected({ id, description }: { readonly id: string; readonly description: Description }): JSX.Element {
  const found = description.groups.flatMap(({ operations }) => operations).find(({ operationId }) => operationId === id);
  if (found) return <OperationPage key={id} operation={found} components={description.components} />;
  return (
    <Empty icon="search" title={t('api.unknown')}>
      <a href="/operations">{t('api.toList')}</a>
    </Empty>
  );
}
