import { useSignal } from '@preact/signals';
import { NotFoundError, type MemoryView } from 'parley-client';
import type { JSX } from 'preact';
import { errorText, parley } from '../../api.js';
import { t } from '../../i18n.js';
import { Button, Check } from '../../ui/controls.js';
import { confirm, notify } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { RequestLink } from '../../ui/request-link.js';

/** Requests at the same time. */
const AT_ONCE = 4;

/** Why memories could not be deleted, by id. */
export type Failures = ReadonlyMap<string, unknown>;

interface SelectionBarProps {
  readonly agentId: string;
  readonly shown: readonly MemoryView[];
  readonly chosen: ReadonlySet<string>;
  /** Of the last attempt. */
  readonly failures: Failures;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
  readonly onDeleted: (deleted: ReadonlySet<string>, failures: Failures) => void;
}

/** Chooses all that is shown, and deletes what is chosen. */
export function SelectionBar({ agentId, shown, chosen, failures, onChoose, onDeleted }: SelectionBarProps): JSX.Element {
  const done = useSignal<number | undefined>(undefined);
  const remove = async (): Promise<void> => {
    const asked = {
      title: t('memories.deleteSeveral', { count: chosen.size }),
      text: t('memories.deleteText'),
      action: t('common.delete'),
      danger: true,
    };
    if (!(await confirm(asked))) return;
    done.value = 0;
    const failed = await deleteAll(agentId, [...chosen], (count) => {
      done.value = count;
    });
    done.value = undefined;
    const deleted = new Set([...chosen].filter((id) => !failed.has(id)));
    notify(t('memories.deletedSeveral', { count: deleted.size }));
    onDeleted(deleted, failed);
  };
  const [fault] = failures.values();
  return (
    <>
      <div class="row wrap memory-selection">
        <Check
          label={t('memories.chooseAll')}
          checked={shown.length > 0 && shown.every(({ id }) => chosen.has(id))}
          onChange={(all) => onChoose(new Set(all ? shown.map(({ id }) => id) : []))}
        />
        <span class="small soft figures" role="status">
          {chosen.size > 0 && t('memories.chosen', { count: chosen.size })}
        </span>
        <span class="grow" />
        {done.value !== undefined && <progress class="progress" aria-label={t('memories.deleting')} max={chosen.size} value={done.value} />}
        <Button
          kind="danger"
          icon="trash"
          needs="write"
          busy={done.value !== undefined}
          disabled={chosen.size === 0}
          onClick={() => void remove()}
        >
          {t('common.delete')}
        </Button>
      </div>
      {failures.size > 0 && (
        <p class="notice bad" role="alert">
          <Icon name="warning" />
          <span>
            {t('memories.notDeleted', { count: failures.size })} {errorText(fault)} <RequestLink error={fault} />
          </span>
        </p>
      )}
    </>
  );
}

/** @returns what failed; a memory that is gone already did not */
async function deleteAll(agentId: string, ids: readonly string[], onProgress: (done: number) => void): Promise<Failures> {
  const failures = new Map<string, unknown>();
  const left = ids[Symbol.iterator]();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const memoryId of left) {
      try {
        await parley.call('DELETE /api/agents/{agentId}/memories/{memoryId}', { path: { agentId, memoryId } });
      } catch (error) {
        if (!(error instanceof NotFoundError)) failures.set(memoryId, error);
      }
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}
