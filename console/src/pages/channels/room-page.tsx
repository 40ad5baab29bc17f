// One room of an agent: what it follows, who is in it, and what the agent remembers of it.
import { useSignal } from '@preact/signals';
import type { RoomDetailsView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { personName, roomName } from '../../chat/channel-name.js';
import { typeName } from '../../chat/channel-type.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { navigate } from '../../router.js';
import { agentName } from '../../store/agents.js';
import { Button, Field } from '../../ui/controls.js';
import { DetailTitle } from '../../ui/detail-title.js';
import { attempt, confirm, Dialog, Menu } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { Async } from '../../ui/states.js';
import { Id, Json, Time } from '../../ui/text.js';
import { roomAddress } from './room-list.js';
import { atMost } from '../../ui/characters.js';

interface RoomPageProps {
  readonly agentId: string;
  readonly roomId: string;
  /** The list of rooms shows what has changed. */
  readonly onChanged: () => void;
}

export function RoomPage({ agentId, roomId, onChanged }: RoomPageProps): JSX.Element {
  const room = useLoad(() => parley.call('GET /api/agents/{agentId}/rooms/{roomId}', { path: { agentId, roomId } }), []);
  const { data } = room.value;
  return (
    <>
      <header class="detail-head">
        <DetailTitle
          back={roomAddress(agentId)}
          backLabel={t('channels.toRooms')}
          title={data ? roomName(data.name, agentId) : t('channels.room')}
        >
          {data && (
            <Commands
              room={data}
              onRenamed={() => {
                room.reload();
                onChanged();
              }}
              onDeleted={() => {
                onChanged();
                navigate(roomAddress(agentId), { replace: true });
              }}
            />
          )}
        </DetailTitle>
      </header>
      <div class="detail-panel">
        <Async of={room}>{(details) => <Facts room={details} />}</Async>
      </div>
    </>
  );
}

interface CommandsProps {
  readonly room: RoomDetailsView;
  readonly onRenamed: () => void;
  readonly onDeleted: () => void;
}

function Commands({ room, onRenamed, onDeleted }: CommandsProps): JSX.Element {
  const { id, agentId } = room;
  const name = roomName(room.name, agentId);
  const path = { agentId, roomId: id };
  const renaming = useSignal(false);
  const remove = async (): Promise<void> => {
    const asked = {
      title: t('channels.deleteTitle', { name }),
      text: t('channels.deleteRoomText'),
      action: t('common.delete'),
      danger: true,
    };
    if (!(await confirm(asked))) return;
    const done = await attempt(() => parley.call('DELETE /api/agents/{agentId}/rooms/{roomId}', { path }), t('channels.deleted', { name }));
    if (done) onDeleted();
  };
  return (
    <>
      <Menu
        label={t('channels.actionsFor', { name })}
        items={[
          { label: t('chat.rename'), icon: 'edit', needs: 'write', onSelect: () => (renaming.value = true) },
          { label: t('common.delete'), icon: 'trash', needs: 'write', onSelect: () => void remove() },
        ]}
      />
      {renaming.value && <Rename room={room} onSaved={onRenamed} onClose={() => (renaming.value = false)} />}
    </>
  );
}

interface RenameProps {
  readonly room: RoomDetailsView;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

function Rename({ room, onSaved, onClose }: RenameProps): JSX.Element {
  const name = useSignal(room.name);
  const path = { agentId: room.agentId, roomId: room.id };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = { name: name.value.trim() };
    if (!(await attempt(() => parley.call('PATCH /api/agents/{agentId}/rooms/{roomId}', { path, body }), t('common.saved')))) return;
    onClose();
    onSaved();
  };
  return (
    <Dialog title={t('chat.rename')} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <Field label={t('common.name')}>
          <input class="input" required {...atMost(255)} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        <div class="dialog-actions">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={name.value.trim() === ''}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Facts({ room }: { readonly room: RoomDetailsView }): JSX.Element {
  const { id, agentId, type, source, worldId, worldName, channelId, createdAt, entities, metadata } = room;
  return (
    <div class="detail-body">
      <dl class="facts">
        <dt>{t('channels.id')}</dt>
        <dd>
          <Id id={id} />
        </dd>
        <dt>{t('common.agent')}</dt>
        <dd>
          <a href={`/agents/${agentId}`}>{agentName(agentId)}</a>
        </dd>
        <dt>{t('channels.type')}</dt>
        <dd>{typeName(type)}</dd>
        <dt>{t('channels.world')}</dt>
        <dd class="row wrap">
          {worldName ?? (worldId === null && t('common.none'))} {worldId !== null && <Id id={worldId} />}
        </dd>
        <dt>{t('channels.source')}</dt>
        <dd>{source}</dd>
        <dt>{t('channels.createdAt')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>{t('common.channel')}</dt>
        <dd>{channelId === null ? t('common.none') : <Id id={channelId} href={`/channels/${channelId}`} />}</dd>
        <dt>{t('nav.memories')}</dt>
        <dd>
          <a href={`/memories?agent=${agentId}&room=${id}`}>{t('channels.memories')}</a>
        </dd>
      </dl>
      <h2>{t('channels.participants')}</h2>
      <ul class="card participants">
        {entities.map((entity) => (
          <li key={entity.id} class="row">
            <Icon name={entity.id === agentId ? 'agent' : 'user'} />
            <span class="participant-name">
              <span>{personName(entity.name)}</span>
              <Id id={entity.id} />
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>{t('channels.metadata')}</summary>
        <Json value={metadata} label={t('channels.metadata')} />
      </details>
    </div>
  );
}
