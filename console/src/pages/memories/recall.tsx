import { useSignal } from '@preact/signals';
import type { RecallView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { formatDuration, formatNumber, t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { memoryPlace } from '../../places.js';
import { query, setQuery } from '../../router.js';
import { Badge, Button, Field } from '../../ui/controls.js';
import { plainText } from '../../ui/markdown.js';
import { Async, Empty } from '../../ui/states.js';
import { peopleIn, useRooms } from './people.js';

/** Searches by meaning as an agent does: what it would recall for a message, with scores, and what was left out and why. */
export function Recall({ agentId }: { readonly agentId: string }): JSX.Element {
  const asked = { text: query.value.get('text') ?? '', userId: query.value.get('user') ?? '' };
  const text = useSignal(asked.text);
  const user = useSignal(asked.userId);
  const people = peopleIn(useRooms(agentId).value.data ?? []);
  return (
    <>
      <form
        class="card pad stack"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ text: text.value.trim(), user: user.value.trim() });
        }}
      >
        <Field label={t('memories.message')} hint={t('memories.messageHint')}>
          <input
            class="input"
            required
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </Field>
        <Field label={t('memories.userId')} hint={t('memories.userHint')}>
          <input
            class="input"
            list="people"
            value={user.value}
            onInput={(event) => {
              user.value = event.currentTarget.value;
            }}
          />
        </Field>
        <datalist id="people">
          {[...people].map(([id, name]) => (
            <option key={id} value={id} label={name} />
          ))}
        </datalist>
        <div class="row">
          <Button kind="primary" icon="search" type="submit">
            {t('memories.recallNow')}
          </Button>
        </div>
      </form>
      <div class="stack" aria-live="polite">
        {asked.text !== '' && <Found key={JSON.stringify(asked)} agentId={agentId} {...asked} />}
      </div>
    </>
  );
}

interface FoundProps {
  readonly agentId: string;
  readonly text: string;
  /** Empty for no user. */
  readonly userId: string;
}

function Found({ agentId, text, userId }: FoundProps): JSX.Element {
  const found = useLoad(
    () => parley.call('POST /api/memory/{agentId}/recall', { path: { agentId }, body: { text, ...(userId !== '' && { userId }) } }),
    [],
  );
  return <Async of={found}>{(recalled) => <Recalled agentId={agentId} found={recalled} />}</Async>;
}

const score = (value: number): string => formatNumber(value, { maximumFractionDigits: 2, minimumFractionDigits: 2 });

function Recalled({ agentId, found }: { readonly agentId: string; readonly found: RecallView }): JSX.Element {
  const { memories, documents, leftOut, durationMs } = found;
  const lines = [...memories.map((memory) => ({ ...memory, about: memory.foundBy.join(', ') })), ...documents.map(passage)];
  return (
    <>
      <p class="soft small">{t('memories.took', { count: lines.length, time: formatDuration(durationMs) })}</p>
      {lines.length === 0 && <Empty icon="memory" title={t('memories.nothingRecalled')} />}
      {lines.length > 0 && (
        <ul class="card memory-list">
          {lines.map((line) => (
            <li key={line.id}>
              <a class="list-item" href={memoryPlace(agentId, line.id)}>
                <span class="memory-excerpt break">{plainText(line.text)}</span>
                <span class="row small soft">
                  <Badge>{score(line.score)}</Badge> {line.about}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {leftOut.length > 0 && (
        <>
          <h2>{t('memories.leftOut')}</h2>
          <ul class="card memory-list">
            {leftOut.map((memory) => (
              <li key={memory.id}>
                <a class="list-item row small" href={memoryPlace(agentId, memory.id)}>
                  <Badge>{score(memory.score)}</Badge> {t(`memories.reasons.${memory.reason}`)} <code>{memory.id.slice(0, 8)}</code>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function passage({ id, text, score: value, document, place }: RecallView['documents'][number]): {
  id: string;
  text: string;
  score: number;
  about: string;
} {
  return { id, text, score: value, about: [document, place].filter(Boolean).join(' · ') };
}
