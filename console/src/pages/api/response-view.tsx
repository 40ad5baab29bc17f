import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { errorText } from '../../api.js';
import { formatBytes, formatDuration, t } from '../../i18n.js';
import { Badge } from '../../ui/controls.js';
import { Icon } from '../../ui/icon.js';
import { Code } from '../../ui/text.js';
import type { ReadResponse, ResponseReader } from './response.js';

/** Headers that say something about the response; the others are the same everywhere. */
const TELLING =
  /^(content-(type|length|disposition)|etag|location|link|allow|retry-after|ratelimit.*|deprecation|sunset|idempoten.*|x-(request-id|next-cursor|ratelimit.*|parley.*|total.*))$/;

export function ResponseView({ reader }: { readonly reader: ResponseReader }): JSX.Element {
  const response = reader.current.value;
  const error = reader.error.value;
  const status = useRef<HTMLDivElement>(null);
  const arrived = response !== undefined || error !== undefined;
  useEffect(() => {
    if (arrived) status.current?.scrollIntoView({ block: 'center' });
  }, [arrived]);
  return (
    <div class="stack">
      <div ref={status} class="row wrap" role="status">
        {response && (
          <>
            <Badge tone={response.status < 300 ? 'ok' : 'bad'}>{t('api.status', { status: String(response.status) })}</Badge>
            <span class="soft figures">{formatDuration(response.ms)}</span>
            {reader.running.value && <span class="soft">{t('api.receiving')}</span>}
          </>
        )}
        {error !== undefined && (
          <span class="notice bad grow">
            <Icon name="warning" /> {errorText(error)}
          </span>
        )}
      </div>
      {response && (
        <>
          <Headers headers={response.headers} />
          <Body response={response} />
        </>
      )}
    </div>
  );
}

function Headers({ headers }: { readonly headers: globalThis.Headers }): JSX.Element {
  const shown = [...headers].filter(([name]) => TELLING.test(name));
  return (
    <dl class="facts small response-headers">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{name === 'x-request-id' ? <a href={`/logs?requestId=${encodeURIComponent(value)}`}>{value}</a> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Body({ response }: { readonly response: ReadResponse }): JSX.Element | null {
  const { type, file, bytes = 0, text, cut } = response;
  if (file !== undefined) {
    return (
      <div class="stack">
        {type.startsWith('audio/') && <audio controls src={file} aria-label={t('api.answer')} />}
        {type.startsWith('image/') && <img class="attachment-image" src={file} alt={t('api.answer')} />}
        <a href={file} download={t('api.answer')}>
          {t('api.save', { type, size: formatBytes(bytes) })}
        </a>
      </div>
    );
  }
  if (text === '') return null;
  return (
    <>
      {cut && <p class="notice warn">{t('api.cut')}</p>}
      <Code text={cut ? text : formatted(text, type)} label={t('api.answer')} wrap />
    </>
  );
}

function formatted(text: string, type: string): string {
  if (!/[/+]json/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // It has not come as a whole yet, or is no JSON: shown as it is.
    return text;
  }
}
