import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { t } from '../../i18n.js';
import { limitsText, objectsIn, resolved, typeText, type Description, type Schema } from './description.js';

interface SchemaViewProps {
  readonly schema: Schema;
  readonly components: Description['components'];
}

/** The fields of a schema; those of inner objects when they are opened, because schemas may contain themselves. */
export function SchemaView({ schema, components }: SchemaViewProps): JSX.Element {
  const objects = objectsIn(schema, components);
  if (objects.length === 0) return <code class="break">{typeText(schema, components)}</code>;
  return (
    <>
      {objects.map(({ properties = {}, required = [] }, index) => (
        <ul key={index} class="schema">
          {Object.entries(properties).map(([name, property]) => (
            <li key={name}>
              <Property name={name} schema={property} needed={required.includes(name)} components={components} />
            </li>
          ))}
        </ul>
      ))}
    </>
  );
}

interface PropertyProps extends SchemaViewProps {
  readonly name: string;
  readonly needed: boolean;
}

function Property({ name, schema, needed, components }: PropertyProps): JSX.Element {
  const whole = resolved(schema, components);
  const limits = limitsText(whole);
  return (
    <>
      <p class="break">
        <code class="strong">{name}</code> <code class="soft">{typeText(whole, components)}</code>
        {needed && <span class="small soft"> {t('api.required')}</span>}
      </p>
      {whole.description !== undefined && (
        <p class="small soft break">
          <Sentence text={whole.description} />
        </p>
      )}
      {limits !== '' && <p class="small faint break">{limits}</p>}
      {objectsIn(whole, components).length > 0 && (
        <Details summary={t('api.fieldsOf', { name })}>
          <SchemaView schema={whole} components={components} />
        </Details>
      )}
    </>
  );
}

/** A disclosure whose content is made when it is opened. */
export function Details({ summary, children }: { readonly summary: ComponentChildren; readonly children: ComponentChildren }): JSX.Element {
  const open = useSignal(false);
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary class="break">{summary}</summary>
      {open.value && <div class="details-body">{children}</div>}
    </details>
  );
}

/** A sentence of the description; what is between backticks is code. */
export function Sentence({ text }: { readonly text: string }): JSX.Element {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
