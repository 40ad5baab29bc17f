// One channel: its messages, its facts and participants, and what can be changed about it.
import { useSignal } from '@preact/signals';
import type { MessageServerView, NewChannelView } from 'parley-client';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { parley } from '../../api.js';
import { readerOf } from '../../chat/readers.js';
import { channelName } from '../../chat/channel-name.js';
import { BranchLink, ProtocolBadges, protocolsIn } from '../../chat/protocols.js';
import { t } from '../../i18n.js';
import { useLoad } from '../../load.js';
import { navigate, query, setQuery } from '../../router.js';
import { Button, Field, Select, Tabs } from '../../ui/controls.js';
import { DetailTitle } from '../../ui/detail-title.js';
import { attempt, confirm, Dialog, Menu } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { Async, Empty } from '../../ui/states.js';
import { channelAddress } from './channel-list.js';
import { ChannelDetails } from './channel-details.js';
import { ChannelMessages } from './channel-messages.js';
import { participantsOf } from './participants.js';
import { atMost } from '../../ui/characters.js';

const VIEWS = ['messages', 'details'] as const;
type View = (typeof VIEWS)[number];
const POLICIES = ['enqueue', 'reject', 'interrupt'] as const;
type Policy = (typeof POLICIES)[number];

interface ChannelPageProps {
  readonly channelId: string;
  readonly servers: readonly MessageServerView[];
  /** The list of channels shows what has changed. */
  readonly onChanged: () => void;
}

export function ChannelPage({ channelId, servers, onChanged }: ChannelPageProps): JSX.Element {
  const path = { channelId };
  const channel = useLoad(() => parley.call('GET /api/messaging/channels/{channelId}', { path }), []);
  const participants = useLoad(() => participantsOf(channelId), []);
  const view: View = VIEWS.find((name) => name === query.value.get('tab')) ?? 'messages';
  const event = readerOf(channelId).lastEvent.value;
  useEffect(() => {
    if (event?.type !== 'channel.updated') return;
    channel.reload();
    participants.reload();
  }, [event]);
  const { data } = channel.value;
  if (event?.type === 'channel.deleted') {
    return (
      <>
        <header class="detail-head">
          <Title text={data ? channelName(data) : t('common.channel')} />
        </header>
        <Empty icon="channel" title={t('channels.gone')} />
      </>
    );
  }
  if (data === undefined) {
    return (
      <>
        <header class="detail-head">
          <Title text={t('common.channel')} />
        </header>
        <Async of={channel}>{() => null}</Async>
      </>
    );
  }
  return (
    <>
      <Head
        channel={data}
        canChat={participants.value.data?.some(({ role }) => role === 'agent') === true}
        view={view}
        onChanged={() => {
          channel.reload();
          onChanged();
        }}
      />
      {view === 'messages' ? (
        <div id="channel-panel" class="channel-panel" role="tabpanel" aria-label={t('channels.tabs.messages')}>
          <ChannelMessages channelId={channelId} participants={participants.value.data ?? []} />
        </div>
      ) : (
        <div id="channel-panel" class="detail-panel" role="tabpanel" aria-label={t('channels.tabs.details')} tabIndex={0}>
          <ChannelDetails channel={data} server={servers.find(({ id }) => id === data.messageServerId)?.name} participants={participants} />
        </div>
      )}
    </>
  );
}

function Title({ text, children }: { readonly text: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <DetailTitle back="/channels" backLabel={t('channels.toList')} title={text}>
      {children}
    </DetailTitle>
  );
}

interface HeadProps {
  readonly channel: NewChannelView;
  readonly canChat: boolean;
  readonly view: View;
  readonly onChanged: () => void;
}

function Head({ channel, canChat, view, onChanged }: HeadProps): JSX.Element {
  const { id } = channel;
  const name = channelName(channel);
  const path = { channelId: id };
  const editing = useSignal(false);
  const { protocol, branchOf } = channel.metadata;
  const messages = readerOf(id).state.value.messages;
  const protocols = protocolsIn([protocol, ...messages.map(({ metadata }) => metadata['protocol'])]);
  const clear = async (): Promise<void> => {
    const asked = { title: t('channels.clearTitle', { name }), text: t('channels.clearText'), action: t('channels.clear'), danger: true };
    if (!(await confirm(asked))) return;
    await attempt(() => parley.call('DELETE /api/messaging/channels/{channelId}/messages', { path }), t('channels.cleared'));
  };
  const remove = async (): Promise<void> => {
    const asked = { title: t('channels.deleteTitle', { name }), text: t('channels.deleteText'), action: t('common.delete'), danger: true };
    if (!(await confirm(asked))) return;
    const done = await attempt(() => parley.call('DELETE /api/messaging/channels/{channelId}', { path }), t('channels.deleted', { name }));
    if (!done) return;
    onChanged();
    navigate('/channels', { replace: true });
  };
  return (
    <header class="detail-head">
      <Title text={name}>
        <div class="row">
          {canChat && (
            <a class="button" href={`/chat/${id}`}>
              <Icon name="chat" />
              {t('channels.openAsChat')}
            </a>
          )}
          <Menu
            label={t('channels.actionsFor', { name })}
            items={[
              { label: t('common.edit'), icon: 'edit', needs: 'write', onSelect: () => (editing.value = true) },
              { label: t('channels.clear'), icon: 'close', needs: 'write', onSelect: () => void clear() },
              { label: t('common.delete'), icon: 'trash', needs: 'write', onSelect: () => void remove() },
            ]}
          />
        </div>
      </Title>
      {(protocols.length > 0 || typeof branchOf === 'string') && (
        <div class="row wrap small channel-doors">
          <ProtocolBadges protocols={protocols} />
          {typeof branchOf === 'string' && <BranchLink href={channelAddress(branchOf)} />}
        </div>
      )}
      <Tabs<View>
        label={name}
        panel="channel-panel"
        selected={view}
        tabs={VIEWS.map((tab) => ({ id: tab, label: t(`channels.tabs.${tab}`) }))}
        onSelect={(tab) => setQuery({ tab: tab === 'messages' ? undefined : tab, message: undefined })}
      />
      {editing.value && <EditChannel channel={channel} onSaved={onChanged} onClose={() => (editing.value = false)} />}
    </header>
  );
}

interface EditChannelProps {
  readonly channel: NewChannelView;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

function EditChannel({ channel, onSaved, onClose }: EditChannelProps): JSX.Element {
  const name = useSignal(channel.name);
  const description = useSignal(channel.description);
  const policy = useSignal(channel.turnPolicy as Policy);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = { name: name.value.trim(), description: description.value, turnPolicy: policy.value };
    const saved = await attempt(
      () => parley.call('PATCH /api/messaging/channels/{channelId}', { path: { channelId: channel.id }, body }),
      t('common.saved'),
    );
    if (!saved) return;
    onClose();
    onSaved();
  };
  return (
    <Dialog title={t('channels.edit')} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <Field label={t('common.name')}>
          <input class="input" required {...atMost(255)} value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
        </Field>
        <Field label={t('channels.description')}>
          <textarea
            class="input"
            {...atMost(10_000)}
            value={description.value}
            onInput={(event) => (description.value = event.currentTarget.value)}
          />
        </Field>
        <Field label={t('channels.turnPolicy')}>
          <Select<Policy>
            value={policy.value}
            options={POLICIES.map((value) => ({ value, label: t(`channels.turnPolicies.${value}`) }))}
            onSelect={(value) => (policy.value = value)}
          />
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
