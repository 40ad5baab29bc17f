// The rooms of an agent, by world.
import { useSignal } from '@preact/signals';
import type { WorldView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { roomName } from '../../chat/channel-name.js';
import { t } from '../../i18n.js';
import { useLoad, usePages } from '../../load.js';
import { navigate, query, setQuery } from '../../router.js';
import { agents, agentsError, loadAgents } from '../../store/agents.js';
import { Button, Field, Select } from '../../ui/controls.js';
import { attempt, Dialog, Menu } from '../../ui/dialogs.js';
import { Async, Empty, Failure, Skeletons } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { ChannelRow } from './channel-row.js';
import { atMost } from '../../ui/characters.js';

const ROW_PX = 52;
const PAGE = 200;

/** Address of a room in the list that the page shows. */
export function roomAddress(agentId: string, roomId?: string): string {
  const world = query.value.get('world');
  const parameters = { view: 'rooms', agent: agentId, ...(world !== null && { world }), ...(roomId !== undefined && { room: roomId }) };
  return `/channels?${new URLSearchParams(parameters).toString()}`;
}

interface RoomListProps {
  readonly selected: string | undefined;
  /** Counts changes of rooms: another number loads them again. */
  readonly version: number;
  readonly onChanged: () => void;
}

export function RoomList({ selected, version, onChanged }: RoomListProps): JSX.Element {
  const all = agents.value;
  if (all === undefined) {
    return agentsError.value === undefined ? <Skeletons /> : <Failure error={agentsError.value} onRetry={() => void loadAgents()} />;
  }
  const agentId = query.value.get('agent') ?? all[0]?.id;
  if (agentId === undefined) return <Empty icon="agent" title={t('chat.noAgents')} />;
  return <OfAgent key={agentId} agentId={agentId} selected={selected} version={version} onChanged={onChanged} />;
}

interface OfAgentProps extends RoomListProps {
  readonly agentId: string;
}

function OfAgent({ agentId, selected, version, onChanged }: OfAgentProps): JSX.Element {
  const creating = useSignal<'world' | 'room' | undefined>(undefined);
  const world = query.value.get('world') ?? '';
  const worlds = useLoad(async () => (await parley.call('GET /api/agents/worlds', { query: { agentId } })).worlds, []);
  return (
    <>
      <div class="list-pane-head">
        <div class="row">
          <Select
            label={t('common.agent')}
            value={agentId}
            options={(agents.value ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onSelect={(agent) => setQuery({ agent, world: undefined, room: undefined })}
          />
          <Menu
            label={t('common.create')}
            icon="plus"
            items={[
              { label: t('channels.newRoom'), needs: 'write', onSelect: () => (creating.value = 'room') },
              { label: t('channels.newWorld'), needs: 'write', onSelect: () => (creating.value = 'world') },
            ]}
          />
        </div>
        <Async of={worlds}>
          {(list) => (
            <Select
              label={t('channels.world')}
              value={world}
              options={[{ value: '', label: t('channels.allWorlds') }, ...list.map(({ id, name }) => ({ value: id, label: name }))]}
              onSelect={(id) => setQuery({ world: id })}
            />
          )}
        </Async>
      </div>
      <div id="channels-list" class="list-pane-rows">
        <Rows key={`${world} ${version}`} agentId={agentId} worldId={world} selected={selected} />
      </div>
      {creating.value !== undefined && (
        <Create
          what={creating.value}
          agentId={agentId}
          worlds={worlds.value.data ?? []}
          onMade={() => {
            worlds.reload();
            onChanged();
          }}
          onClose={() => (creating.value = undefined)}
        />
      )}
    </>
  );
}

interface RowsProps {
  readonly agentId: string;
  /** '' for those of all worlds. */
  readonly worldId: string;
  readonly selected: string | undefined;
}

function Rows({ agentId, worldId, selected }: RowsProps): JSX.Element {
  const { pages, more } = usePages(async (after) => {
    const page = await parley.call('GET /api/agents/{agentId}/rooms', {
      path: { agentId },
      query: { limit: PAGE, after, ...(worldId !== '' && { worldId }) },
    });
    return { items: page.rooms, next: page.nextCursor };
  }, []);
  return (
    <Async of={pages}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon="group" title={t('channels.noRooms')} />
        ) : (
          <VirtualList items={items} keyOf={({ id }) => id} estimate={ROW_PX} label={t('channels.rooms')} onNearEnd={more}>
            {({ id, name, type, createdAt }) => (
              <ChannelRow
                href={roomAddress(agentId, id)}
                name={roomName(name, agentId)}
                type={type}
                at={createdAt}
                selected={id === selected}
              />
            )}
          </VirtualList>
        )
      }
    </Async>
  );
}

interface CreateProps {
  readonly what: 'world' | 'room';
  readonly agentId: string;
  readonly worlds: readonly WorldView[];
  readonly onMade: () => void;
  readonly onClose: () => void;
}

function Create({ what, agentId, worlds, onMade, onClose }: CreateProps): JSX.Element {
  const name = useSignal('');
  const worldId = useSignal(query.value.get('world') ?? '');
  const path = { agentId };
  const create = async (): Promise<void> => {
    const named = { name: name.value.trim() };
    if (what === 'world') {
      await parley.call('POST /api/agents/{agentId}/worlds', { path, body: named });
    } else {
      const body = { ...named, ...(worldId.value !== '' && { worldId: worldId.value }) };
      const { id } = await parley.call('POST /api/agents/{agentId}/rooms', { path, body });
      navigate(roomAddress(agentId, id));
    }
    onClose();
    onMade();
  };
  const title = what === 'world' ? t('channels.newWorld') : t('channels.newRoom');
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(create);
        }}
      >
        <Field label={t('common.name')}>
          <input class="input" required {...atMost(255)} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        {what === 'room' && (
          <Field label={t('channels.world')}>
            <Select
              value={worldId.value}
              options={[{ value: '', label: t('channels.ownWorld') }, ...worlds.map((world) => ({ value: world.id, label: world.name }))]}
              onSelect={(id) => (worldId.value = id)}
            />
          </Field>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={name.value.trim() === ''}>
            {t('common.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
