// The participants of a channel: a list of agents and users, with a form that adds one.
import { useSignal } from '@preact/signals';
import type { ParticipantView } from 'parley-client';
import type { JSX } from 'preact';
import { parley } from '../../api.js';
import { personName } from '../../chat/channel-name.js';
import { readerOf } from '../../chat/readers.js';
import { t } from '../../i18n.js';
import type { Loaded } from '../../load.js';
import { agents } from '../../store/agents.js';
import { Button, Field, Select } from '../../ui/controls.js';
import { attempt, confirm } from '../../ui/dialogs.js';
import { Icon } from '../../ui/icon.js';
import { Async } from '../../ui/states.js';
import { Id, Time } from '../../ui/text.js';

/** @throws ParleyError */
export async function participantsOf(channelId: string): Promise<readonly ParticipantView[]> {
  const path = { channelId };
  return (await parley.call('GET /api/messaging/channels/{channelId}/participants', {
    path,
    query: { expand: 'true' },
  })) as readonly ParticipantView[];
}

/** Replaces the users of a channel by what `change` makes of its participants now. @throws ParleyError */
async function changeUsers(channelId: string, change: (ids: readonly string[]) => readonly string[]): Promise<void> {
  const ids = (await participantsOf(channelId)).map(({ id }) => id);
  const body = { participantCentralUserIds: change(ids) };
  await parley.call('PATCH /api/messaging/channels/{channelId}', { path: { channelId }, body });
}

interface ParticipantsProps {
  readonly channelId: string;
  readonly participants: Loaded<readonly ParticipantView[]>;
}

export function Participants({ channelId, participants }: ParticipantsProps): JSX.Element {
  const path = { channelId };
  const change = async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
    const changed = await attempt(work, done);
    if (changed) participants.reload();
    return changed;
  };
  const remove = async ({ id, role }: ParticipantView, name: string): Promise<void> => {
    const asked = { title: t('channels.removeTitle', { name }), text: t('channels.removeText'), action: t('common.remove'), danger: true };
    if (!(await confirm(asked))) return;
    await change(
      () =>
        role === 'agent'
          ? parley.call('DELETE /api/messaging/channels/{channelId}/agents/{agentId}', { path: { ...path, agentId: id } })
          : changeUsers(channelId, (ids) => ids.filter((one) => one !== id)),
      t('channels.removed', { name }),
    );
  };
  return (
    <>
      <h2>{t('channels.participants')}</h2>
      <Async of={participants}>
        {(all) => (
          <>
            {all.length === 0 && <p class="soft">{t('channels.noParticipants')}</p>}
            {all.length > 0 && (
              <ul class="card participants">
                {all.map((participant) => (
                  <Participant key={participant.id} channelId={channelId} participant={participant} onRemove={remove} />
                ))}
              </ul>
            )}
            <AddParticipant
              present={all}
              onAdd={(id, isAgent) =>
                change(
                  () =>
                    isAgent
                      ? parley.call('POST /api/messaging/channels/{channelId}/agents', { path, body: { agentId: id } })
                      : changeUsers(channelId, (ids) => [...ids, id]),
                  t('channels.added'),
                )
              }
            />
          </>
        )}
      </Async>
    </>
  );
}

interface ParticipantProps {
  readonly channelId: string;
  readonly participant: ParticipantView;
  readonly onRemove: (participant: ParticipantView, name: string) => Promise<void>;
}

function Participant({ channelId, participant, onRemove }: ParticipantProps): JSX.Element {
  const { id, role, joinedAt } = participant;
  const isAgent = role === 'agent';
  // The server keeps no names of users; messages have them.
  const said = readerOf(channelId).state.value.messages.findLast(({ authorId, authorName }) => authorId === id && authorName !== null);
  const name = personName(participant.name || said?.authorName);
  return (
    <li class="row">
      <Icon name={isAgent ? 'agent' : 'user'} />
      <span class="grow participant-name">
        {isAgent ? <a href={`/agents/${id}`}>{name}</a> : <span>{name}</span>}
        <Id id={id} />
        <span class="small faint">
          {t('channels.since')} <Time at={joinedAt} />
        </span>
      </span>
      <Button
        kind="plain"
        icon="trash"
        label={t('channels.removeName', { name })}
        needs="write"
        onClick={() => void onRemove(participant, name)}
      />
    </li>
  );
}

interface AddParticipantProps {
  readonly present: readonly ParticipantView[];
  readonly onAdd: (id: string, isAgent: boolean) => Promise<boolean>;
}

function AddParticipant({ present, onAdd }: AddParticipantProps): JSX.Element {
  const chosen = useSignal('');
  const user = useSignal('');
  const busy = useSignal(false);
  const others = (agents.value ?? []).filter(({ id }) => !present.some((participant) => participant.id === id));
  const isAgent = chosen.value !== '';
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    if (await onAdd(isAgent ? chosen.value : user.value.trim(), isAgent)) {
      chosen.value = '';
      user.value = '';
    }
    busy.value = false;
  };
  return (
    <form class="row wrap add-participant" onSubmit={(event) => void submit(event)}>
      <Field label={t('channels.who')}>
        <Select
          value={chosen.value}
          options={[{ value: '', label: t('channels.aUser') }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
          onSelect={(id) => (chosen.value = id)}
        />
      </Field>
      {!isAgent && (
        <Field label={t('channels.userId')}>
          <input class="input" required value={user.value} onInput={(event) => (user.value = event.currentTarget.value)} />
        </Field>
      )}
      <Button type="submit" icon="plus" needs="write" busy={busy.value}>
        {t('common.add')}
      </Button>
    </form>
  );
}
