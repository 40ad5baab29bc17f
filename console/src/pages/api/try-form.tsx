// A form that sends one operation: parameters, which are in the address of the page, and a body.
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useMemo } from 'preact/hooks';
import { credential } from '../../api.js';
import { t } from '../../i18n.js';
import { query, setQuery } from '../../router.js';
import { agents } from '../../store/agents.js';
import { Button, Field, Select } from '../../ui/controls.js';
import { Code } from '../../ui/text.js';
import { ResponseReader } from './response.js';
import { ResponseView } from './response-view.js';
import {
  bodyExamples,
  limitsText,
  resolved,
  typeText,
  type Content,
  type Description,
  type Operation,
  type Schema,
} from './description.js';
import { curl, draftOf, type Draft } from './request.js';
import { Details, SchemaView, Sentence } from './schema-view.js';

type Components = Description['components'];
type Parts = Readonly<Record<string, string | File>>;
const FORM = 'multipart/form-data';

interface TryFormProps {
  readonly operation: Operation;
  readonly components: Components;
}

export function TryForm({ operation, components }: TryFormProps): JSX.Element {
  const { parameters, requestBody, method } = operation;
  const reader = useMemo(() => new ResponseReader(), []);
  useEffect(() => () => reader.clear(), []);
  const types = Object.keys(requestBody?.content ?? {});
  const type = useSignal(types.find((name) => name !== FORM) ?? types[0]);
  const content = requestBody?.content[type.value ?? ''];
  const json = useSignal(useMemo(() => bodyExamples(requestBody?.content['application/json'] ?? {}, components).needed, []));
  const parts = useSignal<Parts>({});
  const values = Object.fromEntries(parameters.map(({ name }) => [name, query.value.get(name) ?? '']));
  const body = bodyOf(content && type.value, json.value, parts.value);
  const draft = draftOf(operation, values, body);
  const fault = reader.error.value instanceof SyntaxError ? reader.error.value.message : undefined;
  return (
    <>
      <form
        class="stack try-form"
        onSubmit={(event) => {
          event.preventDefault();
          void reader.ask(draft);
        }}
      >
        <h2>{t('api.try')}</h2>
        <Parameters parameters={parameters} components={components} values={values} />
        {types.length > 1 && (
          <Field label={t('api.bodyType')}>
            <Select
              value={type.value ?? ''}
              options={types.map((value) => ({ value, label: value }))}
              onSelect={(name) => (type.value = name)}
            />
          </Field>
        )}
        {content && type.value === FORM && (
          <FormParts schema={content.schema ?? {}} components={components} parts={parts.value} onChange={(next) => (parts.value = next)} />
        )}
        {content && type.value !== FORM && (
          <JsonBody content={content} components={components} text={json.value} fault={fault} onChange={(text) => (json.value = text)} />
        )}
        <div class="row wrap">
          <Button kind={method === 'DELETE' ? 'danger' : 'primary'} icon="send" type="submit" busy={reader.running.value}>
            {t('api.send')}
          </Button>
          {reader.running.value && (
            <Button icon="stop" onClick={() => reader.stop()}>
              {t('chat.stop')}
            </Button>
          )}
        </div>
      </form>
      <ResponseView reader={reader} />
      <AsCommand draft={draft} />
    </>
  );
}

/** The request as a command to copy. */
function AsCommand({ draft }: { readonly draft: Draft }): JSX.Element {
  return (
    <details>
      <summary>{t('api.asCommand')}</summary>
      <div class="details-body">
        <Code text={curl(draft)} label={t('api.asCommand')} wrap />
        {credential.value !== undefined && <p class="small soft">{t('chat.keyHint')}</p>}
      </div>
    </details>
  );
}

function bodyOf(type: string | undefined, json: string, parts: Parts): Draft['body'] {
  if (type === undefined) return undefined;
  return type === FORM ? Object.entries(parts).filter(([, value]) => value !== '') : json;
}

interface ParametersProps {
  readonly parameters: Operation['parameters'];
  readonly components: Components;
  /** By name of the parameter. */
  readonly values: Readonly<Record<string, string>>;
}

function Parameters({ parameters, components, values }: ParametersProps): JSX.Element {
  return (
    <div class="try-values">
      {parameters.map((parameter) => (
        <Value
          key={`${parameter.in} ${parameter.name}`}
          name={parameter.name}
          schema={parameter.schema}
          hint={[t(`api.in.${parameter.in}`), parameter.description].filter(Boolean).join(' · ')}
          required={parameter.required === true}
          components={components}
          value={values[parameter.name] ?? ''}
          onChange={(value) => setQuery({ [parameter.name]: value })}
        />
      ))}
    </div>
  );
}

interface ValueProps {
  readonly name: string;
  readonly schema: Schema;
  readonly hint: string;
  readonly required: boolean;
  readonly components: Components;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One parameter, or one part of a form that is not a file. */
function Value({ name, schema, hint, required, components, value, onChange }: ValueProps): JSX.Element {
  const known = useId();
  const { enum: choices } = resolved(schema, components);
  const about = [hint, ...(choices ? [] : [typeText(schema, components)]), limitsText(schema)].filter(Boolean).join(' · ');
  const label = required ? `${name} (${t('api.required')})` : name;
  if (choices) {
    const names = choices.filter((choice) => choice !== null).map(String);
    return (
      <Field label={label} hint={<Sentence text={about} />}>
        <Select value={value} options={['', ...names].map((choice) => ({ value: choice, label: choice }))} onSelect={onChange} />
      </Field>
    );
  }
  const ofAgents = name === 'agentId';
  return (
    <>
      <Field label={label} hint={<Sentence text={about} />}>
        <input
          class="input"
          required={required}
          autocomplete="off"
          spellcheck={false}
          list={ofAgents ? known : undefined}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </Field>
      {ofAgents && (
        <datalist id={known}>
          {(agents.value ?? []).map((agent) => (
            <option key={agent.id} value={agent.id}>
              {agent.name}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

interface FormPartsProps {
  readonly schema: Schema;
  readonly components: Components;
  readonly parts: Parts;
  readonly onChange: (parts: Parts) => void;
}

function FormParts({ schema, components, parts, onChange }: FormPartsProps): JSX.Element {
  const { properties = {}, required = [] } = resolved(schema, components);
  return (
    <div class="try-values">
      {Object.entries(properties).map(([name, property]) => {
        const needed = required.includes(name);
        if (property.format === 'binary') {
          return (
            <Field key={name} label={needed ? `${name} (${t('api.required')})` : name} hint={property.description}>
              <input
                type="file"
                class="input"
                required={needed}
                onChange={(event) => onChange({ ...parts, [name]: event.currentTarget.files?.[0] ?? '' })}
              />
            </Field>
          );
        }
        const value = parts[name];
        return (
          <Value
            key={name}
            name={name}
            schema={property}
            hint={property.description ?? ''}
            required={needed}
            components={components}
            value={typeof value === 'string' ? value : ''}
            onChange={(text) => onChange({ ...parts, [name]: text })}
          />
        );
      })}
    </div>
  );
}

interface JsonBodyProps {
  readonly content: Content;
  readonly components: Components;
  readonly text: string;
  readonly fault: string | undefined;
  readonly onChange: (text: string) => void;
}

function JsonBody({ content, components, text, fault, onChange }: JsonBodyProps): JSX.Element {
  const { needed, all } = useMemo(() => bodyExamples(content, components), [content]);
  return (
    <>
      <Field label={t('api.body')} fault={fault}>
        <textarea
          class="input mono"
          rows={Math.min(16, text.split('\n').length + 1)}
          spellcheck={false}
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </Field>
      {needed !== all && (
        <div class="row wrap">
          <Button onClick={() => onChange(needed)}>{t('api.neededFields')}</Button>
          <Button onClick={() => onChange(all)}>{t('api.allFields')}</Button>
        </div>
      )}
      {content.schema && (
        <Details summary={t('api.bodyFields')}>
          <SchemaView schema={content.schema} components={components} />
        </Details>
      )}
    </>
  );
}
