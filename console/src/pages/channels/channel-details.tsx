// The facts of a channel and its participants.
import type { NewChannelView, ParticipantView } from 'parley-client';
import type { JSX } from 'preact';
import { typeName } from '../../chat/channel-type.js';
import { t } from '../../i18n.js';
import type { Loaded } from '../../load.js';
import { Id, Json, Time } from '../../ui/text.js';
import { Participants } from './participants.js';

interface ChannelDetailsProps {
  readonly channel: NewChannelView;
  /** Name of its message server. */
  readonly server: string | undefined;
  readonly participants: Loaded<readonly ParticipantView[]>;
}

export function ChannelDetails({ channel, server, participants }: ChannelDetailsProps): JSX.Element {
  const { id, type, channelType, messageServerId, description, sourceType, sourceId, turnPolicy, createdAt, updatedAt } = channel;
  const { participantCentralUserIds: _, ...metadata } = channel.metadata;
  const policy = (['enqueue', 'reject', 'interrupt'] as const).find((name) => name === turnPolicy);
  return (
    <div class="detail-body">
      {description !== '' && <p class="break">{description}</p>}
      <dl class="facts">
        <dt>{t('channels.id')}</dt>
        <dd>
          <Id id={id} />
        </dd>
        <dt>{t('channels.type')}</dt>
        <dd>{type === channelType ? typeName(type) : `${typeName(channelType)} (${type})`}</dd>
        <dt>{t('channels.server')}</dt>
        <dd class="row wrap">
          {server} <Id id={messageServerId} />
        </dd>
        <dt>{t('channels.turnPolicy')}</dt>
        <dd>{policy === undefined ? turnPolicy : t(`channels.turnPolicies.${policy}`)}</dd>
        {sourceType !== null && (
          <>
            <dt>{t('channels.source')}</dt>
            <dd>{[sourceType, sourceId].filter(Boolean).join(' · ')}</dd>
          </>
        )}
        <dt>{t('channels.createdAt')}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>{t('channels.updatedAt')}</dt>
        <dd>
          <Time at={updatedAt} />
        </dd>
        <dt>{t('nav.runs')}</dt>
        <dd>
          <a href={`/runs?channel=${id}`}>{t('runs.ofChannel')}</a>
        </dd>
      </dl>
      <Participants channelId={id} participants={participants} />
      <details>
        <summary>{t('channels.metadata')}</summary>
        <Json value={metadata} label={t('channels.metadata')} />
      </details>
    </div>
  );
}
