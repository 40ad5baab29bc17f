// The channels of a message server, found by words.
import { signal, useSignal } from '@preact/signals';
import type { ChannelView, MessageServerView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { channelName } from '../../chat/channel-name.js';
import { CHANNEL_TYPES, typeName } from '../../chat/channel-type.js';
import { protocolsIn } from '../../chat/protocols.js';
import { t } from '../../i18n.js';
import type { Loaded } from '../../load.js';
import { navigate, query, setQuery } from '../../router.js';
import { Button, Field, Search, Select } from '../../ui/controls.js';
import { attempt, Dialog } from '../../ui/dialogs.js';
import { Async, Empty } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { ChannelRow } from './channel-row.js';
import { atMost } from '../../ui/characters.js';

const ROW_PX = 52;

// Kept while the person looks at one channel after the other.
const words = signal('');

/** All channels of a message server, the newest first. @throws ParleyError */
export async function channelsOf(messageServerId: string): Promise<readonly ChannelView[]> {
  const found = await parley.call('GET /api/messaging/message-servers/{messageServerId}/channels', { path: { messageServerId } });
  return ('channels' in found ? found.channels : found).toReversed();
}

/** Address of a channel beside the list of the same message server. */
export function channelAddress(id: string, parameters: Readonly<Record<string, string>> = {}): string {
  const server = query.value.get('server');
  const text = new URLSearchParams({ ...(server !== null && { server }), ...parameters }).toString();
  return `/channels/${id}${text === '' ? '' : `?${text}`}`;
}

interface ChannelListProps {
  readonly servers: readonly MessageServerView[];
  readonly serverId: string | undefined;
  readonly channels: Loaded<readonly ChannelView[]>;
  readonly selected: string | undefined;
}

export function ChannelList({ servers, serverId, channels, selected }: ChannelListProps): JSX.Element {
  const creating = useSignal(false);
  const wanted = words.value.trim().toLowerCase();
  const all = channels.value.data ?? [];
  const shown = wanted === '' ? all : all.filter((channel) => matches(channel, wanted));
  return (
    <>
      <div class="list-pane-head">
        <Select
          label={t('channels.server')}
          value={serverId ?? ''}
          options={servers.map(({ id, name }) => ({ value: id, label: name }))}
          onSelect={(server) => setQuery({ server })}
        />
        <div class="row">
          <Search value={words.value} onInput={(text) => (words.value = text)} label={t('channels.find')} />
          <Button kind="plain" icon="again" label={t('common.refresh')} onClick={channels.reload} />
          <Button kind="plain" icon="plus" label={t('channels.new')} needs="write" onClick={() => (creating.value = true)} />
        </div>
        <p class="small faint figures" role="status">
          {t('channels.count', { count: shown.length })}
        </p>
      </div>
      <div id="channels-list" class="list-pane-rows">
        <Async of={channels}>
          {() =>
            shown.length === 0 ? (
              <Empty icon="channel" title={all.length === 0 ? t('channels.none') : t('channels.noneFound')} />
            ) : (
              <VirtualList items={shown} keyOf={({ id }) => id} estimate={ROW_PX} label={t('nav.channels')}>
                {(channel) => (
                  <ChannelRow
                    href={channelAddress(channel.id)}
                    name={channelName(channel)}
                    type={channel.channelType}
                    at={channel.updatedAt}
                    selected={channel.id === selected}
                    protocols={protocolsIn([channel.metadata['protocol']])}
                  />
                )}
              </VirtualList>
            )
          }
        </Async>
      </div>
      {creating.value && <NewChannel serverId={serverId} onMade={channels.reload} onClose={() => (creating.value = false)} />}
    </>
  );
}

function matches(channel: ChannelView, wanted: string): boolean {
  const { id, name, type, channelType, description } = channel;
  return [id, name, channelName(channel), type, channelType, typeName(channelType), description].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

interface NewChannelProps {
  readonly serverId: string | undefined;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

function NewChannel({ serverId, onMade, onClose }: NewChannelProps): JSX.Element {
  const name = useSignal('');
  const type = useSignal<string>(CHANNEL_TYPES[0]);
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    await attempt(async () => {
      const body = { name: name.value.trim(), type: type.value, ...(serverId !== undefined && { serverId }) };
      const { id } = await parley.call('POST /api/messaging/channels', { body });
      onClose();
      onMade();
      navigate(channelAddress(id, { tab: 'details' }));
    });
  };
  return (
    <Dialog title={t('channels.new')} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void create(event)}>
        <Field label={t('common.name')}>
          <input class="input" required {...atMost(255)} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        <Field label={t('channels.type')}>
          <Select
            value={type.value}
            options={CHANNEL_TYPES.map((value) => ({ value, label: typeName(value) }))}
            onSelect={(value) => (type.value = value)}
          />
        </Field>
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
