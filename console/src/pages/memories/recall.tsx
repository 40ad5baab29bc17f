import { useSignal } from '@preact/signals';
import type { RecallView } from '@parley/client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { formatDuration, formatNumber, t } from '../../i18n.js';
import { Badge, Button, Field } from '../../ui/controls.js';
import { attempt } from '../../ui/dialogs.js';
import { Empty } from '../../ui/states.js';

/** What an agent would recall for a message: memories with their scores, and what was left out and why. */
export function Recall({ agentId }: { readonly agentId: string }): JSX.Element {
  const text = useSignal('');
  const user = useSignal('');
  const busy = useSignal(false);
  const found = useSignal<RecallView | undefined>(undefined);
  const ask = async (): Promise<void> => {
    busy.value = true;
    await attempt(async () => {
      const userId = user.value.trim();
      found.value = await parley.call('POST /api/memory/{agentId}/recall', {
        path: { agentId },
        body: { text: text.value, ...(userId !== '' && { userId }) },
      });
    });
    busy.value = false;
  };
  return (
    <>
      <form
        class="card pad stack"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
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
            value={user.value}
            onInput={(event) => {
              user.value = event.currentTarget.value;
            }}
          />
        </Field>
        <div class="row">
          <Button kind="primary" icon="search" type="submit" busy={busy.value}>
            {t('memories.recallNow')}
          </Button>
        </div>
      </form>
      <div class="stack" aria-live="polite">
        {found.value && <Recalled agentId={agentId} found={found.value} />}
      </div>
    </>
  );
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
              <a class="list-item" href={`/memories/${agentId}/${line.id}`}>
                <span class="memory-excerpt break">{line.text}</span>
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
                <a class="list-item row small" href={`/memories/${agentId}/${memory.id}`}>
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
