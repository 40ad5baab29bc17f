import type { RunContextView } from 'parley-client';
import type { ComponentChildren, JSX } from 'preact';
import { formatNumber, t, type TextName } from '../i18n.js';
import { documentPlace, memoryPlace } from '../places.js';
import { Badge } from '../ui/controls.js';
import { plainText } from '../ui/markdown.js';
import { Time } from '../ui/text.js';

/** By position: a part need not be known here. */
const COLOURS = ['kind-1', 'kind-6', 'kind-5', 'kind-3', 'line-strong', 'ink-2', 'kind-2', 'kind-7', 'kind-4'];

/** Nothing is left to open of a memory that was deleted. */
function placeOf(agentId: string, { id, text }: { readonly id: string; readonly text: string | null }): string | undefined {
  return text === null ? undefined : memoryPlace(agentId, id);
}

/** What the prompt was built from, and what was found and left out. */
export function Used({ agentId, context }: { readonly agentId: string; readonly context: RunContextView }): JSX.Element {
  const { memories, documents, files, leftOut, parts, summary, conversation } = context;
  return (
    <>
      {parts.length > 0 && <Prompt parts={parts} conversation={conversation} />}
      <List title={t('why.documents')} of={documents}>
        {(passage) => (
          <Entry
            key={passage.id}
            head={`${passage.number === null ? '' : `[${passage.number}] `}${passage.document ?? t('why.deleted')}`}
            place={passage.place}
            score={passage.score}
            text={passage.text}
            href={passage.documentId === null ? undefined : documentPlace(agentId, passage.documentId, passage.id)}
          />
        )}
      </List>
      <List title={t('why.files')} of={files}>
        {({ id, name, use, shown, pieces }) => (
          <li key={id} class="small">
            {name ?? t('why.deleted')} <span class="faint">{t(`why.use.${use}`, { shown, count: pieces })}</span>
          </li>
        )}
      </List>
      <List title={t('why.memories')} of={memories}>
        {(memory) => (
          <Entry
            key={memory.id}
            head={memory.authorName ?? memory.type ?? t('why.deleted')}
            at={memory.createdAt}
            score={memory.score}
            text={memory.text}
            href={placeOf(agentId, memory)}
          />
        )}
      </List>
      {parts.map(({ name, memories: chosen }) => (
        <List key={name} title={nameOf(name)} of={chosen}>
          {(fact) => <Entry key={fact.id} head={t('why.fact')} at={fact.createdAt} text={fact.text} href={placeOf(agentId, fact)} />}
        </List>
      ))}
      {summary?.text && (
        <details class="used">
          <summary>{t('why.summary', { count: summary.messages })}</summary>
          <p class="small soft break">{summary.text}</p>
        </details>
      )}
      {leftOut.length > 0 && <LeftOut agentId={agentId} leftOut={leftOut} />}
    </>
  );
}

/** The prompt by parts, and how much of the conversation it has. */
function Prompt({ parts, conversation }: Pick<RunContextView, 'parts' | 'conversation'>): JSX.Element {
  return (
    <section class="stack tight">
      <h3>{t('why.prompt')}</h3>
      <Parts parts={parts} />
      {conversation && (
        <p class="small faint">
          {t('why.conversation', { count: conversation.messages })}
          {conversation.leftOut > 0 && ` ${t('why.conversationLeftOut', { count: conversation.leftOut })}`}
        </p>
      )}
    </section>
  );
}

/** Finds that are not in the prompt, each with the reason. */
function LeftOut({ agentId, leftOut }: { readonly agentId: string; readonly leftOut: RunContextView['leftOut'] }): JSX.Element {
  return (
    <details class="used">
      <summary>{t('why.leftOut', { count: leftOut.length })}</summary>
      <ul class="used-list">
        {leftOut.map((one) => (
          <Entry
            key={one.id}
            head={one.document ?? one.authorName ?? one.type ?? t('why.deleted')}
            at={one.createdAt}
            score={one.score}
            text={one.text}
            href={placeOf(agentId, one)}
            badge={t(`why.reason.${one.reason}`)}
          />
        ))}
      </ul>
    </details>
  );
}

/** The parts of a prompt by tokens: one bar, and the numbers. */
function Parts({ parts }: { readonly parts: RunContextView['parts'] }): JSX.Element {
  const shown = parts
    .map((part, index) => ({ ...part, colour: `var(--${COLOURS[index % COLOURS.length]!})` }))
    .filter(({ tokens }) => tokens > 0);
  const total = shown.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <>
      <div class="parts" aria-hidden="true">
        {shown.map(({ name, tokens, colour }) => (
          <span key={name} class="part" style={{ flexGrow: tokens, background: colour }} />
        ))}
      </div>
      <ul class="part-legend small">
        {shown.map(({ name, tokens, colour }) => (
          <li key={name} class="row">
            <span class="part-mark" style={{ background: colour }} aria-hidden="true" />
            <span class="grow">{nameOf(name)}</span>
            <span class="figures faint">{formatNumber(tokens)}</span>
          </li>
        ))}
      </ul>
      <p class="small faint">{t('why.partsTotal', { count: total })}</p>
    </>
  );
}

/** The name of a part; its own for one that this version has no text for. */
function nameOf(part: string): string {
  return t(`why.part.${part}` as TextName) || part;
}

interface ListProps<T> {
  readonly title: string;
  readonly of: readonly T[];
  readonly children: (item: T) => ComponentChildren;
}

function List<T>({ title, of, children }: ListProps<T>): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <section class="stack tight">
      <h3>
        {title} <span class="faint figures">{formatNumber(of.length)}</span>
      </h3>
      <ul class="used-list">{of.map(children)}</ul>
    </section>
  );
}

interface EntryProps {
  readonly head: string;
  readonly text: string | null;
  readonly place?: string;
  /** Epoch ms. */
  readonly at?: number | null;
  readonly score?: number;
  readonly badge?: string;
  readonly href?: string | undefined;
}

function Entry({ head, text, place = '', at, score, badge, href }: EntryProps): JSX.Element {
  return (
    <li class="used-entry small">
      <span class="row wrap">
        <span class="strong">{href === undefined ? head : <a href={href}>{head}</a>}</span>
        {place !== '' && <span class="faint">{place}</span>}
        {at !== null && at !== undefined && (
          <span class="faint">
            <Time at={at} />
          </span>
        )}
        {badge !== undefined && <Badge>{badge}</Badge>}
        <span class="grow" />
        {score !== undefined && (
          <span class="score figures" title={t('why.score')}>
            {formatNumber(score, { maximumFractionDigits: 2 })}
          </span>
        )}
      </span>
      <span class="soft break used-text">{text === null ? t('why.deleted') : plainText(text)}</span>
    </li>
  );
}
