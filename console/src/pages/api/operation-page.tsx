// One operation: what it is for, a form to try it, and what it responds.
import type { JSX } from 'preact';
import { t } from '../../i18n.js';
import { Badge } from '../../ui/controls.js';
import { DetailTitle } from '../../ui/detail-title.js';
import { CopyButton, Json, Markdown } from '../../ui/text.js';
import { responseOf, type Description, type Operation, type ResponseOf } from './description.js';
import { Method, Path } from './operation-list.js';
import { Details, SchemaView, Sentence } from './schema-view.js';
import { TryForm } from './try-form.js';

interface OperationPageProps {
  readonly operation: Operation;
  readonly components: Description['components'];
}

export function OperationPage({ operation, components }: OperationPageProps): JSX.Element {
  const { method, path, summary, description, deprecated = false, scope } = operation;
  return (
    <>
      <header class="detail-head">
        <DetailTitle back="/operations" backLabel={t('api.toList')} title={<Sentence text={summary} />} />
      </header>
      <div class="detail-panel">
        <div class="detail-body">
          <div class="stack tight">
            <p class="row">
              <span class="break">
                <Method name={method} /> <Path text={path} />
              </span>
              <CopyButton text={path} label={t('api.copyPath')} />
            </p>
            <p class="row wrap">
              {method !== 'GET' && <Badge tone="warn">{t('api.writes')}</Badge>}
              {deprecated && <Badge tone="bad">{t('api.deprecated')}</Badge>}
              <Badge>{scope === undefined ? t('api.open') : t('api.needs', { scope })}</Badge>
            </p>
          </div>
          {description !== undefined && <Markdown text={description.replaceAll('\n', ' ')} />}
          <TryForm operation={operation} components={components} />
          <h2>{t('api.responses')}</h2>
          <ul class="card responses">
            {Object.entries(operation.responses).map(([status, response]) => (
              <li key={status}>
                <Response status={status} response={responseOf(response, components)} components={components} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  );
}

interface ResponseProps {
  readonly status: string;
  readonly response: ResponseOf;
  readonly components: Description['components'];
}

function Response({ status, response: { description = '', content = {} }, components }: ResponseProps): JSX.Element {
  const head = (
    <>
      <Badge tone={status < '300' ? 'ok' : 'bad'}>{status}</Badge> <Sentence text={description} />
    </>
  );
  const types = Object.entries(content);
  if (types.length === 0) return <p class="response">{head}</p>;
  return (
    <Details summary={head}>
      {types.map(([type, { schema, example, examples }]) => (
        <div key={type} class="stack">
          <p class="soft">
            <code>{type}</code>
          </p>
          {schema && <SchemaView schema={schema} components={components} />}
          {example !== undefined && <Example value={example} />}
          {Object.entries(examples ?? {}).map(([name, { value }]) => (
            <Example key={name} name={name} value={value} />
          ))}
        </div>
      ))}
    </Details>
  );
}

function Example({ name, value }: { readonly name?: string; readonly value: unknown }): JSX.Element {
  const title = name === undefined ? t('api.example') : t('api.exampleOf', { name });
  return (
    <Details summary={title}>
      <Json value={value} label={title} />
    </Details>
  );
}
