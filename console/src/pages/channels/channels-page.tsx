// The channels of message servers and the rooms of agents, and the one in the address.
import './channels.css';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import type { PageProps } from '../../page-props.js';
import { navigate, query } from '../../router.js';
import { watchAgents } from '../../store/agents.js';
import { Tabs } from '../../ui/controls.js';
import { Async, Empty } from '../../ui/states.js';
import { ChannelList, channelsOf } from './channel-list.js';
import { ChannelPage } from './channel-page.js';
import { RoomList } from './room-list.js';
import { RoomPage } from './room-page.js';

export default function ChannelsPage({ params: { id } }: PageProps): JSX.Element {
  useEffect(watchAgents, []);
  if (id === undefined && query.value.get('view') === 'rooms') return <Rooms />;
  return <Channels selected={id} />;
}

function Channels({ selected }: { readonly selected: string | undefined }): JSX.Element {
  const servers = useLoad(() => parley.call('GET /api/messaging/message-servers'), []);
  const serverId = query.value.get('server') ?? servers.value.data?.messageServers[0]?.id;
  const channels = useLoad(async () => (serverId === undefined ? [] : await channelsOf(serverId)), [serverId]);
  return (
    <div class={`split ${selected === undefined ? '' : 'detail-open'}`}>
      <div class="list-pane">
        <Views view="channels" heading={selected === undefined} />
        <Async of={servers}>
          {({ messageServers }) => <ChannelList servers={messageServers} serverId={serverId} channels={channels} selected={selected} />}
        </Async>
      </div>
      <section class="detail-pane" aria-label={t('common.channel')}>
        {selected === undefined ? (
          <Empty icon="channel" title={t('channels.choose')}>
            <p>{t('channels.chooseHint')}</p>
          </Empty>
        ) : (
          <ChannelPage key={selected} channelId={selected} servers={servers.value.data?.messageServers ?? []} onChanged={channels.reload} />
        )}
      </section>
    </div>
  );
}

function Rooms(): JSX.Element {
  const room = query.value.get('room') ?? undefined;
  const agentId = query.value.get('agent') ?? undefined;
  const version = useSignal(0);
  const changed = (): void => {
    version.value += 1;
  };
  return (
    <div class={`split ${room === undefined ? '' : 'detail-open'}`}>
      <div class="list-pane">
        <Views view="rooms" heading={room === undefined} />
        <RoomList selected={room} version={version.value} onChanged={changed} />
      </div>
      <section class="detail-pane" aria-label={t('channels.room')}>
        {room === undefined || agentId === undefined ? (
          <Empty icon="group" title={t('channels.chooseRoom')}>
            <p>{t('channels.chooseRoomHint')}</p>
          </Empty>
        ) : (
          <RoomPage key={room} agentId={agentId} roomId={room} onChanged={changed} />
        )}
      </section>
    </div>
  );
}

interface ViewsProps {
  readonly view: 'channels' | 'rooms';
  /** Whether the list is the subject of the page; the detail has the heading otherwise. */
  readonly heading: boolean;
}

function Views({ view, heading }: ViewsProps): JSX.Element {
  const Heading = heading ? 'h1' : 'h2';
  return (
    <div class="list-pane-views">
      <Heading class="page-title">{t('nav.channels')}</Heading>
      <Tabs
        label={t('nav.channels')}
        panel="channels-list"
        selected={view}
        tabs={[
          { id: 'channels', label: t('nav.channels') },
          { id: 'rooms', label: t('channels.worldsAndRooms') },
        ]}
        onSelect={(id) => navigate(id === 'channels' ? '/channels' : '/channels?view=rooms')}
      />
    </div>
  );
}
